/** Looks at the photos of a folder and shows them: a numbered sheet as PNG, also in the terminal where it shows images. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errnoOf } from '../../platform/disk/disk-error.ts';
import type { SeenPhoto } from '../../video/photos/look-at-photos.ts';
import type { CommandRun } from '../command-run.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { createSpinner, fitBesideSpinner } from '../terminal/progress-view.ts';
import { showImages } from '../terminal/show-posters.ts';

/** What the photos show. */
export interface PhotoImpressions {
  /** A guess at the opening; null when there is none. */
  readonly opening: string | null;
  /** Photos that a video cannot use. */
  readonly unusable: ReadonlySet<string>;
}

/** Looks at photos for the questions about them, and shows them. */
export interface PhotoViewer {
  /** @param files - Absolute, in the order of the video. Nothing is found out where nothing can be decoded. */
  look(files: readonly string[]): Promise<PhotoImpressions>;
  /** Shows the sheet, once for the same files. */
  showSheet(files: readonly string[]): Promise<void>;
  /** Removes the sheet. */
  close(): Promise<void>;
}

/** Large enough to recognise a room in a row of five. */
const INLINE_BOX_PX = { widthPx: 960, heightPx: 900 };

/**
 * @param listingFile - Absolute; the sheet lies beside it.
 * @param onPrint - Called before lines or images are printed.
 */
export function openPhotoViewer(run: CommandRun, listingFile: string, onPrint: () => void): PhotoViewer {
  const seen = new Map<string, Promise<SeenPhoto[]>>();
  let shown = '';
  let sheet: string | null = null;
  const lookAt = (files: readonly string[]): Promise<SeenPhoto[]> => {
    const key = files.join('\0');
    const looking = seen.get(key) ?? look(run, files);
    seen.set(key, looking);
    return looking;
  };
  const removeSheet = async (): Promise<void> => {
    if (sheet !== null) await rm(sheet, { force: true }).catch(() => {});
    sheet = null;
  };
  return {
    look: async (files) => {
      const photos = await lookAt(files);
      if (photos.length === 0) return { opening: null, unusable: new Set() };
      const { openingOf } = await import('../../video/photos/look-at-photos.ts');
      const unusable = photos.filter(({ problem }) => problem !== null).map(({ file }) => file);
      return { opening: openingOf(photos), unusable: new Set(unusable) };
    },
    showSheet: async (files) => {
      if (shown === files.join('\0')) return;
      shown = files.join('\0');
      const photos = await lookAt(files);
      onPrint();
      for (const { file, problem } of photos) {
        if (problem !== null)
          run.info(`${escapeText(path.basename(file))} cannot be used: ${escapeText(problem)}`);
      }
      if (!photos.some(({ thumbnail }) => thumbnail !== null)) return;
      await removeSheet();
      sheet = await writeSheet(photos, listingFile);
      if (sheet === null) return;
      await showImages(run, [sheet], INLINE_BOX_PX);
      const { cwd } = await run.host.machine();
      run.info(`numbered photos: ${escapeText(path.relative(cwd, sheet))}`);
    },
    close: removeSheet,
  };
}

/** Guesses and sheets are a help: where they cannot be made, the questions go on. */
async function look(run: CommandRun, files: readonly string[]): Promise<SeenPhoto[]> {
  const { lookAtPhotos } = await import('../../video/photos/look-at-photos.ts');
  const spinner = run.terminal.canAnimate && !run.output.quiet ? await createSpinner(run.terminal) : null;
  const say = (done: number, total: number): string =>
    fitBesideSpinner(`looking at the photos, ${done} of ${total}`, run.terminal);
  spinner?.start(say(0, files.length));
  try {
    return await lookAtPhotos(files, {
      home: (await run.settings()).home,
      signal: run.signal,
      onProgress: (done, total) => {
        if (spinner !== null) spinner.text = say(done, total);
      },
    });
  } catch (error) {
    run.signal.throwIfAborted();
    if (run.output.verbose) run.info(`the photos cannot be looked at: ${String(error)}`);
    return [];
  } finally {
    spinner?.stop();
  }
}

/** `listing.photos.png` beside the listing, or `listing.photos-2.png`: files of the user stay. Null when it cannot be written. */
async function writeSheet(photos: readonly SeenPhoto[], listingFile: string): Promise<string | null> {
  const { makePhotoSheet } = await import('../../video/photos/photo-sheet.ts');
  const png = await makePhotoSheet(
    photos.map((photo, index) => ({ photo, number: index + 1, name: escapeText(path.basename(photo.file)) })),
  );
  const base = listingFile.replace(/\.json$/i, '');
  for (let number = 1; number <= MAX_SHEETS; number += 1) {
    const file = `${base}.photos${number === 1 ? '' : `-${number}`}.png`;
    try {
      await mkdir(path.dirname(base), { recursive: true });
      await writeFile(file, png, { flag: 'wx' });
      return file;
    } catch (error) {
      // A folder that cannot be written is reported before the first question.
      if (errnoOf(error) !== 'EEXIST') return null;
    }
  }
  return null;
}

/** Sheets that lie there already are those of processes that were killed. */
const MAX_SHEETS = 20;
