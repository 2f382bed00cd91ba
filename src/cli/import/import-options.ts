/** Options that both kinds of import have, and what they open. */
import path from 'node:path';
import { type OpenHouseClock, wallTime } from '../../listing/mls/read-open-house.ts';
import { parseStatus, type RecordFilter, STANDARD_STATUSES } from '../../listing/mls/read-status.ts';
import { DEFAULT_TEMPLATE_ID } from '../../video/plan/agent-options.ts';
import { nearestHint, usageError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { openFolderTarget } from './folder-target.ts';
import type { ImportEntry } from './import-records.ts';
import type { ImportCounts } from './import-tally.ts';
import type { ListingTarget } from './listing-target.ts';
import { openFileTarget, openStdoutTarget } from './ndjson-target.ts';
import { openImportPrinter } from './print-import.ts';

/** As commander parsed them. */
export interface ImportOptions {
  readonly out: string;
  readonly ndjson?: string;
  readonly replace?: boolean;
  readonly status?: readonly string[];
  readonly all?: boolean;
  readonly licenseState?: string;
  readonly timeZone?: string;
}

/** @throws ListingVideoError `usage` for a status that the dictionary does not know. */
export function readFilter({ all, status }: ImportOptions): RecordFilter {
  const statuses = status
    ?.flatMap((word) => word.split(','))
    .map((word) => {
      const parsed = parseStatus(word);
      if (parsed === null)
        throw usageError(
          `--status: unknown status ${JSON.stringify(word)}`,
          nearestHint(word, STANDARD_STATUSES),
        );
      return parsed;
    });
  return { all: all === true, statuses: statuses ?? null };
}

/**
 * The template whose data layers get price and status, the state of licenses without one, and today.
 *
 * @throws ListingVideoError `usage` for a blank state and an unknown zone.
 */
export async function readRules(run: CommandRun<ImportOptions>) {
  const licenseState = run.options.licenseState?.trim() ?? null;
  if (licenseState === '') throw usageError('--license-state is empty', '--license-state OR');
  const { template: templateId = DEFAULT_TEMPLATE_ID } = await run.settings();
  return { templateId, licenseState, clock: readClock(run) };
}

/** Today, and the zone of the properties. */
function readClock(run: CommandRun<ImportOptions>): OpenHouseClock {
  const { timeZone } = run.options;
  const now = new Date(run.host.nowMs());
  try {
    return { today: wallTime(now, timeZone).date, timeZone: timeZone ?? null };
  } catch {
    throw usageError(
      `--time-zone: unknown time zone ${JSON.stringify(timeZone)}`,
      'a name such as America/Los_Angeles',
    );
  }
}

/**
 * Opens what `--out` or `--ndjson` names.
 *
 * @param isDurable - Listings in a folder survive a power failure.
 * @throws ListingVideoError `usage`, `output_unwritable`.
 */
export async function openTarget(run: CommandRun<ImportOptions>, isDurable = false): Promise<ListingTarget> {
  const { out, ndjson, replace } = run.options;
  const { cwd } = await run.host.machine();
  if (ndjson === '-' && run.output.json)
    throw usageError(
      '--ndjson - prints listings, so it cannot be combined with --json',
      'name a file: --ndjson listings.ndjson --json',
    );
  if (ndjson === '-') return openStdoutTarget(run.terminal, cwd);
  if (ndjson === '') throw usageError('the name of --ndjson is empty', '--ndjson listings.ndjson');
  if (ndjson !== undefined) return openFileTarget(path.resolve(cwd, ndjson), ndjson);
  if (out === '') throw usageError('the name of --out is empty', '--out listings');
  const { folders } = run.host;
  return openFolderTarget(path.resolve(cwd, out), out, { replace: replace === true, isDurable, folders });
}

/**
 * Prints the entries and closes the target.
 *
 * @param facts - Called at the end: about the whole import, for `--json`.
 * @returns The exit code: 0, 1 when some records are invalid, 2 when there is no other.
 */
export async function finishImport(
  run: CommandRun<ImportOptions>,
  target: ListingTarget,
  entries: AsyncIterable<ImportEntry>,
  facts: () => object,
): Promise<number> {
  const printer = openImportPrinter(run, run.options.ndjson === '-');
  try {
    for await (const entry of entries) printer.print(entry);
    await target.close();
  } catch (error) {
    await target.abandon();
    return printer.fail(error);
  }
  printer.end(facts());
  return exitCodeOf(printer.counts);
}

function exitCodeOf({ invalid, ...others }: Readonly<ImportCounts>): number {
  if (invalid === 0) return 0;
  return Object.values(others).some((count) => count > 0) ? 1 : 2;
}
