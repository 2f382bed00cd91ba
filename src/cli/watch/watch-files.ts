/**
 * Works, waits until a file that the work depends on changes, and works again.
 *
 * It checks the files every half second. The system's own events do not come from network drives and container folders,
 * and differ with every editor's way of saving.
 */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { printError, toListingVideoError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { shortestPath } from '../tasks/log-task.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { INTERRUPTED_EXIT_CODE } from '../terminal/interrupts.ts';

const CHECK_INTERVAL_MS = 500;
/** A changed file must stay the same this long: an editor could still be writing it. */
const SETTLE_MS = 200;

/** Per file its time, size and inode, or `absent`. */
type Snapshot = ReadonlyMap<string, string>;

/** What is watched, and what is done. */
export interface Watch {
  /** The files that the work depends on, absolute; asked again before each work. A missing file can appear. */
  readonly files: () => Promise<readonly string[]>;
  /** @param changed - The files that changed, as people read them: `a.json, b.json and 3 more`; null the first time. */
  readonly work: (changed: string | null) => Promise<unknown>;
  /** Called before each wait, with the number of files. */
  readonly onWait: (fileCount: number) => void;
}

/**
 * An error of the work is printed, and the watch continues: a file can be half written, and the next change can fix it.
 *
 * @returns 0 when it was stopped while waiting, 130 while working.
 * @throws ListingVideoError For faults of this machine, and the first time for a wrong command line.
 */
export async function watchFiles(run: CommandRun, { files, work, onWait }: Watch): Promise<number> {
  let changed: string | null = null;
  for (;;) {
    const watched = await files();
    const before = await takeSnapshot(watched);
    try {
      await work(changed);
    } catch (thrown) {
      const error = toListingVideoError(thrown);
      if (run.signal.aborted) return INTERRUPTED_EXIT_CODE;
      if (error.exitCode === 3 || (error.code === 'usage' && changed === null)) throw error;
      await printError(run.terminal, error, run.output);
    }
    if (run.signal.aborted) return INTERRUPTED_EXIT_CODE;
    onWait(watched.length);
    const names = await nextChange(watched, before, run);
    if (names === null) return 0;
    const { cwd } = await run.host.machine();
    const shown = names.slice(0, 3).map((file) => escapeText(shortestPath(file, cwd)));
    changed = `${shown.join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`;
  }
}

/** Says what is watched, and how to stop. */
export function logWatching(run: CommandRun, fileCount: number): void {
  run.info(`watching ${fileCount} file${fileCount === 1 ? '' : 's'}; press Ctrl-C to stop`);
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
