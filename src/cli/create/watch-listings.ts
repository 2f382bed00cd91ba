/** `create --watch`: renders again whenever a file that the videos depend on changes. */
import type { CommandRun } from '../command-run.ts';
import { requireWatchable } from '../watch/require-watchable.ts';
import { logWatching, watchFiles } from '../watch/watch-files.ts';
import { watchedFiles } from '../watch/watched-files.ts';

/**
 * @param render - One run of `create`.
 * @returns 0 when it was stopped while waiting, 130 while rendering.
 * @throws ListingVideoError For a wrong command line and for faults of this machine.
 */
export async function watchListings(run: CommandRun, render: () => Promise<number>): Promise<number> {
  await requireWatchable(run, run.args);
  return watchFiles(run, {
    files: () => watchedFiles(run),
    work: (changed) => {
      if (changed !== null) run.info(`changed: ${changed}`);
      return render();
    },
    onWait: (count) => logWatching(run, count),
  });
}
