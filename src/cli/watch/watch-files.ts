/**
 * Works, waits until a file that the work depends on changes, and works again.
 *
 * It checks the files every half second. The system's own events do not come from network drives and container
 * folders, and differ with every editor's way of saving.
 */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { printError, toListingVideoError, usageError } from '../cli-error.ts';
import type { CliHost, CommandRun, OutputOptions } from '../command-run.ts';
import { collectInputs } from '../listings/collect-inputs.ts';
import type { ReadContext } from '../listings/read-listing.ts';
import { shortestPath } from '../tasks/log-task.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { INTERRUPTED_EXIT_CODE } from '../terminal/interrupts.ts';

const CHECK_INTERVAL_MS = 500;
/** A changed file must stay the same this long: an editor could still be writing it. */
const SETTLE_MS = 200;

/** Per file its time, size and inode, or `absent`. */
type Snapshot = ReadonlyMap<string, string>;

type WatchHost = Pick<CommandRun, 'terminal' | 'output' | 'signal'> & {
  readonly host: Pick<CliHost, 'machine' | 'nowMs' | 'delay'>;
};

/**
 * @param words - Of listings.
 * @throws ListingVideoError `usage` for stdin, which does not change; for `--json`, which prints one document; and
 * for a word without any file, which is a typing error, not a file to wait for.
 */
export async function requireWatchable(
  words: readonly string[],
  { cwd, untrusted }: Pick<ReadContext, 'cwd' | 'untrusted'>,
  { json }: OutputOptions,
): Promise<void> {
  if (words.includes('-')) throw usageError('--watch cannot read stdin', 'name a listing file');
  if (json) throw usageError('--watch cannot be combined with --json', 'leave out --json');
  const inputs = await collectInputs(words, cwd, { untrusted });
  if (inputs.length === 0 || inputs.some(({ problem }) => problem === null)) return;
  throw usageError(`nothing to watch: ${inputs[0]!.name}: ${inputs[0]!.problem}`, 'name the listing file');
}

export interface Watch {
  /** The files that the work depends on, absolute; asked again before each work. A missing file can appear. */
  readonly files: () => Promise<readonly string[]>;
  /** @param changed - The files that changed, as people read them: `a.json, b.json and 3 more`; null the first time. */
  readonly work: (changed: string | null) => Promise<unknown>;
  /** Called before each wait, with the number of files. */
  readonly onWait: (fileCount: number) => void;
}

/**
 * An error of the work is printed, and the watch continues: a file can be half written, and then changes.
 *
 * @returns 0 when it was stopped while waiting, 130 while working.
 * @throws ListingVideoError For faults of this machine, and the first time for a wrong command line.
 */
export async function watchFiles(
  { files, work, onWait }: Watch,
  { terminal, output, signal, host }: WatchHost,
): Promise<number> {
  let changed: string | null = null;
  for (;;) {
    const watched = await files();
    const before = await takeSnapshot(watched);
    try {
      await work(changed);
    } catch (thrown) {
      const error = toListingVideoError(thrown);
      if (signal.aborted) return INTERRUPTED_EXIT_CODE;
      if (error.exitCode === 3 || (error.code === 'usage' && changed === null)) throw error;
      await printError(terminal, error, output);
    }
    if (signal.aborted) return INTERRUPTED_EXIT_CODE;
    onWait(watched.length);
    const names = await nextChange(watched, before, host, signal);
    if (names === null) return 0;
    const { cwd } = await host.machine();
    const shown = names.slice(0, 3).map((file) => escapeText(shortestPath(file, cwd)));
    changed = `${shown.join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`;
  }
}

export function logWatching({ info }: Pick<CommandRun, 'info'>, fileCount: number): void {
  info(`watching ${fileCount} file${fileCount === 1 ? '' : 's'}; press Ctrl-C to stop`);
}

/** The changed files, once they stay the same; null when the command is interrupted. */
async function nextChange(
  files: readonly string[],
  before: Snapshot,
  { nowMs, delay }: Pick<CliHost, 'nowMs' | 'delay'>,
  signal: AbortSignal,
): Promise<string[] | null> {
  try {
    let now = await takeSnapshot(files);
    while (differences(before, now).length === 0) {
      const startMs = nowMs();
      now = await takeSnapshot(files);
      // Checking thousands of files takes long: it gets at most a tenth of the time.
      if (differences(before, now).length === 0)
        await delay(Math.max(CHECK_INTERVAL_MS, 9 * (nowMs() - startMs)), signal);
      signal.throwIfAborted();
    }
    for (;;) {
      await delay(SETTLE_MS, signal);
      const later = await takeSnapshot(files);
      if (differences(now, later).length === 0) return differences(before, later);
      now = later;
    }
  } catch (error) {
    if (signal.aborted) return null;
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
