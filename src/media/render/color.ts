/** Converts colors between sRGB and BT.709 limited range, the format of every plane. */
import type { Color } from '../../design/storyboard/storyboard.ts';

/** BT.709 limited range, 8 bit: `y` 16 to 235, `u` and `v` 16 to 240 around 128. */
export interface YuvColor {
  readonly y: number;
  readonly u: number;
  readonly v: number;
}

/** Luma coefficients, ITU-R BT.709-6, item 3.2. */
const KR = 0.2126;
const KB = 0.0722;

/**
 * A `#RRGGBB` color in YUV. R'G'B' is taken as it is: sRGB and BT.709 share primaries, and players show the same
 * values.
 */
export function toYuv(color: Color): YuvColor {
  const rgb = Number.parseInt(color.slice(1), 16);
  return rgbToYuv(rgb >> 16, (rgb >> 8) & 255, rgb & 255);
}

/** Channels 0 to 255. */
export function rgbToYuv(red: number, green: number, blue: number): YuvColor {
  const luma = KR * red + (1 - KR - KB) * green + KB * blue;
  return {
    y: Math.round(16 + (219 / 255) * luma),
    u: Math.round(128 + (224 / 255) * ((blue - luma) / (2 * (1 - KB)))),
    v: Math.round(128 + (224 / 255) * ((red - luma) / (2 * (1 - KR)))),
  };
}

/** Writes one opaque RGBA pixel; values out of gamut are clipped. */
export function writeRgba(target: Uint8ClampedArray, at: number, y: number, u: number, v: number): void {
  const luma = (255 / 219) * (y - 16);
  const blue = (255 / 224) * 2 * (1 - KB) * (u - 128);
  const red = (255 / 224) * 2 * (1 - KR) * (v - 128);
  target[at] = luma + red;
  target[at + 1] = luma - (KB * blue + KR * red) / (1 - KR - KB);
  target[at + 2] = luma + blue;
  target[at + 3] = 255;
}
