/** What the server needs from wiring and from tests. Types only. */
import type { Hono } from 'hono';
import type { Template } from '../../design/template/template.ts';
import type { Listing } from '../../listing/listing.ts';
import type { AccountStore } from '../../task/accounts/account-store.ts';
import type { TaskStore } from '../../task/task-store.ts';
import type { FileStorage } from '../../video/publish/file-storage.ts';
import type { Uploads } from '../../video/uploads/open-uploads.ts';
import type { VideoTaskPayload } from '../../video/video-task.ts';
import type { VideoTaskEngine } from '../video-task.ts';
import type { TaskStreams } from './events/task-streams.ts';
import type { TrustedProxies } from './sockets/client-address.ts';
import type { Logger } from './watch/logger.ts';
import type { Metrics } from './watch/metrics.ts';

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
  readonly queueLimit: number;
  /** Maximum number of waiting tasks of one organization. Undefined: only the limit of all. */
  readonly organizationWaiting?: number | undefined;
  /** Origins whose pages can call the API. `*` means all, an empty list turns CORS off. */
  readonly corsOrigins: readonly string[];
  /** Sends files of a bucket through this server instead of redirecting to them. */
  readonly proxiesFiles?: boolean | undefined;
}

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

/** A template as the server offers it to clients. */
export interface OfferedTemplate
  extends Pick<Template, 'id' | 'name' | 'description' | 'branding' | 'dataLayers'> {
  readonly ratios: readonly string[];
  /** Null for a template without a sheet. */
  readonly sheet: TemplateSheet | null;
}

/** A JPEG with stills of all scenes. */
export interface TemplateSheet {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Of the bytes, safe in a URL. Nobody can guess it without the picture. */
  readonly digest: string;
}

/** Web pages that the server shows beside the API. */
export interface ServerPages {
  /** Exact paths of the pages. */
  readonly paths: readonly string[];
  /** Their other files are below it. */
  readonly assetsPath: string;
  /** An app with GET and HEAD routes at those paths, to be mounted at `/`. */
  createApp(options: {
    /** Absolute, without a slash at the end. */
    readonly publicUrl: () => string;
    /** Where the server redirects requests for result files, if it does. */
    readonly fileOrigin?: string | undefined;
    /** The server runs in development and renders itself: it can then fetch photos from itself. */
    readonly canFetchItself: () => Promise<boolean>;
  }): Hono;
}

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
  readonly templateIds: () => Promise<readonly string[]>;
  /** The templates that can be used, by id. The same list until a template changes. */
  readonly templates: () => Promise<readonly OfferedTemplate[]>;
  readonly priceOf: (listing: Listing) => number;
  readonly makePayload: MakePayload;
  readonly newTaskId: () => string;
  /** Also makes room on the disk, as far as the cache has some. */
  readonly checkReadiness: () => Promise<Readiness>;
  readonly uploads: Omit<Uploads, 'hasAny' | 'sweep'> | null;
  readonly pages: ServerPages;
  readonly streams: Pick<TaskStreams, 'open'>;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly monotonicMs: () => number;
}
