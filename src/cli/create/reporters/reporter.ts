/** What an output of `create` hears. Types only: `reporters.ts` has the list of all outputs. */
import type { FolderOwner } from '../../../platform/disk/owned-folder.ts';
import type { ListingVideoError } from '../../../platform/errors.ts';
import type { TaskProgress } from '../../../task/task.ts';
import type { Report } from '../../../video/publish/report.ts';
import type { ListingResult, ReadyListing } from '../../listings/listing-result.ts';

/** One output. A new one is a file with such an object, and its line in `createReporters`. */
export interface Reporter {
  /** Absolute path of what it writes; names it in errors. */
  readonly file?: string;
  /** All listings are validated, and the first will be rendered. @throws ListingVideoError This ends the command. */
  start?(batch: Batch): Promise<void> | void;
  /** Waited for, except when it is progress. */
  change?(change: ListingChange): Promise<void> | void;
  /** The last call. @throws ListingVideoError It is logged and decides the exit code; the other reporters go on. */
  finish?(end: BatchEnd): Promise<void> | void;
}

export interface Batch {
  /** Validated, in the order of the command line. */
  readonly listings: readonly ListingResult[];
  /** Several listings, or a shard of them. */
  readonly isBatch: boolean;
}

/** A listing, and its place on the command line. */
export interface PlacedListing {
  readonly listing: ReadyListing;
  readonly index: number;
}

export type ListingChange =
  /** It is this listing's turn. */
  | (PlacedListing & { readonly kind: 'started' })
  /** Its files are on their way to a server; there is no task yet. */
  | (PlacedListing & { readonly kind: 'sending'; readonly progress: TaskProgress })
  /** The task is durable. */
  | (PlacedListing & { readonly kind: 'accepted'; readonly taskId: string })
  | (PlacedListing & { readonly kind: 'progress'; readonly taskId: string; readonly progress: TaskProgress })
  /** Another process is writing its videos. */
  | (PlacedListing & { readonly kind: 'waiting'; readonly holder: FolderOwner | null })
  /** Another process was quicker to take its folder: it is tried again later. */
  | (PlacedListing & { readonly kind: 'postponed' })
  | {
      readonly kind: 'ended';
      readonly index: number;
      readonly result: ListingResult;
      /** Null for a listing without a task. */
      readonly taskId: string | null;
      /** Of a task that succeeded; empty when it cannot be read. */
      readonly report?: Partial<Report>;
    };

export interface BatchEnd extends Batch {
  /** False when the command failed before all listings had ended; `listings` are then as they were validated. */
  readonly isComplete: boolean;
  /** As far as it is known: a reporter that fails can raise it for the next ones. */
  readonly exitCode: number;
  /** What ends the command, also the failure of a single listing. */
  readonly error: ListingVideoError | null;
  readonly isInterrupted: boolean;
  /** When the first listing could be rendered, in milliseconds since 1970. */
  readonly startedMs: number;
  readonly durationSec: number;
}
