/** What the server needs from wiring and from tests. Types only. */

import type { AccountStore } from '../../task/accounts/account-store.ts';
import type { Listing } from '../../listing/listing.ts';
import type { TaskEngine } from '../../task/engine/task-engine.ts';
import type { TaskStore } from '../../task/task-store.ts';
import type { FileStorage } from '../../video/publish/file-storage.ts';
import type { Uploads } from '../../video/uploads/open-uploads.ts';
import type { VideoTaskOutcome, VideoTaskPayload } from '../../video/video-task.ts';
import type { TrustedProxies } from './sockets/client-address.ts';
import type { TaskStreams } from './events/task-streams.ts';
import type { Logger } from './watch/logger.ts';
import type { Metrics } from './watch/metrics.ts';
import type { OfferedTemplate } from '../../server/offered-template.ts';
import type { VideoTask } from '../../server/video-task.ts';

export type { VideoTask };

/** The engine of such tasks. */
export type VideoTaskEngine = TaskEngine<VideoTaskPayload, VideoTaskOutcome>;

/** Settings that do not change while the server runs. */
export interface ServerConfig {
  /**
   * True when only programs of this machine can reach it; see `isLocalServer`. Without keys it then trusts its callers.
   */
  readonly isLocal: boolean;
  /** True when a proxy can stand in front, so that a request from loopback can be that of anyone. */
  readonly canBeProxied: boolean;
  readonly proxies: TrustedProxies;
  /** Absolute, without a slash at the end. A function, because a free port is known only when the server listens. */
  readonly publicUrl: () => string;
  readonly bodyLimitBytes: number;
  /** Of one key, or of one address without a key; 0 is no limit. In development there is none. */
  readonly requestsPerMinute: number;
  /** Maximum number of waiting tasks. */
  readonly queueLimit: number;
  /** Maximum number of waiting tasks of one organization. Undefined: only the limit of all. */
  readonly organizationWaiting?: number | undefined;
  /** Origins whose pages can call the API. `*` means all, an empty list turns CORS off. */
  readonly corsOrigins: readonly string[];
  /** Sends files of a bucket through this server instead of redirecting to them. */
  readonly proxiesFiles?: boolean | undefined;
}

/** State that changes while the server runs. */
export interface ServerState {
  isDraining: boolean;
}

/** Makes the payload of a new task, which names its output folder. */
export type MakePayload = (
  listing: Listing,
  owner: { readonly organizationId: string; readonly taskId: string },
) => VideoTaskPayload;

/** Whether the service can work now, and the result of each check. */
export interface Readiness {
  readonly isReady: boolean;
  readonly checks: Readonly<Record<string, boolean>>;
}

/** Everything that `createHttpApp` needs. */
export interface ServerDeps {
  readonly config: ServerConfig;
  readonly state: ServerState;
  readonly engine: Pick<VideoTaskEngine, 'submit' | 'get' | 'list' | 'cancel' | 'health'>;
  readonly store: Pick<TaskStore, 'count'>;
  readonly accounts: Pick<
    AccountStore,
    'authenticate' | 'hasEverHadKeys' | 'defaultOrganizationId' | 'getOrganization' | 'beginIdempotent'
  >;
  readonly files: Pick<FileStorage, 'root' | 'locate' | 'describe' | 'findRemote' | 'remoteOrigin'>;
  /** False: others render the tasks that this app accepts. */
  readonly rendersTasks?: boolean;
  /** Ids of the templates that exist. */
  readonly templateIds: () => Promise<readonly string[]>;
  /** The templates that can be used, by id. The same list until a template changes. */
  readonly templates: () => Promise<readonly OfferedTemplate[]>;
  /** Credits that a task for this listing costs. */
  readonly priceOf: (listing: Listing) => number;
  readonly makePayload: MakePayload;
  readonly newTaskId: () => string;
  /** Also makes room on the disk, as far as the cache has some. */
  readonly checkReadiness: () => Promise<Readiness>;
  /** Null if this server takes none. */
  readonly uploads: Omit<Uploads, 'hasAny' | 'sweep'> | null;
  readonly streams: Pick<TaskStreams, 'open'>;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Milliseconds of a clock that never runs backwards. */
  readonly monotonicMs: () => number;
}
