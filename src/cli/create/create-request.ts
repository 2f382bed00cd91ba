/** What one `create` is asked for, and what it works with. Types only: `run-create.ts` fills them. */
import type { Settings } from '../../platform/settings/setting-table.ts';
import type { VideoTaskOptions } from '../../video/video-task.ts';
import type { Backend } from '../../wiring/backend.ts';
import type { Printer } from '../command-run.ts';
import type { AnnotationPlaces } from '../listings/github-annotations.ts';
import type { ReadContext } from '../listings/read-listing.ts';
import type { Shard } from './create-options.ts';

export interface CreateRequest {
  /** Files, folders and globs of listings, as the command line has them. */
  readonly words: readonly string[];
  readonly reading: ReadContext;
  readonly settings: Pick<Settings, 'out' | 'pictures'>;
  /** Of every task. */
  readonly options: VideoTaskOptions;
  /** Folders of your own templates. */
  readonly templatesDirs: readonly string[];
  /** The server that renders; null for this machine. */
  readonly server: string | null;
  readonly isDryRun: boolean;
  readonly isFailFast: boolean;
  readonly outputs: CreateOutputs;
}

/** Where the results are told, beside the messages. */
export interface CreateOutputs {
  readonly shard: Shard | null;
  /** One document on stdout. */
  readonly json: boolean;
  /** Absolute path of the JUnit report. */
  readonly report: string | null;
  /** Events on stderr, which then has no messages. */
  readonly events: boolean;
  /** Absolute path of a file or pipe for the events. */
  readonly eventsFile: string | null;
  /** Null outside of GitHub Actions, and where stderr is for events alone. */
  readonly annotations: AnnotationPlaces | null;
}

export interface CreateDeps {
  readonly printer: Printer;
  readonly backend: () => Promise<Backend>;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  readonly version: string;
}
