/** Looks at the photos of `init` before its questions: which could open the video, are copies, or cannot be used. */
import path from 'node:path';
import type { PhotoImpressions } from '../../video/photos/look-at-photos.ts';
import type { CommandRun } from '../command-run.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { messageWrapper } from '../terminal/message-wrapper.ts';
import { withProgress } from '../terminal/progress-view.ts';
import { shellWord } from '../terminal/shell-word.ts';
import type { GivenAnswers } from './answers.ts';

/** Looks at the same photos once, however often the questions about them are asked. */
export function lookOnce(run: CommandRun): (files: readonly string[]) => Promise<PhotoImpressions> {
  const seen = new Map<string, Promise<PhotoImpressions>>();
  return (files) => {
    const key = files.join('\n');
    const known = seen.get(key) ?? lookAtPhotos(run, files);
    seen.set(key, known);
    return known;
  };
}

/** A silent run keeps the order by name: a guess must not decide unseen. Programs (`--json`) do not pay for a hint. */
export async function hintAtOpening(
  run: CommandRun,
  photos: readonly string[],
  { photo, order, first }: GivenAnswers,
): Promise<void> {
  if (run.output.quiet || run.output.json || (photo ?? order ?? first) !== undefined) return;
  const { opening } = await lookAtPhotos(run, photos);
  if (opening === null) return;
  const name = path.basename(opening);
  const option = escapeText(`--first ${shellWord(name)}`);
  const hint = `${escapeText(name)} looks like a view of the outside; add ${option} to open with it`;
  (await messageWrapper(run.terminal))('hint: ', hint).forEach(run.info);
}

/** A guess is a help: where photos cannot be looked at, the questions go on. */
async function lookAtPhotos(run: CommandRun, files: readonly string[]): Promise<PhotoImpressions> {
  const { impressionsOf, lookAtPhotos: look } = await import('../../video/photos/look-at-photos.ts');
  const { terminal, output, signal } = run;
  const { home } = await run.settings();
  const wrap = await messageWrapper(terminal);
  try {
    const photos = await withProgress(terminal, 'photos', output.quiet || !terminal.canAnimate, (report) =>
      look(files, {
        home,
        signal,
        onProgress: (done, total) =>
          report({ percent: (100 * done) / total, stage: 'assets', etaSeconds: null }),
      }),
    );
    const impressions = impressionsOf(photos);
    for (const [copy, twin] of impressions.copies) {
      const [name, other] = [copy, twin].map((place) => escapeText(path.basename(place)));
      wrap('hint: ', `${name} looks like a copy of ${other}; videos leave out copies`).forEach(run.info);
    }
    return impressions;
  } catch (error) {
    signal.throwIfAborted();
    if (output.verbose) run.info(`the photos cannot be looked at: ${String(error)}`);
    return { opening: null, unusable: new Map(), copies: new Map(), floorPlans: [] };
  }
}
