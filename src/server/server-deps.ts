/** What the server is made of, as handed in by wiring and by tests. Types only. */
import type { AccountStore } from '../account/account-store.ts';
import type { Listing } from '../listing/listing.ts';
import type { TaskEngine } from '../task/engine/task-engine.ts';
import type { JsonValue } from '../task/task.ts';
import type { TaskStore } from '../task/task-store.ts';
import type { FileStorage } from '../video/publish/file-storage.ts';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';

/** What stands fixed while the server runs. */
export interface ServerConfig {
  /** True when it listens on loopback only. */
  readonly isLoopback: boolean;
  /** Absolute, without a slash at the end. Asked at each use: a free port is known only once it listens. */
  readonly publicUrl: () => string;
  readonly bodyLimitBytes: number;
  /** Waiting tasks beyond which no more are taken. */
  readonly queueLimit: number;
  /** Origins whose pages may call the API; `*` for all, none to leave CORS off. */
  readonly corsOrigins: readonly string[];
}

/** What changes while it runs. */
export interface ServerState {
  isDraining: boolean;
}

/** Where a new task's files go and what is to be made, as stored with the task. */
export type MakePayload = (
  listing: Listing,
  owner: { readonly organizationId: string; readonly taskId: string },
) => JsonValue;

/** Whether the service could do its work now; each check by name. */
export interface Readiness {
  readonly isReady: boolean;
  readonly checks: Readonly<Record<string, boolean>>;
}

/** All that `createApp` needs. */
export interface ServerDeps {
  readonly config: ServerConfig;
  readonly state: ServerState;
  readonly engine: Pick<TaskEngine, 'submit' | 'get' | 'list'>;
  readonly store: Pick<TaskStore, 'count'>;
  readonly accounts: Pick<
    AccountStore,
    'authenticate' | 'hasEverHadKeys' | 'defaultOrganizationId' | 'getOrganization' | 'beginIdempotent'
  >;
  readonly files: Pick<FileStorage, 'root' | 'locate' | 'describe'>;
  /** Ids of the templates that exist. */
  readonly templateIds: () => Promise<readonly string[]>;
  readonly makePayload: MakePayload;
  readonly newTaskId: () => string;
  readonly checkReadiness: () => Promise<Readiness>;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Milliseconds of a clock that never runs backwards. */
  readonly monotonicMs: () => number;
}
