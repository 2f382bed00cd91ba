/** The properties of one page of a feed. One that is no JSON does not take the others with it. */
import { fieldOf, isRecord, type MlsRecord } from '../../../listing/mls/mls-record.ts';
import { ListingVideoError } from '../../../platform/errors.ts';
import { type SourceRecord, toSourceRecord } from '../read-json-records.ts';
import { JsonRecordSplitter } from '../split-json-records.ts';

export interface SplitPage {
  readonly records: readonly SourceRecord[];
  /** As the answer has it, relative or not; null on the last page. */
  readonly nextLink: string | null;
}

/** OData 4.01 leaves `odata.` out, and OData 3 wrote it without @. */
const NEXT_LINKS = ['@odata.nextLink', '@nextLink', 'odata.nextLink'];

const NO_LIST = 'is no OData answer with a list of properties';

/**
 * @param name - `page 3`: the places of records begin with it.
 * @param origin - Of the feed, for messages.
 * @throws ListingVideoError `server_answer_invalid` for what is no whole OData answer.
 */
export function splitPage(body: Buffer, name: string, origin: string): SplitPage {
  const invalid = (what: string): ListingVideoError =>
    new ListingVideoError('server_answer_invalid', `${name} of ${origin} ${what}`, {
      hint: 'check that --url names the Property resource of a RESO Web API: https://…/odata/Property',
    });
  if (!/^\s*\{/.test(body.toString('latin1', 0, 100))) throw invalid(NO_LIST);
  const splitter = new JsonRecordSplitter();
  let found: SourceRecord[];
  try {
    found = splitter.push(body).map((record, index) => ({
      ...toSourceRecord(record, name),
      place: `${name}, property ${index + 1}`,
    }));
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : 'cannot be read');
  }
  if (splitter.end() !== null) throw invalid('ends before its JSON does');
  const [bytes, ...more] = splitter.envelopes;
  const [only, ...others] = found;
  // `Property('K1')` answers with the property itself.
  if (bytes === undefined && only?.record != null && others.length === 0 && isProperty(only.record))
    return { records: [only], nextLink: null };
  const envelope =
    bytes === undefined || more.length > 0 ? null : toSourceRecord({ bytes, line: 1 }, name).record;
  if (envelope === null || !Array.isArray(fieldOf(envelope, 'value'))) throw invalid(NO_LIST);
  const link = NEXT_LINKS.map((key) => fieldOf(envelope, key)).find(
    (value) => typeof value === 'string' && value !== '',
  );
  return { records: found, nextLink: (link as string | undefined) ?? null };
}

/** The records of an expanded resource on a page of their own. */
export function recordsOfPage(
  body: Buffer,
  name: string,
  origin: string,
): { records: MlsRecord[]; nextLink: string | null } {
  const { records, nextLink } = splitPage(body, name, origin);
  return { records: records.map(({ record }) => record).filter(isRecord), nextLink };
}

function isProperty(record: MlsRecord): boolean {
  return ['ListingKey', 'ListingId'].some((name) => Object.hasOwn(record, name));
}
