/**
 * How far a feed has been read, in a file beside the listings:
 *
 *     <out>/.feed-<hash>/cursor.json
 *
 * The folder also has the lock: two imports of one feed would write the same listings. It holds no token.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { readJsonDocument, writeDocument } from '../../../platform/disk/json-document.ts';
import { ListingVideoError } from '../../../platform/errors.ts';

const VERSION = 1;

/** An import that has not reached the last page. */
export interface UnfinishedRun {
  /** Only what was changed since then was asked for; null for everything. */
  readonly since: string | null;
  /** When it began, by the clock of the feed. */
  readonly startedAt: string;
  /** The page that comes next, without secrets; null when the feed cannot be asked for it again. */
  readonly next: string | null;
  /** Latest change of the properties so far. */
  readonly latest: string | null;
  /** Earliest change of a property that lacks a photo for now: it is read again. */
  readonly held: string | null;
  readonly properties: number;
}

export interface FeedCursor {
  /** Everything that was changed before is imported; null when the feed was never read to its end. */
  readonly since: string | null;
  readonly unfinished: UnfinishedRun | null;
}

const EMPTY: FeedCursor = { since: null, unfinished: null };

/**
 * Folder of the cursor of one feed and selection.
 *
 * @param out - Absolute.
 * @param selection - What else decides which properties are imported.
 */
export function cursorFolder(out: string, url: URL, selection: unknown): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([url.href, selection]))
    .digest('hex');
  return path.join(out, `.feed-${hash.slice(0, 16)}`);
}

/** @throws ListingVideoError `store_corrupt` for a damaged file. */
export async function readCursor(folder: string): Promise<FeedCursor> {
  const file = path.join(folder, 'cursor.json');
  const corrupt = (problem: string, cause?: unknown): ListingVideoError =>
    new ListingVideoError('store_corrupt', `the file ${file} cannot be read: ${problem}`, {
      cause,
      hint: 'remove it: the next import reads the whole feed, and fetches only photos that are missing',
    });
  const document = (await readJsonDocument(file, corrupt)) as Partial<
    FeedCursor & { version: number }
  > | null;
  if (document === null) return EMPTY;
  const { version, since = null, unfinished = null } = document;
  const times = [since, unfinished?.since, unfinished?.latest, unfinished?.held, unfinished?.startedAt];
  const isValid =
    version === VERSION &&
    times.every((time) => time == null || (typeof time === 'string' && toTimestamp(time) === time)) &&
    (unfinished === null || typeof unfinished.startedAt === 'string') &&
    (typeof unfinished?.next === 'string' || unfinished?.next == null);
  if (!isValid) throw corrupt('it is not a cursor of this version');
  return { since, unfinished };
}

/** Replaces the cursor, durably. @param url - Of the feed, for people who look into the file. */
export async function writeCursor(folder: string, url: URL, cursor: FeedCursor): Promise<void> {
  await writeDocument(
    path.join(folder, 'cursor.json'),
    { version: VERSION, url: url.href, ...cursor },
    { durable: true },
  );
}

/** A time of a feed in UTC; null for what is no time. A time without a zone is UTC. */
export function toTimestamp(text: string): string | null {
  const [, day, time, zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?(Z|[+-]\d\d:?\d\d)?$/i.exec(text.trim()) ?? [];
  if (day === undefined) return null;
  const timeMs = Date.parse(`${day}T${time ?? '00:00:00'}${zone}`);
  return Number.isNaN(timeMs) ? null : new Date(timeMs).toISOString();
}

/** The earlier of two times; null counts as none. */
export function earlier(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

export function later(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}
