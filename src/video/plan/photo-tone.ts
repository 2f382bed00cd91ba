/** How light a photo is, measured from its decoded pixels for `grade`. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { Photo } from '../../design/photo.ts';
import type { PhotoTone } from '../../design/storyboard/grade-photos.ts';

const BLACK = 16;
const WHITE = 235;
/** One in so many pixels counts, along each axis. */
const STEP = 8;
/** Shares of the pixels that are left out at either end: light sources, windows, black screens. */
const OUTLIERS = 0.1;

/**
 * A meter for one run that measures each photo once. It reads synchronously, like the light meter beside it: planning
 * is one synchronous step.
 *
 * @returns Undefined for a photo whose pixels cannot be read.
 */
export function createToneMeter(): (photo: Photo) => PhotoTone | undefined {
  const known = new Map<string, PhotoTone | undefined>();
  return (photo) => {
    if (!known.has(photo.digest)) known.set(photo.digest, readTone(photo));
    return known.get(photo.digest);
  };
}

function readTone({ masterPath, widthPx, heightPx }: Photo): PhotoTone | undefined {
  let file: number;
  try {
    file = openSync(masterPath, 'r');
  } catch {
    return undefined;
  }
  const line = Buffer.alloc(widthPx);
  const counts = new Uint32Array(256);
  let total = 0;
  try {
    for (let row = 0; row < heightPx; row += STEP) {
      if (readSync(file, line, 0, widthPx, row * widthPx) < widthPx) return undefined;
      for (let x = 0; x < widthPx; x += STEP) counts[line[x]!]! += 1;
      total += Math.ceil(widthPx / STEP);
    }
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
  return { stops: middleStops(counts, total) };
}

/** Mean of the lumas between the outliers, as stops below white: gamma 2.2. */
function middleStops(counts: Uint32Array, total: number): number {
  const [from, to] = [OUTLIERS * total, (1 - OUTLIERS) * total];
  let [seen, sum] = [0, 0];
  for (let level = 0; level < 256; level++) {
    const count = counts[level]!;
    const inside = Math.max(0, Math.min(seen + count, to) - Math.max(seen, from));
    sum += inside * Math.max(0, Math.min(1, (level - BLACK) / (WHITE - BLACK)));
    seen += count;
  }
  return 2.2 * Math.log2(Math.max(0.01, sum / (to - from)));
}
