/** The work of `cache show|clear`, on the cache that all commands and servers of this data folder share. */
import type { CacheShare } from '../../platform/disk/cache/cache-usage.ts';
import { clearCache, readCacheUsage } from '../../platform/disk/cache/cache-usage.ts';
import { removeAbandoned } from '../../platform/disk/owned-folder.ts';
import { formatAge } from '../../platform/settings/parse-duration.ts';
import { formatSize } from '../../platform/settings/parse-size.ts';
import { formatTimestamp } from '../../video/publish/report.ts';
import { workRoot } from '../../video/work-folder.ts';
import { cacheFolder } from '../../wiring/open-cache.ts';
import type { CommandRun } from '../command-run.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { printResult } from '../terminal/print-json.ts';
import { printTable } from '../terminal/table.ts';
import { kindCalled, nameOfKind } from './kind-names.ts';

/** Options of `cache clear`. */
interface ClearOptions {
  readonly kind?: readonly string[];
  readonly dryRun?: boolean;
}

/** `cache show`. */
export async function showCache(run: CommandRun): Promise<number> {
  const settings = await run.settings();
  const nowMs = run.host.nowMs();
  const folder = cacheFolder(settings);
  const { kinds, ...all } = await readCacheUsage(folder, nowMs);
  const document = {
    folder,
    limit_bytes: settings.cacheSize,
    ...toShareDocument(all),
    kinds: kinds.map((share) => ({ kind: nameOfKind(share.kind), ...toShareDocument(share) })),
  };
  return printResult(run, document, () => {
    const rows = [
      ...kinds.map((share) => ({ ...share, name: nameOfKind(share.kind) })),
      { ...all, name: 'total' },
    ];
    printTable(run.terminal, rows, [
      { title: 'KIND', text: ({ name }) => escapeText(name) },
      { title: 'ENTRIES', text: ({ entries }) => `${entries}`, align: 'right' },
      { title: 'SIZE', text: ({ sizeBytes }) => formatSize(sizeBytes), align: 'right' },
      { title: 'IN USE', text: ({ heldBytes }) => formatSize(heldBytes), align: 'right' },
      {
        title: 'OLDEST USE',
        text: ({ oldestUseMs }) => (oldestUseMs === null ? '-' : `${formatAge(nowMs - oldestUseMs)} ago`),
        align: 'right',
      },
    ]);
    run.info(
      `${escapeText(folder)} has ${formatSize(all.sizeBytes)}; its limit is ${formatSize(settings.cacheSize)} (--cache-size)`,
    );
  });
}

/** `cache clear`. */
export async function clearCacheOf(run: CommandRun<ClearOptions>): Promise<number> {
  const settings = await run.settings();
  const { kind, dryRun: isDryRun = false } = run.options;
  // Runs that died hold their entries until their work folders are gone.
  if (!isDryRun) await removeAbandoned(workRoot(settings.home));
  const { removedEntries, freedBytes, heldBytes } = await clearCache(cacheFolder(settings), {
    isDryRun,
    nowMs: run.host.nowMs(),
    ...(kind ? { kinds: kind.map(kindCalled) } : {}),
  });
  const document = {
    dry_run: isDryRun,
    removed_entries: removedEntries,
    freed_bytes: freedBytes,
    held_bytes: heldBytes,
  };
  return printResult(run, document, () => {
    const what = `${formatSize(freedBytes)} (${removedEntries} ${removedEntries === 1 ? 'entry' : 'entries'})`;
    run.terminal.print(isDryRun ? `would free ${what}` : `freed ${what}`);
    if (heldBytes > 0) run.info(`${formatSize(heldBytes)} stay: running tasks use them`);
  });
}

function toShareDocument({ entries, sizeBytes, heldBytes, oldestUseMs }: CacheShare) {
  return {
    entries,
    size_bytes: sizeBytes,
    held_bytes: heldBytes,
    oldest_use_at: oldestUseMs === null ? null : formatTimestamp(new Date(oldestUseMs)),
  };
}
