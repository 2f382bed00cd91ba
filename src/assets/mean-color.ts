/** The colour a logo has as a whole, which its contrast with the paper is judged by. Pure. */

/** IEC 61966-2-1: a byte to linear light, 0 to 1. */
const LINEAR = Float64Array.from({ length: 256 }, (_, byte) => {
  const encoded = byte / 255;
  return encoded <= 0.04045 ? encoded / 12.92 : ((encoded + 0.055) / 1.055) ** 2.4;
});

/**
 * Mean of a cut-out picture's pixels, each weighted with its alpha, taken in linear light: contrast is a ratio of light,
 * and a mean of sRGB values would be darker than what the eye averages.
 *
 * @param rgba - sRGB with straight alpha, 4 bytes a pixel.
 * @returns `#RRGGBB`; null when nothing can be seen, and when nothing is transparent: such a picture brings a ground of
 * its own, and a plate around that ground would not make it more readable.
 */
export function toMeanColor(rgba: Uint8Array): string | null {
  const sums: [number, number, number] = [0, 0, 0];
  let weight = 0;
  for (let at = 0; at + 3 < rgba.length; at += 4) {
    const alpha = rgba[at + 3]!;
    if (alpha === 0) continue;
    weight += alpha;
    for (let channel = 0; channel < 3; channel += 1) sums[channel]! += alpha * LINEAR[rgba[at + channel]!]!;
  }
  if (weight === 0 || weight === 255 * Math.floor(rgba.length / 4)) return null;
  return `#${sums.map((sum) => toHexByte(sum / weight)).join('')}`;
}

function toHexByte(linear: number): string {
  const encoded = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
  return Math.round(encoded * 255)
    .toString(16)
    .toUpperCase()
    .padStart(2, '0');
}
