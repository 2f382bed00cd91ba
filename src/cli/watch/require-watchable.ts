/** What `--watch` cannot watch, before anything is done. */
import { usageError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { collectInputs } from '../listings/collect-inputs.ts';

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
