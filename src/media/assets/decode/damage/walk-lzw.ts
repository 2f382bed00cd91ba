/**
 * Reads LZW codes, those of GIF or of TIFF, and counts what they stand for, without the pixels. Pure.
 *
 * Damage changes how much that is: decoders stop when the picture is full, or fill it up, and say nothing.
 */

const MAX_BITS = 12;

export interface LzwEnd {
  /** How many values the codes stand for. */
  readonly count: number;
  /** The code of the end came, and nothing but padding after it. */
  readonly isAtEnd: boolean;
}

/**
 * Null if a code is invalid.
 *
 * @param rootBits - Bits of a value: 8 for TIFF, 2 to 8 for GIF.
 */
export function walkLzw(data: Uint8Array, rootBits: number, kind: 'gif' | 'tiff'): LzwEnd | null {
  const isTiff = kind === 'tiff';
  const clear = 1 << rootBits;
  const lengths = new Uint32Array(1 << MAX_BITS);
  lengths.fill(1, 0, clear);
  // TIFF changes to longer codes one code earlier.
  const early = isTiff ? 1 : 0;
  let [next, width, previous, count] = [clear + 2, rootBits + 1, -1, 0];
  let [at, held, bits] = [0, 0, 0];
  for (;;) {
    while (bits < width && at < data.length) {
      held = isTiff ? (held << 8) | data[at]! : held | (data[at]! << bits);
      at += 1;
      bits += 8;
    }
    if (bits < width) return { count, isAtEnd: false };
    const code = (isTiff ? held >>> (bits - width) : held) & ((1 << width) - 1);
    bits -= width;
    held = isTiff ? held & ((1 << bits) - 1) : held >>> width;
    if (code === clear + 1) return { count, isAtEnd: data.length - at <= 1 };
    if (code === clear) {
      [next, width, previous] = [clear + 2, rootBits + 1, -1];
      continue;
    }
    if (code > next || (code >= clear && previous === -1) || (code === next && next > 4095)) return null;
    if (previous !== -1 && next < 4096) {
      lengths[next] = lengths[previous]! + 1;
      next += 1;
      if (next + early >= 1 << width && width < MAX_BITS) width += 1;
    }
    count += lengths[code]!;
    previous = code;
  }
}
