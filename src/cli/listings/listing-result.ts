/** What became of each listing of a command: one union from the file to every document and the exit code. */

import type { TextPlace } from '../../listing/json/json-places.ts';
import type { Listing } from '../../listing/listing.ts';
import type { ListingVideoError } from '../../platform/errors.ts';
import type { Report, ReportEntry } from '../../video/publish/report.ts';
import type { VideoTaskPayload } from '../../video/video-task.ts';
import type { VideoTask } from '../../wiring/backend.ts';
import { formatPath } from './format-path.ts';
import type { PlacedViolation, PlacedWarning } from './place-findings.ts';

/** Where a listing was read, and what of its text can be shown. */
export interface ListingSource {
  /** As it is shown: the name of its input, and for a line of NDJSON its number: `new.ndjson:3`. */
  readonly file: string;
  /** Absolute; null for stdin. */
  readonly path: string | null;
  /** Line of the file that `text` begins with: more than 1 only for a line of NDJSON. */
  readonly firstLine: number;
  readonly warnings: readonly PlacedWarning[];
  /** Kept to show the line of a violation or warning; null when there is none to show. */
  readonly text: string | null;
}

/** It breaks a rule. */
export interface InvalidListing {
  readonly kind: 'invalid';
  readonly source: ListingSource;
  readonly detail: readonly PlacedViolation[];
  /** Null when the file itself breaks a rule; else it only does not fit into this batch, or to this server. */
  readonly listing: Listing | null;
}

/** It passes the rules for one listing; `validateBatch` makes it ready. */
export interface ValidListing {
  readonly kind: 'valid';
  readonly source: ListingSource;
  readonly listing: Listing;
  /** Folder that relative paths in the listing resolve against, absolute. */
  readonly baseDir: string;
}

interface Planned<Kind extends string> {
  readonly kind: Kind;
  readonly source: ListingSource;
  readonly payload: VideoTaskPayload;
}

interface Ended<Kind extends string> extends Planned<Kind> {
  /** Seconds from submitting the task to its end. */
  readonly durationSec: number;
}

/** It can be rendered, and was not started yet. */
export type ReadyListing = Planned<'ready'>;
/** The server refused what this machine found valid. */
export type RejectedListing = Planned<'rejected'> & Pick<InvalidListing, 'detail'>;
/** Its videos exist. */
interface SucceededListing extends Ended<'succeeded'> {
  readonly task: VideoTask;
  /** What report.json says of the videos. */
  readonly videos: readonly ResultVideo[];
  /** The same of those in the other ratio; absent unless requested. */
  readonly alsoRatio?: readonly (ResultVideo & Pick<ReportEntry, 'ratio'>)[];
  /** Of the agents' further files for places; absent without any. */
  readonly alsoFor?: readonly (ResultVideo & Pick<ReportEntry, 'ratio'>)[];
}
type TaskFailedListing = Ended<'task-failed'> & { readonly task: VideoTask };
/** No task could be made, planned, or followed to its end. */
type FailedListing = Ended<'failed'> & { readonly error: ListingVideoError };

/** One listing of a command, in any state between its file and its videos. */
export type ListingResult =
  | (InvalidListing | ValidListing | ReadyListing | RejectedListing)
  | (SucceededListing | TaskFailedListing | FailedListing);

/** The part of a report's video that manifest and events need: a batch must not hold hundreds of whole reports. */
export type ResultVideo = Pick<
  Report['videos'][number],
  | 'agent_id'
  | 'video'
  | 'poster'
  | 'preview'
  | 'small_video'
  | 'duration_sec'
  | 'is_unchanged'
  | 'destinations'
  | 'length'
>;

/** The state of a listing in manifest, summary and reports. */
export type ListingState = 'SUCCEEDED' | 'FAILED' | 'INVALID' | 'NOT_STARTED';

const STATES: Readonly<Record<ListingResult['kind'], ListingState>> = {
  ...({ invalid: 'INVALID', rejected: 'INVALID', valid: 'NOT_STARTED', ready: 'NOT_STARTED' } as const),
  ...({ succeeded: 'SUCCEEDED', 'task-failed': 'FAILED', failed: 'FAILED' } as const),
};

export function stateOf({ kind }: ListingResult): ListingState {
  return STATES[kind];
}

export function listingIdOf(result: ListingResult): string | null {
  if ('payload' in result) return result.payload.listing.id;
  return result.listing?.id ?? null;
}

export function taskOf(result: ListingResult): VideoTask | null {
  return 'task' in result ? result.task : null;
}

export function violationsOf(result: ListingResult): readonly PlacedViolation[] {
  return 'detail' in result ? result.detail : [];
}

/**
 * @returns The violations as documents show them: those of the API, with our own `message`, and `line` and `column`
 * of the file (from 1; null where it has no such place).
 */
export function detailOf(result: ListingResult) {
  return violationsOf(result).map(({ place, ...violation }) => ({
    ...violation,
    ...positionOf(result.source, place),
  }));
}

export function warningsOf(source: ListingSource) {
  return source.warnings.map(({ place, ...warning }) => ({ ...warning, ...positionOf(source, place) }));
}

export function positionOf({ firstLine, file }: ListingSource, place: TextPlace | null) {
  if (place !== null) return { line: firstLine + place.line - 1, column: place.column };
  // A line of NDJSON is known also without its text.
  return { line: LINE_IN_NAME.test(file) ? firstLine : null, column: null };
}

/** The 3 of `new.ndjson:3`. */
const LINE_IN_NAME = /:\d+$/;

export function fileNameOf({ file, firstLine }: ListingSource): string {
  const ending = `:${firstLine}`;
  return LINE_IN_NAME.test(file) && file.endsWith(ending) ? file.slice(0, -ending.length) : file;
}

/** @returns Seconds from submitting to the end; 0 when it was not submitted. */
export function durationSecOf(result: ListingResult): number {
  return 'durationSec' in result ? result.durationSec : 0;
}

export function toInvalidDocument(result: InvalidListing | RejectedListing) {
  const { source } = result;
  return { file: source.file, valid: false, detail: detailOf(result), warnings: warningsOf(source) } as const;
}

/** True when every video existed before the run. */
export function isUnchanged(result: ListingResult): boolean {
  if (result.kind !== 'succeeded') return false;
  const videos = [...result.videos, ...(result.alsoRatio ?? []), ...(result.alsoFor ?? [])];
  return videos.length > 0 && videos.every((video) => video.is_unchanged === true);
}

/** Why a listing has no videos: code, message and what to do; null when it has some, or was not started. */
export function failureOf(result: ListingResult): { code: string; message: string; hint?: string } | null {
  switch (result.kind) {
    case 'invalid':
    case 'rejected': {
      const [first] = result.detail;
      const rest = result.detail.length - 1;
      const more = rest > 0 ? ` (and ${rest} more violation${rest === 1 ? '' : 's'})` : '';
      const where = first === undefined || first.loc.length <= 1 ? '' : `${formatPath(first.loc)}: `;
      return { code: codeOf(result), message: `${where}${first?.message ?? 'invalid'}${more}` };
    }
    case 'failed':
      return withHint(result.error.code, result.error.message, result.error.hint);
    case 'task-failed': {
      const { code = 'task_failed', message = 'failed', hint } = result.task.failure ?? {};
      return withHint(code, message, hint);
    }
    default:
      return null;
  }
}

/** A file that is not there is no invalid listing. */
export function codeOf({ detail: [first] }: InvalidListing | RejectedListing) {
  return first?.type === 'file_not_found' ? 'file_not_found' : 'invalid_listing';
}

function withHint(code: string, message: string, hint: string | undefined) {
  return { code, message, ...(hint === undefined ? {} : { hint }) };
}

/** How many listings ended in each state, with the keys of the manifest and the events. */
export function countResults(results: readonly ListingResult[]) {
  const count = (state: ListingState): number => results.filter((result) => stateOf(result) === state).length;
  return {
    listings: results.length,
    succeeded: count('SUCCEEDED'),
    // Of those that succeeded.
    unchanged: results.filter(isUnchanged).length,
    failed: count('FAILED'),
    invalid: count('INVALID'),
    not_started: count('NOT_STARTED'),
  };
}

/** True when there is no value to hold against the rules: the error of a single listing then says it all. */
export function isUnreadable({ detail: [first] }: InvalidListing | RejectedListing): boolean {
  return first?.type === 'json_invalid' || first?.type === 'file_not_found';
}
