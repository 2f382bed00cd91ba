/** Where an import of a feed begins: at the first page, at that of an interrupted import, or at a time. Pure. */
import { usageError } from '../../cli-error.ts';
import { toFirstPage } from './feed-address.ts';
import { earlier, type FeedCursor, toTimestamp } from './feed-cursor.ts';

/** An import that was interrupted longer ago begins again: its first pages say how the houses were then. */
const MAX_PAUSE_MS = 24 * 3_600_000;

/** Of `--since`: a time in UTC, `last`, `all`, or undefined, which goes on with an interrupted import of everything. */
export type WantedSince = string | undefined;

export interface ReadingPlan {
  /** Only what was changed since then is asked for; null for everything. */
  readonly since: string | null;
  /** The import that is continued. */
  readonly unfinished: FeedCursor['unfinished'];
  /** Lines to report. */
  readonly words: readonly string[];
  /** From when a later import has to read, after this one read everything up to `read`. */
  nextSince(read: string | null): string | null;
}

/** @throws ListingVideoError `usage`. */
export function readSince(text: string | undefined, url: URL): WantedSince {
  if (text === undefined || text === 'all') return text;
  const time = text === 'last' ? new Date(0).toISOString() : toTimestamp(text);
  if (time === null)
    throw usageError(
      `--since: ${JSON.stringify(text)} is no time`,
      'last, all, or a time such as 2026-11-20T08:00:00Z',
    );
  // A query that has a time of its own is found before anything is asked for.
  toFirstPage(url, { expandsMedia: true, since: time });
  return text === 'last' ? text : time;
}

export function planReading(cursor: FeedCursor, wanted: WantedSince, nowMs: number): ReadingPlan {
  const { unfinished } = cursor;
  const leavesGap = (since: string | null): boolean =>
    cursor.since !== null && since !== null && since > cursor.since;
  const canContinue =
    unfinished !== null &&
    unfinished.next !== null &&
    nowMs - Date.parse(unfinished.startedAt) <= MAX_PAUSE_MS &&
    (wanted === 'last' ? !leavesGap(unfinished.since) : wanted === undefined && unfinished.since === null);
  if (canContinue)
    return {
      since: unfinished.since,
      unfinished,
      words: [
        `continuing after ${unfinished.properties} properties of the import of ${unfinished.startedAt}`,
      ],
      nextSince: (read) => read,
    };
  const since = wanted === 'last' ? cursor.since : wanted === 'all' ? null : (wanted ?? null);
  return {
    since,
    unfinished: null,
    words: wanted !== 'last' ? [] : [wordsFor(cursor.since)],
    // What was changed in the gap is left for a later import.
    nextSince: (read) => (leavesGap(since) ? earlier(cursor.since, read) : read),
  };
}

function wordsFor(since: string | null): string {
  return since === null
    ? 'this feed was not read to its end before: reading everything'
    : `reading what was changed since ${since}`;
}
