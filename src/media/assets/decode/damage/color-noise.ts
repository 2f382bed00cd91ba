/**
 * Finds the row from which a picture is noise in all colors. Pure.
 *
 * A lossless WebP has no checksum, and after damage its codes fall into step again, so that it ends where its data
 * ends. But each value is a difference, and an overflow of one channel alone leaves red beside green beside blue.
 */

/** One channel gets brighter and another one darker by this, from a pixel to the next. Photos hardly have any. */
const LEVELS = 96;
const BAND_PX = 16;
/** Of the pixels of a band: where noise begins, and what is above it at most. */
const NOISY = 0.001;
const CLEAN = 0.0002;
/** In noise each of the six ways (red to green, red to blue, …) has a tenth or more. */
const MIN_WAY = 0.04;
/** In noise most steps are unlike all others, and unlike the one above. Charts, maps and letters repeat theirs. */
const MIN_DIFFERENT = 0.25;
const MAX_REPEATED = 0.2;
const MIN_STEPS = 80;

/** @param channels - Red, green and blue come first. */
export function endsInColorNoise(
  data: Uint8Array,
  widthPx: number,
  heightPx: number,
  channels: 3 | 4,
): boolean {
  const bands = new Uint32Array(Math.ceil(heightPx / BAND_PX));
  const ways = new Uint32Array(6);
  const different = new Set<number>();
  let repeated = 0;
  const row = widthPx * channels;
  for (let y = 1; y < heightPx; y += 1) {
    for (let at = y * row + channels; at < (y + 1) * row; at += channels) {
      const red = data[at]! - data[at - channels]!;
      const green = data[at + 1]! - data[at + 1 - channels]!;
      const blue = data[at + 2]! - data[at + 2 - channels]!;
      const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
      if (most < LEVELS || least > -LEVELS) continue;
      bands[Math.floor(y / BAND_PX)]! += 1;
      const [up, down] = [[red, green, blue].indexOf(most), [red, green, blue].indexOf(least)];
      ways[2 * up + (down > up ? down - 1 : down)]! += 1;
      let step = 0;
      let isRepeated = true;
      for (let index = 0; index < 3; index += 1) {
        const [before, here] = [at + index - channels, at + index];
        step = (step << 8) | (data[before]! & 0xf0) | (data[here]! >> 4);
        isRepeated &&= data[before] === data[before - row] && data[here] === data[here - row];
      }
      different.add(step);
      if (isRepeated) repeated += 1;
    }
  }
  const steps = ways.reduce((sum, count) => sum + count, 0);
  const start = bands.findIndex((count) => count >= NOISY * BAND_PX * widthPx);
  return (
    steps >= MIN_STEPS &&
    start > 0 &&
    bands.subarray(0, start - 1).every((count) => count <= CLEAN * BAND_PX * widthPx) &&
    ways.every((count) => count >= MIN_WAY * steps) &&
    different.size >= MIN_DIFFERENT * steps &&
    repeated <= MAX_REPEATED * steps
  );
}
