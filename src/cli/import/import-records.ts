/**
 * Turns records of one source into listings, one after the other, and reports each. A bad record does not stop the
 * others.
 */
import type { ImportFindings } from '../../listing/mls/findings.ts';
import { type MlsRecord, textOf } from '../../listing/mls/mls-record.ts';
import { type RecordFilter, reasonToSkip } from '../../listing/mls/read-status.ts';
import { listingIdOf, type ToListingContext, toListing } from '../../listing/mls/to-listing.ts';
import { toAssetUrl } from '../../video/photos/asset-url.ts';
import type { CommandRun } from '../command-run.ts';
import type { ListingTarget, WriteState } from './listing-target.ts';
import type { SourceRecord } from './read-json-records.ts';

/** What became of one record; also the shape in `--json`. */
export interface ImportEntry {
  readonly source: string;
  readonly listing_id: string | null;
  readonly state: WriteState | 'skipped' | 'invalid';
  /** The file that has the listing; null without one, and for stdout. */
  readonly file: string | null;
  readonly photos: number;
  readonly agents: number;
  /** Why it was skipped or is invalid, or was kept. */
  readonly reasons: readonly string[];
  readonly from: ImportFindings['from'];
  readonly missing: ImportFindings['missing'];
  readonly left_out: ImportFindings['left_out'];
  readonly notes: ImportFindings['notes'];
}

export interface ImportPlan {
  readonly filter: RecordFilter;
  readonly context: Omit<ToListingContext, 'localPhotos'>;
  readonly target: ListingTarget;
  /** Photos on this machine, as absolute paths; null to read those of the record. Notes say what was not found. */
  readonly findPhotos?: (
    record: MlsRecord,
  ) => { readonly files: readonly string[]; readonly note: string | null } | null;
}

/**
 * Imports the records in their order.
 *
 * @yields What became of each.
 * @throws ListingVideoError of the source and the target; the abort reason of the run.
 */
export async function* importRecords(
  run: CommandRun,
  records: AsyncIterable<SourceRecord>,
  plan: ImportPlan,
): AsyncGenerator<ImportEntry> {
  const keys = new Map<string, string>();
  const ids = new Set<string>();
  for await (const { place, record, problem } of records) {
    run.signal.throwIfAborted();
    if (record === null) {
      yield entry(place, 'invalid', { reasons: [problem ?? 'there is no record'] });
      continue;
    }
    const ownId = listingIdOf(record);
    if (ownId === null) {
      yield entry(place, 'invalid', { reasons: [whyNoProperty(record)] });
      continue;
    }
    const key = textOf(record, 'ListingKey') ?? ownId;
    const earlier = keys.get(key);
    const reason =
      earlier === undefined ? reasonToSkip(record, plan.filter) : `its ListingKey is that of ${earlier}`;
    if (earlier === undefined) keys.set(key, place);
    if (reason !== null) {
      yield entry(place, 'skipped', { listing_id: ownId, reasons: [reason] });
      continue;
    }
    // Two systems of one feed can number alike.
    const id = ids.has(ownId) ? key : ownId;
    ids.add(id);
    yield await importOne(place, record, id, plan);
  }
}

async function importOne(
  place: string,
  record: MlsRecord,
  id: string,
  plan: ImportPlan,
): Promise<ImportEntry> {
  const { context, target } = plan;
  const local = plan.findPhotos?.(record) ?? null;
  const folder = target.folderOf(id);
  const localPhotos =
    local === null || local.files.length === 0
      ? null
      : local.files.map((file) => ({ url: toAssetUrl(file, folder) }));
  const { listing, problems, findings } = toListing(record, id, { ...context, localPhotos });
  const found = { ...findings, notes: [...findings.notes, ...(local?.note ? [local.note] : [])] };
  if (listing === null) return entry(place, 'invalid', { listing_id: id, reasons: problems, ...found });
  const { state, file } = await target.write(id, listing);
  return entry(place, state, {
    listing_id: id,
    file,
    photos: listing.assets.length,
    agents: listing.agents.length,
    reasons: state === 'kept' ? ['the file was changed since its import: --replace imports it again'] : [],
    ...found,
  });
}

function entry(source: string, state: ImportEntry['state'], facts: Partial<ImportEntry>): ImportEntry {
  return {
    source,
    listing_id: null,
    state,
    file: null,
    photos: 0,
    agents: 0,
    reasons: [],
    from: {},
    missing: [],
    left_out: [],
    notes: [],
    ...facts,
  };
}

/** Files of a feed are easily mixed up. */
function whyNoProperty(record: MlsRecord): string {
  if (Object.hasOwn(record, 'error')) return 'it is an error answer of the server, not a property';
  const other = (['Media', 'Member', 'Office'] as const).find(
    (name) => textOf(record, `${name}Key`) !== null,
  );
  return other === undefined
    ? 'it has neither ListingId nor ListingKey'
    : `it is a record of ${other}, not a property: name its file with --${other.toLowerCase()}`;
}
