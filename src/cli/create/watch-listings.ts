/** `create --watch`: renders again whenever a file that the videos depend on changes. */
import { usageError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { collectInputs } from '../listings/collect-inputs.ts';
import { watchFiles } from '../watch/watch-files.ts';
import { watchedFiles } from './watched-files.ts';

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
    onWait: (count) => run.info(`watching ${count} file${count === 1 ? '' : 's'}; press Ctrl-C to stop`),
  });
}

/**
 * @param words - Of listings.
 * @throws ListingVideoError `usage` for stdin, which does not change; for `--json`, which prints one document; and for a word
 * without any file, which is a typing error, not a file to wait for.
 */
export async function requireWatchable(run: CommandRun, words: readonly string[]): Promise<void> {
  if (words.includes('-')) throw usageError('--watch cannot read stdin', 'name a listing file');
  if (run.output.json) throw usageError('--watch cannot be combined with --json', 'leave out --json');
  const { cwd } = await run.host.machine();
  const inputs = await collectInputs(words, cwd, await run.settings());
  if (inputs.length === 0 || inputs.some(({ problem }) => problem === null)) return;
  throw usageError(`nothing to watch: ${inputs[0]!.name}: ${inputs[0]!.problem}`, 'name the listing file');
}
