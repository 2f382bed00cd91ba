/** Counts the lines of a stream that is read further than what has been used of it. */

const LF = 10;
const CR = 13;

export class LineCounter {
  /** Offsets behind the line ends that were read. */
  readonly #ends: number[] = [];
  /** How many of them were counted. */
  #counted = 0;
  #bytesRead = 0;
  #lines = 0;
  #isAfterCr = false;

  /** Reads on. CRLF ends one line, also where two chunks meet. */
  add(chunk: Uint8Array): void {
    chunk.forEach((byte, at) => {
      if (byte === CR || (byte === LF && !this.#isAfterCr)) this.#ends.push(this.#bytesRead + at + 1);
      this.#isAfterCr = byte === CR;
    });
    this.#bytesRead += chunk.length;
  }

  /** Lines that end in the first `bytes` of the stream. Asked for with growing numbers. */
  endedBy(bytes: number): number {
    let next = this.#counted;
    while (next < this.#ends.length && this.#ends[next]! <= bytes) next += 1;
    this.#lines += next - this.#counted;
    // Moved now and then, not for each row.
    if (next > 10_000) this.#ends.splice(0, next);
    this.#counted = next > 10_000 ? 0 : next;
    return this.#lines;
  }
}
