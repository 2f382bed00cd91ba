/**
 * Finds the records in JSON of any length without keeping more than one of them: a single object, an array, an OData
 * answer (`{"value": […]}`), one object per line, or several of these after each other. What a record means is checked
 * elsewhere.
 *
 * `JSON.parse` needs the whole text, and general streaming parsers build every value in JavaScript. This one only
 * counts brackets, so that a broken record does not take the others with it, and leaves the values to `JSON.parse`.
 */

/** The bytes of one record, and the line of the file that they begin in, from 1. */
export interface JsonRecord {
  readonly bytes: Buffer;
  readonly line: number;
}

/** Keys under which answers have their records: OData, and the Bridge Web API. */
const LIST_KEYS = new Set(['value', 'bundle']);
const LONGEST_KEY = 16;
/** A record of a real feed has up to 200 kB. */
const MAX_RECORD_BYTES = 64 * 1024 * 1024;

const [LF, SPACE, QUOTE, COMMA, COLON, BACKSLASH] = [0x0a, 0x20, 0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Takes the chunks of a file in their order. */
export class JsonRecordSplitter {
  /**
   * Text around the records of answers: `{"@odata.context": …, "value": []}`, each whole. The caller takes them out.
   */
  readonly envelopes: Buffer[] = [];
  #line = 1;
  #depth = 0;
  /** Depth at which a value is a record: 0, 1 inside an array, 2 inside an answer. */
  #recordDepth = 0;
  #isInText = false;
  #isEscaped = false;
  #parts: Buffer[] = [];
  #partBytes = 0;
  #isOpen = false;
  #startLine = 1;
  /** The part of an answer before its records, then also the part after them. */
  #envelope: Buffer[] | null = null;
  #key = '';
  #isListNext = false;

  /** @throws Error when a record is larger than any listing. */
  push(chunk: Buffer): JsonRecord[] {
    const records: JsonRecord[] = [];
    let start = 0;
    const keep = (end: number): void => {
      this.#parts.push(chunk.subarray(start, end));
      this.#partBytes += end - start;
      start = end;
    };
    const close = (end: number): void => {
      keep(end);
      records.push({ bytes: Buffer.concat(this.#parts), line: this.#startLine });
      this.#reset();
    };
    for (let index = 0; index < chunk.length; index += 1) {
      const byte = chunk[index]!;
      if (byte === LF) this.#line += 1;
      if (this.#isInText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#isInText = false;
        else if (this.#depth === 1 && this.#key.length <= LONGEST_KEY) this.#key += String.fromCharCode(byte);
        continue;
      }
      if (!this.#isOpen) {
        // Between records: white space, commas, and a byte order mark.
        if (byte <= SPACE || byte === COMMA || byte >= 0x80) continue;
        if (byte === OPEN_LIST && this.#depth === 0) {
          this.#depth = 1;
          this.#recordDepth = 1;
          continue;
        }
        if (byte === CLOSE_LIST && this.#depth === this.#recordDepth && this.#depth > 0) {
          this.#depth -= 1;
          this.#recordDepth = 0;
          if (this.#envelope === null) continue;
          // The rest of the answer.
          this.#isOpen = true;
          start = index;
          continue;
        }
        this.#isOpen = true;
        this.#startLine = this.#line;
        start = index;
      }
      switch (byte) {
        case QUOTE:
          this.#isInText = true;
          if (this.#depth === 1) this.#key = '';
          break;
        case COLON:
          if (this.#depth === 1) this.#isListNext = this.#recordDepth === 0 && LIST_KEYS.has(this.#key);
          break;
        case OPEN_LIST:
          this.#depth += 1;
          if (this.#isListNext && this.#depth === 2 && this.#envelope === null) {
            keep(index + 1);
            this.#envelope = this.#parts;
            this.#reset();
            this.#recordDepth = 2;
          }
          this.#isListNext = false;
          break;
        case OPEN_OBJECT:
          this.#depth += 1;
          this.#isListNext = false;
          break;
        case CLOSE_LIST:
        case CLOSE_OBJECT:
          if (this.#depth === this.#recordDepth) {
            // A bare value such as `null` ends here, or there is a bracket too many.
            close(index);
            // The end of the array is read again, now between records.
            if (byte === CLOSE_LIST && this.#depth > 0) index -= 1;
            break;
          }
          this.#depth -= 1;
          if (this.#depth !== this.#recordDepth) break;
          if (this.#envelope === null) close(index + 1);
          else if (this.#depth === 0) {
            keep(index + 1);
            this.envelopes.push(Buffer.concat([...this.#envelope, ...this.#parts]));
            this.#envelope = null;
            this.#reset();
          } else close(index + 1);
          break;
        default:
          if (this.#depth === this.#recordDepth && (byte === COMMA || byte <= SPACE)) close(index);
      }
    }
    if (this.#isOpen) keep(chunk.length);
    if (this.#partBytes > MAX_RECORD_BYTES)
      throw new Error(`the record in line ${this.#startLine} is larger than ${MAX_RECORD_BYTES >> 20} MiB`);
    return records;
  }

  /** Call it once after the last chunk. @returns What has no end: a record that was cut off, or a bare value. */
  end(): JsonRecord | null {
    if (this.#envelope !== null) this.envelopes.push(Buffer.concat(this.#envelope));
    const isCut = this.#isOpen || this.#depth > 0;
    return isCut
      ? { bytes: Buffer.concat(this.#parts), line: this.#isOpen ? this.#startLine : this.#line }
      : null;
  }

  #reset(): void {
    this.#parts = [];
    this.#partBytes = 0;
    this.#isOpen = false;
  }
}
