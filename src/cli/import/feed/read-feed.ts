/**
 * Reads the pages of a feed, one after the other. The cursor moves on when the next page is asked for: by then the
 * listings of the page before are on disk.
 */
import { fieldOf, type MlsRecord, recordsOf, textOf } from '../../../listing/mls/mls-record.ts';
import { ListingVideoError } from '../../../platform/errors.ts';
import type { SourceRecord } from '../read-json-records.ts';
import { isRefusedAddress } from './explain-refusal.ts';
import { saysExpand, toFirstPage, toLinkedPage } from './feed-address.ts';
import type { FeedClient, FeedPage } from './feed-client.ts';
import type { UnfinishedRun } from './feed-cursor.ts';
import type { FeedProgress } from './feed-progress.ts';
import { recordsOfPage, splitPage } from './split-page.ts';

/** Pages in a row without a property that is new. A feed that goes on like this never ends. */
const MAX_IDLE_PAGES = 5;
/** Of the media of one property: a listing has at most 100 photos. */
const MAX_MEDIA_PAGES = 20;

export interface FeedReading {
  readonly client: FeedClient;
  /** Of `--url`. */
  readonly url: URL;
  readonly since: string | null;
  /** The page that an earlier run had not read; null to begin with the first. */
  readonly continueAt: string | null;
  readonly progress: FeedProgress;
  /** Stores how far the import has come; null when it has read the last page. */
  readonly commit: (unfinished: UnfinishedRun | null) => Promise<void>;
  readonly info: (line: string) => void;
  readonly nowMs: () => number;
}

/**
 * @yields The properties. The next one is asked for when the listing of the one before is written.
 * @throws ListingVideoError; the abort reason.
 */
export async function* readFeed(reading: FeedReading): AsyncGenerator<SourceRecord> {
  const { client, progress, commit } = reading;
  const { origin } = reading.url;
  const seen = new Set<string>();
  let idle = 0;
  let { url, page } = await openFirst(reading);
  for (;;) {
    progress.start(page.dateMs ?? reading.nowMs());
    progress.pages += 1;
    const { records, nextLink } = splitPage(page.body, `page ${progress.pages}`, origin);
    const before = seen.size;
    for (const { place, record, problem } of records) {
      if (record !== null) seen.add(keyOf(record));
      yield { place, record: record === null ? null : await withAllMedia(record, url, client), problem };
      progress.count(record);
    }
    const next = nextLink === null ? null : toLinkedPage(nextLink, url);
    // Trestle gives the same address for every page of a replication, and an empty page as the last.
    const isSame = next?.href === url.href;
    if (next === null || (isSame && records.length === 0)) break;
    idle = seen.size === before ? idle + 1 : 0;
    if (idle === MAX_IDLE_PAGES) throw endless(origin);
    await commit(progress.unfinished(isSame ? null : client.withoutToken(next).href));
    url = next;
    page = await client.get(url);
  }
  await commit(null);
}

async function openFirst(reading: FeedReading): Promise<{ url: URL; page: FeedPage }> {
  const { client, url: feed, since, continueAt, progress, info } = reading;
  if (continueAt !== null) {
    const url = toLinkedPage(continueAt, feed);
    const page = await client.get(url).catch(nullIfRefused);
    if (page !== null) return { url, page };
    progress.restart();
    info('the feed has forgotten the page where the last import ended: reading from the beginning');
  }
  const url = toFirstPage(feed, { expandsMedia: true, since });
  try {
    return { url, page: await client.get(url) };
  } catch (error) {
    if (!isRefusedAddress(error) || saysExpand(feed)) throw error;
    // Some feeds have the media in every property, and refuse $expand.
    const plain = toFirstPage(feed, { expandsMedia: false, since });
    const page = await client.get(plain).catch(nullIfRefused);
    if (page === null) throw error;
    info('the feed does not support $expand=Media: reading without it');
    return { url: plain, page };
  }
}

function nullIfRefused(error: unknown): null {
  if (isRefusedAddress(error)) return null;
  throw error;
}

/** The property with the media that the feed puts on further pages. */
async function withAllMedia(record: MlsRecord, from: URL, client: FeedClient): Promise<MlsRecord> {
  const all = recordsOf(record, 'Media');
  let link = fieldOf(record, 'Media@odata.nextLink');
  if (typeof link !== 'string') return record;
  for (let pages = 0; typeof link === 'string' && pages < MAX_MEDIA_PAGES; pages += 1) {
    const page = await client.get(toLinkedPage(link, from)).catch(nullIfRefused);
    // The report then says that there are further pages.
    if (page === null) return { ...record, Media: all };
    const { records, nextLink } = recordsOfPage(page.body, 'a page of Media', from.origin);
    all.push(...records);
    link = nextLink;
  }
  const { 'Media@odata.nextLink': _, ...others } = record;
  return { ...others, Media: all };
}

function keyOf(record: MlsRecord): string {
  return textOf(record, 'ListingKey') ?? textOf(record, 'ListingId') ?? '';
}

function endless(origin: string): ListingVideoError {
  return new ListingVideoError(
    'server_answer_invalid',
    `${origin} repeats its pages: the last ${MAX_IDLE_PAGES} had no property that is new`,
    { hint: 'ask the vendor of the feed. What is imported stays' },
  );
}
