/**
 * Looks at photos on this machine before a listing exists: thumbnails, what is wrong with a photo, a guess at the
 * opening.
 */
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
