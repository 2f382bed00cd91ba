/**
 * Looks at photos on this machine before a listing exists: thumbnails, what is wrong with a photo, a guess at the
 * opening.
 */
import { isSameImage } from '../../media/assets/duplicate.ts';
import { lookOf } from '../../media/assets/picture-look.ts';
import { readThumbnails, type Thumbnail } from '../../media/assets/read-thumbnails.ts';
import { openWorkFolder } from '../work-folder.ts';
import { guessOpening, outsideScore } from './outside-score.ts';

export interface SeenPhoto {
  /** Absolute. */
  readonly file: string;
  /** Null: it cannot be used. */
  readonly thumbnail: Thumbnail | null;
  /** Why it cannot be used, `<code>: <detail>`; null when it can. */
  readonly problem: string | null;
  /** Above 0: it looks like a view of the outside. Null without a thumbnail. */
  readonly outside: number | null;
}

export interface LookOptions {
  /** The data folder, absolute; a temporary folder is made in it and removed. */
  readonly home: string;
  readonly signal: AbortSignal;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * @param files - Absolute; the result has their order.
 * @throws {@link ListingVideoError} `store_unwritable`, `disk_full`, `internal_error`; the signal's reason.
 */
export async function lookAtPhotos(files: readonly string[], options: LookOptions): Promise<SeenPhoto[]> {
  const { signal, onProgress } = options;
  const folder = await openWorkFolder(options.home);
  try {
    const results = await readThumbnails({ files, workDir: folder.path, signal, onProgress });
    return results.map((result, index): SeenPhoto => {
      const file = files[index]!;
      if (result instanceof Error) return { file, thumbnail: null, problem: result.message, outside: null };
      return { file, thumbnail: result, problem: null, outside: outsideScore(result) };
    });
  } finally {
    await folder.close();
  }
}

/** The file to propose as the opening, or null; see {@link guessOpening}. @param photos - In the order of the video. */
export function openingOf(photos: readonly SeenPhoto[]): string | null {
  const index = guessOpening(photos.map(({ outside }) => outside));
  return index === null ? null : photos[index]!.file;
}

/** What is known of photos before anything is rendered. Files are absolute. */
export interface PhotoImpressions {
  /** A guess; null where no photo looks like one. */
  readonly opening: string | null;
  /** Files with why a video cannot use them. */
  readonly unusable: ReadonlyMap<string, string>;
  /**
   * Files with an earlier one that looks the same. A render leaves them out if it finds no difference in their details
   * either.
   */
  readonly copies: ReadonlyMap<string, string>;
  /** Files that look like floor plans; a render guesses by the same measures. */
  readonly floorPlans: readonly string[];
}

export function impressionsOf(photos: readonly SeenPhoto[]): PhotoImpressions {
  const unusable = photos.flatMap(({ file, problem }) =>
    problem === null ? [] : [[file, problem] as const],
  );
  const copies = new Map<string, string>();
  for (const [index, { file, thumbnail }] of photos.entries()) {
    const twin = photos
      .slice(0, index)
      .find((each) => !copies.has(each.file) && isTwin(each.thumbnail, thumbnail));
    if (twin !== undefined) copies.set(file, twin.file);
  }
  const floorPlans = photos.filter(({ thumbnail }) => isPlan(thumbnail)).map(({ file }) => file);
  return { opening: openingOf(photos), unusable: new Map(unusable), copies, floorPlans };
}

function isTwin(a: Thumbnail | null, b: Thumbnail | null): boolean {
  return a !== null && b !== null && isSameImage(a.print, b.print);
}

function isPlan(thumbnail: Thumbnail | null): boolean {
  return thumbnail !== null && lookOf({ ...thumbnail, data: thumbnail.rgb, channels: 3 }) === 'floor_plan';
}
