/**
 * Turns records of one source into listings, one after the other, and reports each. A bad record does not stop the
 * others.
 */
import type { Listing } from '../../listing/listing.ts';
import type { ImportFindings, LeftOut } from '../../listing/mls/findings.ts';
import { type MlsRecord, textOf } from '../../listing/mls/mls-record.ts';
import { type RecordFilter, reasonToSkip } from '../../listing/mls/read-status.ts';
import { listingIdOf, type ToListingContext, toListing } from '../../listing/mls/to-listing.ts';
import { toAssetUrl } from '../../video/photos/asset-url.ts';
import type { CommandRun } from '../command-run.ts';
import type { EarlierListing, ListingTarget, WriteState } from './listing-target.ts';
import type { SourceRecord } from './read-json-records.ts';

const KEPT = 'the file was changed since its import: --replace imports it again';

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

/** A listing with its photos on this machine. */
export interface BroughtPhotos {
  /** Null when it breaks a rule without photos that are missing. */
  readonly listing: Listing | null;
  readonly problems: readonly string[];
  readonly leftOut: readonly LeftOut[];
  /** Removes photos that the listing had before. */
  discardOld(): Promise<void>;
}

/**
 * Brings the photos of a listing to this machine.
 *
 * @param folder - Absolute, of the listing.
 */
export type PhotoSource = (record: MlsRecord, listing: Listing, folder: string) => Promise<BroughtPhotos>;

export interface ImportPlan {
  readonly filter: RecordFilter;
  readonly context: Omit<ToListingContext, 'localPhotos'>;
  readonly target: ListingTarget;
  /** Photos on this machine, as absolute paths; null to read those of the record. Notes say what was not found. */
  readonly findPhotos?: (
    record: MlsRecord,
  ) => { readonly files: readonly string[]; readonly note: string | null } | null;
  /** Absent: the listing has the URLs of its photos. */
  readonly photos?: PhotoSource;
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
    const ownKey = textOf(record, 'ListingKey');
    const key = ownKey ?? ownId;
    const earlier = keys.get(key);
    const reason =
      earlier === undefined ? reasonToSkip(record, plan.filter) : `its ListingKey is that of ${earlier}`;
    if (earlier === undefined) keys.set(key, place);
    const before = await plan.target.earlier(ownId);
    const isOther = before !== null && before.key !== null && ownKey !== null && before.key !== ownKey;
    // Two systems of one feed can number alike.
    const id = ids.has(ownId) || isOther ? key : ownId;
    const same = id === ownId ? before : await plan.target.earlier(id);
    if (reason !== null) {
      // The listing of an earlier page stands for the same property.
      const old =
        same === null || earlier !== undefined
          ? []
          : [`${same.file} of an earlier import is still there: remove it and its videos`];
      yield entry(place, 'skipped', { listing_id: ownId, reasons: [reason, ...old] });
      continue;
    }
    ids.add(id);
    yield await importOne({ place, record, id, key: ownKey, before: same }, plan);
  }
}

interface OneRecord {
  readonly place: string;
  readonly record: MlsRecord;
  readonly id: string;
  readonly key: string | null;
  readonly before: EarlierListing | null;
}

async function importOne(one: OneRecord, plan: ImportPlan): Promise<ImportEntry> {
  const { place, record, id, before } = one;
  const { context, target } = plan;
  const local = plan.findPhotos?.(record) ?? null;
  const folder = await target.folderOf(id);
  const localPhotos =
    local === null || local.files.length === 0
      ? null
      : local.files.map((file) => ({ url: toAssetUrl(file, folder) }));
  const made = toListing(record, id, { ...context, localPhotos });
  const { listing: read, problems, findings } = made;
  const notes = [...findings.notes, ...(local?.note ? [local.note] : [])];
  const facts = {
    ...findings,
    listing_id: id,
    photos: read?.assets.length ?? 0,
    agents: read?.agents.length ?? 0,
  };
  const invalid = (reasons: readonly string[], leftOut: readonly LeftOut[]): ImportEntry => {
    const stays = before === null ? [] : [`${before.file} of an earlier import stays as it was`];
    return entry(place, 'invalid', { ...facts, reasons, left_out: leftOut, notes: [...notes, ...stays] });
  };
  if (read === null) return invalid(problems, findings.left_out);
  notes.push(...noteStatus(before, read));
  // Its photos would be fetched for nothing.
  if (plan.photos !== undefined && before?.isKept)
    return entry(place, 'kept', { ...facts, file: before.file, reasons: [KEPT], notes });
  const brought = await plan.photos?.(record, read, folder);
  const listing = brought === undefined ? read : brought.listing;
  const leftOut = [...findings.left_out, ...(brought?.leftOut ?? [])];
  if (listing === null) return invalid(brought?.problems ?? [], leftOut);
  const { state, file } = await target.write(id, listing, one.key);
  if (state !== 'kept') await brought?.discardOld();
  return entry(place, state, {
    ...{ ...facts, file, notes, photos: listing.assets.length, left_out: leftOut },
    reasons: state === 'kept' ? [KEPT] : [],
  });
}

/** What became of the status since the earlier import: videos of the house say the old one. */
function noteStatus(before: EarlierListing | null, { agents }: Listing): string[] {
  const status = agents[0]?.video_options?.template_data?.status;
  if (before === null || before.status === null || status === undefined || before.status === status)
    return [];
  return [`its status was ${JSON.stringify(before.status)}, and is now ${JSON.stringify(status)}`];
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
