/**
 * `create --watch`: renders, waits until a file that the videos depend on changes, and renders again.
 *
 * It checks the files every half second. The system's own events do not come from network drives and container folders,
 * and differ with every editor's way of saving.
 */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { printError, toListingVideoError, usageError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { collectInputs } from '../listings/collect-inputs.ts';
import { shortestPath } from '../tasks/log-task.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { INTERRUPTED_EXIT_CODE } from '../terminal/interrupts.ts';
import { watchedFiles } from './watched-files.ts';

const CHECK_INTERVAL_MS = 500;
/** A changed file must stay the same this long: an editor could still be writing it. */
const SETTLE_MS = 200;

/** Per file its time, size and inode, or `absent`. */
type Snapshot = ReadonlyMap<string, string>;

/**
 * @param render - One run of `create`.
 * @returns 0 when it was stopped while waiting, 130 while rendering.
 * @throws ListingVideoError For a wrong command line and for faults of this machine.
 */
export async function watchListings(run: CommandRun, render: () => Promise<number>): Promise<number> {
  if (run.args.includes('-')) throw usageError('--watch cannot read stdin', 'name a listing file');
  if (run.output.json) throw usageError('--watch cannot be combined with --json', 'leave out --json');
  await requireInputs(run);
  for (;;) {
    const files = await watchedFiles(run);
    const before = await takeSnapshot(files);
    try {
      await render();
    } catch (thrown) {
      const error = toListingVideoError(thrown);
      if (run.signal.aborted) return INTERRUPTED_EXIT_CODE;
      if (error.exitCode === 3 || error.code === 'usage') throw error;
      printError(run.terminal, error, run.output);
    }
    if (run.signal.aborted) return INTERRUPTED_EXIT_CODE;
    run.info(`watching ${files.length} file${files.length === 1 ? '' : 's'}; press Ctrl-C to stop`);
    const changed = await nextChange(files, before, run);
    if (changed === null) return 0;
    const { cwd } = await run.host.machine();
    const names = changed.slice(0, 3).map((file) => escapeText(shortestPath(file, cwd)));
    run.info(`changed: ${names.join(', ')}${changed.length > 3 ? ` and ${changed.length - 3} more` : ''}`);
  }
}

/** A word without any file is a typing error, not a file to wait for. */
async function requireInputs(run: CommandRun): Promise<void> {
  const { cwd } = await run.host.machine();
  const inputs = await collectInputs(run.args, cwd, await run.settings());
  if (inputs.some(({ problem }) => problem === null)) return;
  throw usageError(`nothing to watch: ${inputs[0]!.name}: ${inputs[0]!.problem}`, 'name the listing file');
}

/** The changed files, once they stay the same; null when the command is interrupted. */
async function nextChange(
  files: readonly string[],
  before: Snapshot,
  run: CommandRun,
): Promise<string[] | null> {
  const { nowMs, delay } = run.host;
  try {
    let now = await takeSnapshot(files);
    while (differences(before, now).length === 0) {
      const startMs = nowMs();
      now = await takeSnapshot(files);
      // Checking thousands of files takes long: it gets at most a tenth of the time.
      if (differences(before, now).length === 0)
        await delay(Math.max(CHECK_INTERVAL_MS, 9 * (nowMs() - startMs)), run.signal);
      run.signal.throwIfAborted();
    }
    for (;;) {
      await delay(SETTLE_MS, run.signal);
      const later = await takeSnapshot(files);
      if (differences(now, later).length === 0) return differences(before, later);
      now = later;
    }
  } catch (error) {
    if (run.signal.aborted) return null;
    throw error;
  }
}

async function takeSnapshot(files: readonly string[]): Promise<Snapshot> {
  const states = await Promise.all(
    files.map(async (file): Promise<[string, string]> => {
      const found = await stat(file).catch(() => null);
      return [file, found === null ? 'absent' : `${found.mtimeMs} ${found.size} ${found.ino}`];
    }),
  );
  return new Map(states);
}

function differences(before: Snapshot, after: Snapshot): string[] {
  return [...after].flatMap(([file, state]) => (before.get(file) === state ? [] : [path.normalize(file)]));
}
