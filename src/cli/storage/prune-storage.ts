/** The work of `storage prune`. */
import { parseDurationMs } from '../../platform/settings/parse-duration.ts';
import { formatSize, parseSize } from '../../platform/settings/parse-size.ts';
import { pruneSharedCache } from '../../wiring/stores/open-storage.ts';
import { usageError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { printResult } from '../terminal/print-json.ts';

interface PruneOptions {
  readonly olderThan: string;
  readonly maxSize?: string;
  readonly dryRun?: boolean;
}

/** `storage prune`. */
export async function pruneStorage(run: CommandRun<PruneOptions>): Promise<number> {
  const { olderThan, maxSize, dryRun: isDryRun = false } = run.options;
  const spanMs = parseDurationMs(olderThan);
  if (spanMs === null)
    throw usageError(
      `--older-than: expected a time span such as 2d, found "${olderThan}"`,
      '--older-than 2d',
    );
  const maxBytes = maxSize === undefined ? Number.POSITIVE_INFINITY : parseSize(maxSize);
  if (maxBytes === null)
    throw usageError(`--max-size: expected a size such as 500GB, found "${maxSize}"`, '--max-size 500GB');
  const { home, storage } = await run.settings();
  if (storage === undefined)
    throw usageError(
      'no bucket is set',
      'set LISTING_VIDEO_STORAGE to its address, such as s3://bucket/prefix',
    );
  const { removed, freedBytes, kept, keptBytes } = await pruneSharedCache(
    { home, storage },
    { olderThanMs: run.host.nowMs() - spanMs, maxBytes, isDryRun, signal: run.signal },
  );
  const document = {
    ...{ storage, dry_run: isDryRun, removed_entries: removed, freed_bytes: freedBytes },
    ...{ kept_entries: kept, kept_bytes: keptBytes },
  };
  return printResult(run, document, () => {
    run.terminal.print(`${isDryRun ? 'would free' : 'freed'} ${sizeOf(freedBytes, removed)}`);
    run.info(`${sizeOf(keptBytes, kept)} ${kept === 1 ? 'stays' : 'stay'} in the cache of ${storage}`);
  });
}

function sizeOf(bytes: number, entries: number): string {
  return `${formatSize(bytes)} (${entries} ${entries === 1 ? 'entry' : 'entries'})`;
}
