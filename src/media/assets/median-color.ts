/** The median color of a logo, for checking its contrast with the background. Pure. */

/** IEC 61966-2-1: a byte to linear light, 0 to 1. */
const LINEAR = Float64Array.from({ length: 256 }, (_, byte) => {
  const encoded = byte / 255;
  return encoded <= 0.04045 ? encoded / 12.92 : ((encoded + 0.055) / 1.055) ** 2.4;
});
const STEPS = 256;

/**
 * Half of the visible area, weighted by alpha, is not lighter and half is not darker. A mean would mislead: a dark
 * wordmark with a small white sign has a gray mean, which is visible on black although the words are not.
 *
 * @param rgba - sRGB with straight alpha, 4 bytes a pixel.
 * @returns `#RRGGBB`; null when nothing is visible, and when nothing is transparent: an opaque logo has its own
 *   background, and a plate behind it would not help.
 */
export function toMedianColor(rgba: Uint8Array): string | null {
  // Per lightness step: the sum of alpha, and of the three channels weighted with alpha.
  const weights = new Float64Array(STEPS);
  const sums = new Float64Array(STEPS * 3);
  let total = 0;
  for (let at = 0; at + 3 < rgba.length; at += 4) {
    const alpha = rgba[at + 3]!;
    if (alpha === 0) continue;
    const step = lightnessStep(rgba[at]!, rgba[at + 1]!, rgba[at + 2]!);
    total += alpha;
    weights[step]! += alpha;
    for (let channel = 0; channel < 3; channel += 1) sums[step * 3 + channel]! += alpha * rgba[at + channel]!;
  }
  if (total === 0 || total === 255 * Math.floor(rgba.length / 4)) return null;
  let step = 0;
  for (let below = weights[0]!; below < total / 2; below += weights[step]!) step += 1;
  const channels = [0, 1, 2].map((channel) => toHexByte(sums[step * 3 + channel]! / weights[step]!));
  return `#${channels.join('')}`;
}

/** CIE 1976 lightness, 0 to 255, which is perceptually uniform. */
function lightnessStep(red: number, green: number, blue: number): number {
  const luminance = 0.2126 * LINEAR[red]! + 0.7152 * LINEAR[green]! + 0.0722 * LINEAR[blue]!;
  const lightness = luminance <= 216 / 24389 ? (luminance * 24389) / 27 : 116 * Math.cbrt(luminance) - 16;
  return Math.min(STEPS - 1, Math.round((lightness / 100) * (STEPS - 1)));
}

function toHexByte(value: number): string {
  return Math.round(value).toString(16).toUpperCase().padStart(2, '0');
}
