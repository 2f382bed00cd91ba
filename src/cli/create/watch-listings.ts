/**
 * `create --watch`: renders, waits until a file that the videos depend on changes, and renders again.
 *
 * Files are looked at every half second instead of waiting for the system's own notices: those do not come from network
 * drives and the folders of containers, and differ with every editor's way of saving.
 */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { printError, toListingVideoError, usageError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { INTERRUPTED_EXIT_CODE } from '../interrupts.ts';
import { collectInputs } from '../listings/collect-inputs.ts';
import { shortestPath } from '../tasks/run-task.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { watchedFiles } from './watched-files.ts';

const CHECK_INTERVAL_MS = 500;
/** A file that is being written is left alone until it has been the same for so long. */
const SETTLE_MS = 200;

/** What a file looked like: its time and size, or that it was not there. */
type Look = ReadonlyMap<string, string>;

/**
 * @param render - One run of `create`.
 * @returns 0 when it was ended while waiting, 130 while rendering.
 * @throws What keeps the first run from being started at all, and what is wrong with the environment.
 */
export async function watchVideos(
  run: CommandRun,
  render: (run: CommandRun) => Promise<number>,
): Promise<number> {
  if (run.args.includes('-'))
    throw usageError('--watch needs files, and - is stdin', 'name the listing file');
  if (run.output.json) throw usageError('--watch is for people: it goes without --json', 'leave out --json');
  await requireInputs(run);
  for (;;) {
    const files = await watchedFiles(run);
    const seen = await lookAt(files);
    try {
      await render(run);
    } catch (thrown) {
      const error = toListingVideoError(thrown);
      if (run.signal.aborted) return INTERRUPTED_EXIT_CODE;
      if (error.exitCode === 3 || error.code === 'usage') throw error;
      printError(run.terminal, error, run.output);
    }
    if (run.signal.aborted) return INTERRUPTED_EXIT_CODE;
    run.info(`watching ${files.length} file${files.length === 1 ? '' : 's'}; Ctrl-C ends`);
    const changed = await nextChange(files, seen, run);
    if (changed === null) return 0;
    const { cwd } = await run.host.machine();
    const names = changed.slice(0, 3).map((file) => escapeText(shortestPath(file, cwd)));
    run.info(`changed: ${names.join(', ')}${changed.length > 3 ? ` and ${changed.length - 3} more` : ''}`);
  }
}

/** A word that stands for no file at all is a slip of the pen, not an edit to wait for. */
async function requireInputs(run: CommandRun): Promise<void> {
  const { cwd } = await run.host.machine();
  const inputs = await collectInputs(run.args, cwd);
  if (inputs.some(({ problem }) => problem === null)) return;
  throw usageError(`nothing to watch: ${inputs[0]!.name}: ${inputs[0]!.problem}`, 'name the listing file');
}

/** The files that have changed, once they have settled; null when the command is interrupted. */
async function nextChange(files: readonly string[], seen: Look, run: CommandRun): Promise<string[] | null> {
  const { nowMs, delay } = run.host;
  try {
    let look = await lookAt(files);
    while (differences(seen, look).length === 0) {
      const startMs = nowMs();
      look = await lookAt(files);
      // Looking at thousands of files takes its time: it may be a tenth of all.
      if (differences(seen, look).length === 0)
        await delay(Math.max(CHECK_INTERVAL_MS, 9 * (nowMs() - startMs)), run.signal);
      run.signal.throwIfAborted();
    }
    for (;;) {
      await delay(SETTLE_MS, run.signal);
      const later = await lookAt(files);
      if (differences(look, later).length === 0) return differences(seen, later);
      look = later;
    }
  } catch (error) {
    if (run.signal.aborted) return null;
    throw error;
  }
}

async function lookAt(files: readonly string[]): Promise<Look> {
  const looks = await Promise.all(
    files.map(async (file): Promise<[string, string]> => {
      const found = await stat(file).catch(() => null);
      return [file, found === null ? 'absent' : `${found.mtimeMs} ${found.size} ${found.ino}`];
    }),
  );
  return new Map(looks);
}

function differences(before: Look, after: Look): string[] {
  return [...after].flatMap(([file, look]) => (before.get(file) === look ? [] : [path.normalize(file)]));
}
