/** How light and how warm a photo is, measured from its decoded pixels for `grade`. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { Photo } from '../../design/photo.ts';
import type { PhotoTone } from '../../design/storyboard/grade-photos.ts';

const BLACK = 16;
const WHITE = 235;
/** One in so many chroma pixels counts, along each axis. */
const STEP = 4;
/** Nearly gray: chroma within this of neutral, at a luma where color is reliable. */
const NEUTRAL_CHROMA = 22;
const NEUTRAL_LUMA = [80, 222] as const;
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
  const [width, height] = [widthPx / 2, heightPx / 2];
  const luma = Buffer.alloc(widthPx);
  const [u, v] = [Buffer.alloc(width), Buffer.alloc(width)];
  const counts = new Uint32Array(256);
  const blues = new Uint32Array(256);
  const reds = new Uint32Array(256);
  let [total, neutral] = [0, 0];
  try {
    for (let row = 0; row < height; row += STEP) {
      const chromaAt = widthPx * heightPx + row * width;
      if (readSync(file, luma, 0, widthPx, 2 * row * widthPx) < widthPx) return undefined;
      if (readSync(file, u, 0, width, chromaAt) < width) return undefined;
      if (readSync(file, v, 0, width, chromaAt + width * height) < width) return undefined;
      for (let x = 0; x < width; x += STEP) {
        const y = luma[2 * x]!;
        const blue = u[x]!;
        const red = v[x]!;
        counts[y]! += 1;
        total += 1;
        if (y < NEUTRAL_LUMA[0] || y > NEUTRAL_LUMA[1]) continue;
        if ((blue - 128) ** 2 + (red - 128) ** 2 > NEUTRAL_CHROMA * NEUTRAL_CHROMA) continue;
        neutral += 1;
        // As far from gray as it would be at white.
        const scale = (WHITE - BLACK) / (y - BLACK);
        blues[toBin((blue - 128) * scale)]! += 1;
        reds[toBin((red - 128) * scale)]! += 1;
      }
    }
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
  return {
    stops: middleStops(counts, total),
    blue: neutral === 0 ? 0 : (BLUE_GAIN * (medianBin(blues, neutral) - 128)) / 2,
    red: neutral === 0 ? 0 : (RED_GAIN * (medianBin(reds, neutral) - 128)) / 2,
    neutralShare: neutral / total,
  };
}

/** BT.709: the gain of a channel that moves a white pixel's chroma by one level. */
const BLUE_GAIN = 1.8556 / 224;
const RED_GAIN = 1.5748 / 224;

/** Half levels. */
function toBin(level: number): number {
  return Math.max(0, Math.min(255, Math.round(2 * level) + 128));
}

function medianBin(counts: Uint32Array, total: number): number {
  let below = 0;
  for (let bin = 0; bin < counts.length; bin++) {
    below += counts[bin]!;
    if (2 * below >= total) return bin;
  }
  return 128;
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
