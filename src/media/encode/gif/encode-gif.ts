/**
 * Encodes the scenes of a GIF, each with a palette of its own and without the pixels that do not change, and joins
 * them. So videos can share the scenes that are equal. Pure.
 */
import gifenc from 'gifenc';
import {
  type ColorMap,
  colorDistance,
  countShades,
  createColorMap,
  keepPlainColors,
  samplePixels,
} from './gif-colors.ts';

export interface GifScene {
  /** At least one; sRGB, RGBA, opaque, all of the same size, rows without padding. */
  readonly frames: readonly Uint8Array[];
  readonly widthPx: number;
  readonly heightPx: number;
  /** 10 to 12 moves well and stays small. GIF delays are hundredths of a second. */
  readonly fps: number;
  /** Index into {@link GIF_STEPS}: 0 looks best, the last is the smallest. */
  readonly step: number;
}

interface GifStep {
  readonly colors: number;
  /**
   * Maximum difference per channel at which a pixel counts as unchanged. In a slow camera move this saves mostly the
   * noise of walls and skies.
   */
  readonly tolerance: number;
  /**
   * Amplitude of the ordered dithering against bands in skies and on walls, in levels of 255; 0 is none. At 4 the bands
   * are gone for 5 % more bytes; from 6 on grain is visible on white walls.
   */
  readonly dither: number;
  /** Shows every n-th frame. */
  readonly every: number;
}

export const GIF_STEPS: readonly GifStep[] = [
  { colors: 255, tolerance: 2, dither: 4, every: 1 },
  { colors: 255, tolerance: 5, dither: 3, every: 1 },
  { colors: 192, tolerance: 9, dither: 0, every: 1 },
  { colors: 128, tolerance: 12, dither: 0, every: 1 },
  { colors: 96, tolerance: 16, dither: 0, every: 1 },
  { colors: 96, tolerance: 12, dither: 0, every: 2 },
  { colors: 64, tolerance: 16, dither: 0, every: 2 },
  { colors: 32, tolerance: 20, dither: 0, every: 3 },
  { colors: 16, tolerance: 32, dither: 0, every: 5 },
];
/** Enough to find the colors of a scene: quantizing all pixels gives the same palette in ten times the time. */
const SAMPLE_PIXELS = 100_000;
/**
 * Quantizing time grows with the square of the number of shades (of 65,536): half a second for 12,000, minutes for all.
 * Twelve photos have about 6,000. For noise, 4 bits per channel are enough.
 */
const MAX_SHADES = 16_000;
/** Within this distance per channel a palette color equals the pixel's, and dithering would only add grain. */
const EXACT = 2;

/**
 * Delays in hundredths of a second. Each is the rounded difference of exact times, so that the GIF is as long as the
 * video to a hundredth.
 *
 * @param every - Frames that each shown frame stands for; the last can stand for fewer.
 */
export function frameDelays(frameCount: number, fps: number, every: number): number[] {
  const delays: number[] = [];
  for (let frame = 0; frame < frameCount; frame += every) {
    const end = Math.min(frame + every, frameCount);
    delays.push(Math.round((end * 100) / fps) - Math.round((frame * 100) / fps));
  }
  return delays;
}

/**
 * One scene as the blocks of a GIF, without header and trailer. It repaints the whole picture first, so any scene can
 * come before it. A frame that equals the one before it makes that one's time longer.
 */
export function encodeGifScene({ frames, widthPx, heightPx, fps, step: index }: GifScene): Uint8Array {
  const step = GIF_STEPS[index]!;
  const sample = samplePixels(frames, SAMPLE_PIXELS);
  const format = countShades(sample) > MAX_SHADES ? 'rgb444' : 'rgb565';
  const map = createColorMap(keepPlainColors(gifenc.quantize(sample, step.colors, { format }), sample));
  const transparentIndex = map.palette.length;
  // The palette needs an index that means "unchanged".
  const palette = [...map.palette, [0, 0, 0] as const];
  const screen = createScreen(map, widthPx, heightPx, step, transparentIndex);
  const gif = gifenc.GIFEncoder({ auto: false });
  for (const { frame, delayCs } of shownFrames(frames, fps, step.every)) {
    gif.writeFrame(screen(frame), widthPx, heightPx, {
      palette,
      delay: delayCs * 10,
      transparent: frame !== frames[0],
      transparentIndex,
      // Keep the frame on screen: the next one contains only changes.
      dispose: 1,
    });
  }
  return gif.bytes();
}

export function joinGifScenes(
  scenes: readonly Uint8Array[],
  { widthPx, heightPx }: Pick<GifScene, 'widthPx' | 'heightPx'>,
): Uint8Array {
  const header = Buffer.alloc(13);
  header.write('GIF89a', 'latin1');
  header.writeUInt16LE(widthPx, 6);
  header.writeUInt16LE(heightPx, 8);
  // 8 bits per color, no global palette.
  header.writeUInt8(0x70, 10);
  return Buffer.concat([header, LOOP_FOREVER, ...scenes, TRAILER]);
}

/** Netscape's application extension: 0 repetitions is no end. */
const LOOP_FOREVER = Buffer.from('\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00', 'latin1');
const TRAILER = Buffer.from([0x3b]);

/** Every n-th frame with its time; equal neighbors are one. */
function shownFrames(frames: readonly Uint8Array[], fps: number, every: number) {
  const shown: { readonly frame: Uint8Array; delayCs: number }[] = [];
  for (const [index, delayCs] of frameDelays(frames.length, fps, every).entries()) {
    const frame = frames[index * every]!;
    const last = shown.at(-1);
    if (last !== undefined && Buffer.compare(last.frame, frame) === 0) last.delayCs += delayCs;
    else shown.push({ frame, delayCs });
  }
  return shown;
}

/**
 * Keeps the frame as a viewer sees it. Each call takes the next frame and returns the indexes to encode, which are
 * valid until the next call.
 */
function createScreen(
  map: ColorMap,
  widthPx: number,
  heightPx: number,
  { tolerance, dither }: GifStep,
  transparentIndex: number,
): (rgba: Uint8Array) => Uint8Array {
  const pixels = widthPx * heightPx;
  const shown = new Uint8Array(pixels);
  const indexes = new Uint8Array(pixels);
  const { palette } = map;
  const limit = colorDistance(tolerance, tolerance, tolerance);
  const exact = colorDistance(EXACT, EXACT, EXACT);
  const noises = BAYER_8.map((rank) => Math.round(((rank + 0.5) / 64 - 0.5) * 2 * dither));
  let isFirst = true;
  return (rgba) => {
    for (let i = 0, at = 0; i < pixels; i++, at += 4) {
      const r = rgba[at]!;
      const g = rgba[at + 1]!;
      const b = rgba[at + 2]!;
      let nearest = map.nearest(r, g, b);
      if (dither > 0 && distanceTo(palette[nearest]!, r, g, b) > exact) {
        const noise = noises[((i / widthPx) & 7) * 8 + ((i % widthPx) & 7)]!;
        nearest = map.nearest(clamp(r + noise), clamp(g + noise), clamp(b + noise));
      }
      if (!isFirst) {
        const current = shown[i]!;
        const isCloseEnough = current === nearest || distanceTo(palette[current]!, r, g, b) <= limit;
        if (isCloseEnough) {
          indexes[i] = transparentIndex;
          continue;
        }
      }
      shown[i] = nearest;
      indexes[i] = nearest;
    }
    isFirst = false;
    return indexes;
  };
}

function distanceTo(color: readonly [number, number, number], r: number, g: number, b: number): number {
  return colorDistance(r - color[0], g - color[1], b - color[2]);
}

function clamp(value: number): number {
  return Math.min(255, Math.max(0, value));
}

/** Ranks 0 to 63, row by row, in Bayer's order (1973): any number of the lowest ranks is spread evenly. */
const BAYER_8: readonly number[] = Array.from({ length: 64 }, (_, i) => {
  const x = i & 7;
  const y = i >> 3;
  let rank = 0;
  for (let bit = 0; bit < 3; bit++) {
    const xBit = (x >> bit) & 1;
    const yBit = (y >> bit) & 1;
    rank = (rank << 2) | ((xBit ^ yBit) << 1) | yBit;
  }
  return rank;
});
