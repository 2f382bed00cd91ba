/** Frames that carry their own number in their pixels, so that a decoded video can be checked frame by frame. */
import type { VideoFormat } from '../../../src/media/encode/encode-settings.ts';
import type { EncoderFrame } from '../../../src/media/encode/feed-frames.ts';
import type { SegmentToEncode } from '../../../src/media/encode/h264/segment-cutter.ts';

export const FORMAT: VideoFormat = { widthPx: 320, heightPx: 180, fps: 30, quality: 'standard' };

const BITS = 10;
const BLOCK_PX = 32;
const DARK = 40;
const LIGHT = 200;

/** I420: one column per bit of `index`, dark or light, over a gradient of colour that moves with it. */
export function paintNumber(index: number, { widthPx, heightPx } = FORMAT): Uint8Array {
  const lumaBytes = widthPx * heightPx;
  const data = new Uint8Array((lumaBytes * 3) / 2);
  for (let x = 0; x < widthPx; x++) {
    const bit = Math.floor(x / BLOCK_PX);
    const isLight = bit < BITS && ((index >> bit) & 1) === 1;
    for (let y = 0; y < heightPx; y++) data[y * widthPx + x] = isLight ? LIGHT : DARK;
  }
  for (let i = lumaBytes; i < data.length; i++) data[i] = 96 + ((i + index * 3) % 64);
  return data;
}

/** The number in a decoded frame's luma. */
export function readNumber(luma: Uint8Array, { widthPx, heightPx } = FORMAT): number {
  let index = 0;
  for (let bit = 0; bit < BITS; bit++) {
    const x = bit * BLOCK_PX + BLOCK_PX / 2;
    const value = luma[(heightPx >> 1) * widthPx + x] ?? 0;
    if (value > (DARK + LIGHT) / 2) index |= 1 << bit;
  }
  return index;
}

/** Frames of `segments` in their order; counts how many are lent and how many came back. */
export function numberedFrames(
  segments: readonly SegmentToEncode[],
  options: { format?: VideoFormat; beforeFrame?: (sent: number) => void | Promise<void> } = {},
) {
  const counts = { lent: 0, released: 0 };
  const format = options.format ?? FORMAT;
  async function* generate(): AsyncGenerator<EncoderFrame> {
    for (const { startFrame, endFrame } of segments) {
      for (let index = startFrame; index < endFrame; index++) {
        await options.beforeFrame?.(counts.lent);
        counts.lent++;
        yield {
          index,
          data: paintNumber(index, format),
          sameAsPrevious: false,
          release: () => {
            counts.released++;
          },
        };
      }
    }
  }
  return { frames: generate(), counts };
}

/** Segments of the given lengths, back to back. */
export function segmentsOf(...lengths: readonly number[]): SegmentToEncode[] {
  let startFrame = 0;
  return lengths.map((length, i) => {
    const segment = { key: `segment-${i}`, startFrame, endFrame: startFrame + length };
    startFrame += length;
    return segment;
  });
}
