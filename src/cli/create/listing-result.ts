/** What became of each listing of one `create`: the one list that summary, manifest, JUnit report and events are made from. */
import type { ListingVideoError } from '../../errors.ts';
import type { TaskRecord } from '../../task/task.ts';
import type { Report } from '../../video/publish/report.ts';
import type { ListingVerdictOfFile } from '../listings/read-listing.ts';
import type { InvalidListing } from '../listings/validate-batch.ts';

export type ListingState = 'SUCCEEDED' | 'FAILED' | 'INVALID' | 'NOT_STARTED';

/** One listing of this run, in the order of the command line. */
export interface ListingResult {
  readonly state: ListingState;
  /** As it is shown. */
  readonly file: string;
  readonly verdict: ListingVerdictOfFile;
  /** Null when the text holds none. */
  readonly listingId: string | null;
  /** Absolute folder of its results; null for an invalid one. */
  readonly outputDir: string | null;
  /** As it ended; null when it was never made or not followed to its end. */
  readonly task: TaskRecord | null;
  /** Why it could not be made a task or followed to its end. */
  readonly error: ListingVideoError | null;
  readonly invalid: InvalidListing | null;
  /** What report.json says of its files; null unless SUCCEEDED. */
  readonly videos: readonly ResultVideo[] | null;
  /** Seconds from its acceptance to its end, other listings' turns included; 0 when it was not begun. */
  readonly durationSec: number;
}

/** The part of a report's video that a batch tells on. */
export type ResultVideo = Pick<
  Report['videos'][number],
  'agent_id' | 'video' | 'poster' | 'preview' | 'durationSec' | 'isUnchanged'
>;

/** Picks what a batch keeps of a report, so that hundreds of reports with their stills are not held at once. */
export function toResultVideos(report: Partial<Report>): ResultVideo[] {
  return (report.videos ?? []).map(
    ({ agent_id, video, poster, preview, durationSec, isUnchanged }): ResultVideo => ({
      ...{ agent_id, video, poster, preview, durationSec, isUnchanged },
    }),
  );
}

/** True when every video of an earlier run stood and nothing was made. */
export function isUnchanged({ videos }: ListingResult): boolean {
  return videos !== null && videos.length > 0 && videos.every((video) => video.isUnchanged === true);
}

/** Why a listing has no videos: code, words and what to do; null when it has. */
export function failureOf(end: ListingResult): { code: string; message: string; hint?: string } | null {
  const { task, error, invalid } = end;
  if (invalid !== null) {
    const [first] = invalid.detail;
    const rest = invalid.detail.length - 1;
    const more = rest > 0 ? ` (and ${rest} more violation${rest === 1 ? '' : 's'})` : '';
    return { code: 'invalid_listing', message: `${first?.msg ?? 'invalid'}${more}` };
  }
  if (error !== null) return withHint(error.code, error.message, error.hint);
  if (end.state !== 'FAILED') return null;
  const { code = 'task_failed', message = 'failed', hint } = task?.failure ?? {};
  return withHint(code, message, hint);
}

function withHint(code: string, message: string, hint: string | undefined) {
  return { code, message, ...(hint === undefined ? {} : { hint }) };
}

/** How many ended in which way. */
export interface BatchCounts {
  readonly listings: number;
  readonly succeeded: number;
  /** Of those that succeeded. */
  readonly unchanged: number;
  readonly failed: number;
  readonly invalid: number;
  readonly not_started: number;
}

/** @returns The counts, with the keys of the manifest and the events. */
export function countResults(ends: readonly ListingResult[]): BatchCounts {
  const count = (state: ListingState): number => ends.filter((end) => end.state === state).length;
  return {
    listings: ends.length,
    succeeded: count('SUCCEEDED'),
    unchanged: ends.filter(isUnchanged).length,
    failed: count('FAILED'),
    invalid: count('INVALID'),
    not_started: count('NOT_STARTED'),
  };
}
