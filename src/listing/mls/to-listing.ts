/** One Property record as a listing, with a report of where each field came from. Pure. */
import type { Asset, Listing, Violation } from '../listing.ts';
import { explainViolation } from '../rules/explain-violation.ts';
import { locWords } from '../rules/loc-words.ts';
import { validateListing } from '../rules/validate-listing.ts';
import { warnOfSlips } from '../warnings/warn-of-slips.ts';
import { FindingsCollector, type ImportFindings } from './findings.ts';
import { type MlsRecord, numberOf, recordsOf, textOf } from './mls-record.ts';
import { readAddress } from './read-address.ts';
import { type AgentSources, readAgents } from './read-agents.ts';
import { readFacts } from './read-facts.ts';
import { type OpenHouseClock, readOpenHouse } from './read-open-house.ts';
import { readPhotos } from './read-photos.ts';
import { readPrice } from './read-price.ts';
import { readStatus } from './read-status.ts';

export interface ToListingContext extends AgentSources {
  /** Template whose data layers get price, status, open house and logo. */
  readonly templateId: string;
  readonly clock: OpenHouseClock;
  /** How the source calls a field; for CSV with its column. */
  readonly nameOf: (field: string) => string;
  /** What to do about a value that is not known; empty where the source leaves no choice. */
  readonly adviceOn: (field: string, value: string) => string;
  /** Photos on this machine; null to read those of the record. */
  readonly localPhotos: readonly Asset[] | null;
}

/** The listing, and why it is none when it breaks a rule. */
export interface MlsImport {
  readonly listing: Listing | null;
  readonly problems: readonly string[];
  readonly findings: ImportFindings;
}

/** The id of a listing: the number that people know, else the key. */
export function listingIdOf(record: MlsRecord): string | null {
  return textOf(record, 'ListingId') ?? textOf(record, 'ListingKey');
}

/** @param id - Of the listing. Never throws, whatever the record has. */
export function toListing(record: MlsRecord, id: string, context: ToListingContext): MlsImport {
  const findings = new FindingsCollector(context.nameOf);
  findings.from('id', textOf(record, 'ListingId') === id ? 'ListingId' : 'ListingKey');
  const address = readAddress(record, findings);
  const facts = readFacts(record, findings);
  const assets = readAssets(record, context, findings);
  const found = readAgents(record, context, findings);
  const status = readStatus(record, context.adviceOn, findings);
  const openHouse = readOpenHouse(record, openHousesOf(record, context), context.clock, findings);
  const layers = {
    ...readPrice(record, findings),
    ...(status !== null && { status }),
    ...(openHouse !== null && { open_house: openHouse }),
  };
  const agents = found.map(({ agent, logo }, index) => {
    if (logo !== null) findings.from(`agents[${index}].logo`, 'Media of Office');
    const data = { ...layers, ...(logo !== null && { logo }) };
    const options = { template_id: context.templateId, template_data: data };
    return Object.keys(data).length === 0 ? agent : { ...agent, video_options: options };
  });
  const draft = { id, ...(address !== null && { address }), ...facts, assets, agents };
  const validation = validateListing(draft, { allowLocalFiles: true });
  if (validation.ok) for (const { message } of warnOfSlips(validation.listing)) findings.note(message);
  return {
    listing: validation.ok ? validation.listing : null,
    problems: validation.ok ? [] : explainProblems(validation.violations),
    findings: findings.result(),
  };
}

/** Broken rules of a listing in words. */
export function explainProblems(violations: readonly Violation[]): string[] {
  return violations.map((violation) => `${locWords(violation.loc)}: ${explainViolation(violation)}`);
}

function readAssets(
  record: MlsRecord,
  context: ToListingContext,
  findings: FindingsCollector,
): readonly Asset[] {
  if (context.localPhotos !== null) {
    findings.from('assets', '--photos');
    return context.localPhotos;
  }
  const expanded = recordsOf(record, 'Media');
  const media = expanded.length > 0 ? expanded : context.related.mediaOf('Property', keysOf(record));
  const assets = readPhotos(media, findings);
  if (assets.length === 0) findings.missing('assets', 'Media');
  if (textOf(record, 'Media@odata.nextLink') !== null)
    findings.note('Media has further pages that are not in the file: see its @odata.nextLink');
  const expected = numberOf(record, 'PhotosCount');
  if (expected !== null && expected > media.length)
    findings.note(`PhotosCount is ${expected}, and there are ${media.length} records of Media`);
  return assets;
}

/** Expanded in the property, also under the name that some vendors give them, else of a file. */
function openHousesOf(record: MlsRecord, { related }: ToListingContext): readonly MlsRecord[] {
  const expanded = [...recordsOf(record, 'OpenHouse'), ...recordsOf(record, 'OpenHouses')];
  return expanded.length > 0 ? expanded : related.openHousesOf(keysOf(record));
}

function keysOf(record: MlsRecord): (string | null)[] {
  return [textOf(record, 'ListingKey'), textOf(record, 'ListingId')];
}
