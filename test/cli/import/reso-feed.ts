/**
 * A small RESO Web API on the loopback interface, in the shapes of four vendors, with a second host for photos.
 * `fixtures/README.md` says where their documentation is.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import type { AnyJson } from '../run-cli.ts';
import { property } from './import-run.ts';

export const TOKEN = 'tok-5b1946c0e7';
/** The first bytes of a JPEG: an import looks no further. */
const PHOTO = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(60, 7)]);

export type Shape = 'bridge' | 'trestle' | 'spark' | 'mls-grid';

export interface FeedRequest {
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
}

/** Answers a request in place of the feed; false leaves it to the feed. */
export type Intercept = (request: FeedRequest, response: ServerResponse) => boolean;

export interface Feed {
  /** Of `--url`, with a page size in the words of the vendor. */
  readonly url: string;
  readonly origin: string;
  readonly photoOrigin: string;
  /** The properties: tests change them between two imports. */
  readonly properties: AnyJson[];
  /** Requests for pages, in order. */
  readonly pages: FeedRequest[];
  readonly photos: FeedRequest[];
  /** Set by tests. */
  intercept: Intercept;
}

/** A property of a feed, whose five photos are on the photo host, or on the host of the feed. */
export function feedProperty(origin: string, number: number, facts: object = {}): AnyJson {
  return property({
    ListingKey: `K${number}`,
    ListingId: `A-${number}`,
    ModificationTimestamp: minute(number),
    Media: feedMedia(origin, number),
    ...facts,
  });
}

export function feedMedia(origin: string, number: number, count = 5, version = 1): AnyJson[] {
  return Array.from({ length: count }, (_, index) => ({
    MediaKey: `M${number}-${index}`,
    // Signed anew for each reader, as MLS Grid does.
    MediaURL: `${origin}/photos/${number}/${index}.jpg?sig=${version}`,
    MediaModificationTimestamp: minute(version),
    MediaCategory: 'Photo',
    Order: index,
  }));
}

/** A minute of the day before tests run. */
export function minute(number: number): string {
  return new Date(Date.parse('2026-11-18T00:00:00Z') + number * 60_000).toISOString();
}

/** Starts a feed with this many properties. It ends with the test. */
export async function startFeed(shape: Shape, count: number, pageSize: number): Promise<Feed> {
  const pages: FeedRequest[] = [];
  const photos: FeedRequest[] = [];
  const photoOrigin = await listen((request, response) => {
    photos.push(request);
    if (feed.intercept(request, response)) return;
    response.end(PHOTO);
  });
  const origin = await listen((request, response) => {
    const isPhoto = request.url.pathname.startsWith('/photos/');
    (isPhoto ? photos : pages).push(request);
    if (feed.intercept(request, response)) return;
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return fail(response, 401, 'Token is not valid');
    if (isPhoto) response.end(PHOTO);
    else answerPage(shape, feed, request, response, pageSize);
  });
  // Trestle has the photos on the host of the feed, and wants the token there, too.
  const mediaOrigin = shape === 'trestle' ? origin : photoOrigin;
  const query = {
    bridge: '',
    trestle: `?$top=${pageSize}`,
    spark: '',
    'mls-grid': `?$filter=OriginatingSystemName eq 'x'&$top=${pageSize}`,
  };
  const feed: Feed = {
    ...{ origin, photoOrigin, pages, photos, intercept: () => false },
    url: `${origin}/odata/Property${query[shape]}`,
    properties: Array.from({ length: count }, (_, index) => feedProperty(mediaOrigin, index + 1)),
  };
  return feed;
}

/** True, for {@link Intercept}. */
export function fail(response: ServerResponse, status: number, message: string, headers = {}): true {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  return reply(response, JSON.stringify({ error: { code: String(status), message } }));
}

/** True, for {@link Intercept}. */
export function reply(response: ServerResponse, body: string | Buffer): true {
  response.end(body);
  return true;
}

function answerPage(
  shape: Shape,
  feed: Feed,
  { url, headers }: FeedRequest,
  response: ServerResponse,
  pageSize: number,
): boolean {
  const { searchParams: query } = url;
  if (url.pathname.endsWith('/Media')) {
    const media = feedMedia(feed.photoOrigin, Number(query.get('of')));
    return reply(response, JSON.stringify({ value: media.slice(3) }));
  }
  if (shape === 'bridge' && query.has('$expand')) return fail(response, 400, 'Media cannot be expanded');
  if (shape === 'mls-grid' && !/gzip/.test(String(headers['accept-encoding'])))
    return fail(response, 400, 'gzip is required');
  const [, since = ''] = /ModificationTimestamp ge (\S+)/.exec(query.get('$filter') ?? '') ?? [];
  const found = feed.properties.filter(({ ModificationTimestamp: time }) => time >= since);
  const start = Number(query.get('$skip') ?? query.get('$skiptoken') ?? 0);
  const value = found
    .slice(start, start + pageSize)
    .map((each) => (shape === 'spark' ? sparkProperty(feed, each) : each));
  const next = start + pageSize < found.length ? nextLink(shape, url, start + pageSize) : null;
  const body = JSON.stringify({
    '@odata.context': `${feed.origin}/odata/$metadata#Property`,
    value,
    ...(next !== null && { '@odata.nextLink': next }),
  });
  response.setHeader('date', new Date('2026-11-20T13:00:00Z').toUTCString());
  if (shape !== 'mls-grid') return reply(response, body);
  response.setHeader('content-encoding', 'gzip');
  return reply(response, gzipSync(body));
}

/** Each vendor says in its own way where the next page is. */
function nextLink(shape: Shape, url: URL, skip: number): string {
  const next = new URL(url);
  next.searchParams.set(shape === 'spark' ? '$skiptoken' : '$skip', String(skip));
  if (shape === 'bridge') next.searchParams.set('access_token', TOKEN);
  return shape === 'trestle' ? next.pathname + next.search : next.href;
}

/** Hidden values are asterisks, and the media go on on another page. */
function sparkProperty({ origin }: Feed, each: AnyJson): AnyJson {
  const number = Number(each.ListingKey.slice(1));
  return {
    ...each,
    ListAgentEmail: '********',
    Media: each.Media.slice(0, 3),
    'Media@odata.nextLink': `${origin}/odata/Media?of=${number}`,
  };
}

async function listen(answer: (request: FeedRequest, response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    answer({ url, headers: request.headers }, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
