/** Applies a photo's grade to its planes, once, before its frames are drawn. */
import type { PhotoGrade } from '../../../design/storyboard/storyboard.ts';

const BLACK = 16;
const WHITE = 235;
const RANGE = WHITE - BLACK;
/** From this share of white on, a correction fades out: blown windows and lamps stay as they are. */
const FADE_FROM = 0.8;

/** What happens to pixels of each luma, 0 to 255. */
interface GradeTables {
  readonly luma: Uint8Array;
  /** Gain of chroma, so that saturation stays; then what is added to U and to V. */
  readonly gain: Float32Array;
  readonly blue: Float32Array;
  readonly red: Float32Array;
}

/** Black and white stay where they are; the middle moves by a power. */
function gradeTables({ stops, blue, red }: PhotoGrade): GradeTables {
  // A stop doubles the light of the middle gray, whose code is 1/2: (1/2)^power = 1/2 * 2^(stops / 2.2).
  const power = 1 - stops / 2.2;
  const tables = {
    luma: new Uint8Array(256),
    gain: new Float32Array(256),
    blue: new Float32Array(256),
    red: new Float32Array(256),
  };
  for (let level = 0; level < 256; level++) {
    const share = (level - BLACK) / RANGE;
    const isInside = share > 0 && share < 1;
    const graded = isInside ? share ** power : share;
    tables.luma[level] = Math.round(BLACK + RANGE * graded);
    const fade = isInside ? 1 - smooth((share - FADE_FROM) / (1 - FADE_FROM)) : 0;
    tables.gain[level] = isInside ? 1 + (Math.min(1.25, graded / share) - 1) * fade : 1;
    // BT.709: what the gain of one channel does to chroma, of a gray of this luma.
    tables.blue[level] = (blue * Math.max(0, share) * fade * 224) / 1.8556;
    tables.red[level] = (red * Math.max(0, share) * fade * 224) / 1.5748;
  }
  return tables;
}

function smooth(t: number): number {
  const s = Math.max(0, Math.min(1, t));
  return s * s * (3 - 2 * s);
}

/** Grades an I420 photo in place. Both sides are even. */
export function gradePlanes(yuv: Uint8Array, widthPx: number, heightPx: number, grade: PhotoGrade): void {
  const { luma, gain, blue, red } = gradeTables(grade);
  const [width, height] = [widthPx / 2, heightPx / 2];
  const [uAt, vAt] = [widthPx * heightPx, widthPx * heightPx + width * height];
  // Chroma first: it depends on the luma as it was.
  for (let row = 0, i = 0; row < height; row++) {
    for (let x = 0, at = 2 * row * widthPx; x < width; x++, i++, at += 2) {
      const level = (yuv[at]! + yuv[at + widthPx]! + 1) >> 1;
      const scale = gain[level]!;
      yuv[uAt + i] = clamp(128.5 + (yuv[uAt + i]! - 128) * scale + blue[level]!);
      yuv[vAt + i] = clamp(128.5 + (yuv[vAt + i]! - 128) * scale + red[level]!);
    }
  }
  for (let i = 0; i < uAt; i++) yuv[i] = luma[yuv[i]!]!;
}

function clamp(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : value;
}
