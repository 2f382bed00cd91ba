/** One shared linear memory with a small allocator, for the frames, photo planes and masks of one worker. */
import { ListingVideoError } from '../../../platform/errors.ts';
import { type WasmMemory, webAssembly } from '../../../platform/load-assembly.ts';

const PAGE_BYTES = 65_536;
/** 1 GiB of address space, of which only allocated parts are touched. Must agree with build-assembly.js. */
const MAXIMUM_PAGES = 16_384;
const ALIGNMENT = 64;
/** SIMD loads can run past a block's end by up to a vector. */
const SLACK_BYTES = 64;

interface Gap {
  start: number;
  end: number;
}

/**
 * Hands out blocks of a `WebAssembly.Memory` (shared, so that finished frames can be read by another thread without a
 * copy). First fit; freed neighbors merge. Memory grows as needed and never shrinks.
 */
export class KernelMemory {
  readonly wasmMemory: WasmMemory<SharedArrayBuffer>;
  #bytes: Uint8Array;
  #gaps: Gap[];
  readonly #sizes = new Map<number, number>();

  constructor() {
    this.wasmMemory = new webAssembly.Memory({ initial: 1, maximum: MAXIMUM_PAGES, shared: true });
    this.#bytes = new Uint8Array(this.wasmMemory.buffer);
    // Address 0 is never handed out, so that it can mean "nothing".
    this.#gaps = [{ start: ALIGNMENT, end: PAGE_BYTES }];
  }

  /** All bytes. Get them again after an allocation: growing replaces the view (old views stay valid for old blocks). */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Bytes handed out at present. */
  get usedBytes(): number {
    let sum = 0;
    for (const size of this.#sizes.values()) sum += size;
    return sum;
  }

  /** A view of `length` bytes at `address`. */
  view(address: number, length: number): Uint8Array {
    return this.#bytes.subarray(address, address + length);
  }

  /**
   * The address of a new block of at least `sizeBytes`, aligned to 64, with undefined contents.
   *
   * @throws {@link ListingVideoError} `render_failed` when 1 GiB is exhausted.
   */
  allocate(sizeBytes: number): number {
    const size = Math.ceil((sizeBytes + SLACK_BYTES) / ALIGNMENT) * ALIGNMENT;
    let index = this.#gaps.findIndex((gap) => gap.end - gap.start >= size);
    if (index < 0) {
      this.#grow(size);
      index = this.#gaps.length - 1;
    }
    const gap = this.#gaps[index] as Gap;
    const address = gap.start;
    gap.start += size;
    if (gap.start === gap.end) this.#gaps.splice(index, 1);
    this.#sizes.set(address, size);
    return address;
  }

  /** Frees a block. An address that is not allocated is ignored. */
  free(address: number): void {
    const size = this.#sizes.get(address);
    if (size === undefined) return;
    this.#sizes.delete(address);
    let index = this.#gaps.findIndex((gap) => gap.start > address);
    if (index < 0) index = this.#gaps.length;
    this.#gaps.splice(index, 0, { start: address, end: address + size });
    for (const left of [index, index - 1]) {
      const [a, b] = [this.#gaps[left], this.#gaps[left + 1]];
      if (a === undefined || b === undefined || a.end !== b.start) continue;
      a.end = b.end;
      this.#gaps.splice(left + 1, 1);
    }
  }

  #grow(sizeBytes: number): void {
    const oldEnd = this.#bytes.length;
    const last = this.#gaps.at(-1);
    const tail = last?.end === oldEnd ? last : undefined;
    const missing = sizeBytes - (tail === undefined ? 0 : tail.end - tail.start);
    const pages = Math.max(16, Math.ceil(missing / PAGE_BYTES));
    try {
      this.wasmMemory.grow(pages);
    } catch (cause) {
      throw new ListingVideoError('render_failed', `The frame renderer needs more than 1 GiB of memory.`, {
        cause,
        hint: 'render with fewer workers or smaller photos',
        context: { requestedBytes: sizeBytes, usedBytes: this.usedBytes },
      });
    }
    this.#bytes = new Uint8Array(this.wasmMemory.buffer);
    if (tail !== undefined) tail.end = this.#bytes.length;
    else this.#gaps.push({ start: oldEnd, end: this.#bytes.length });
  }
}
