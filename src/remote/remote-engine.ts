/**
 * The task engine of a server, through its /v1 API. `runTask` ends with the files in the listing's output folder, as after
 * a local run. Operations that the API does not have are absent.
 */

import { randomUUID } from 'node:crypto';
import { findErrorRow, ListingVideoError, nullOn } from '../errors.ts';
import type { Listing } from '../listing/listing.ts';
import { listLocalFiles } from '../listing/rules/find-local-files.ts';
import type { AddressPolicy } from '../network/guard-address.ts';
import type { Proxies } from '../network/proxies.ts';
import type { RunTaskOptions, SubmittedTask } from '../task/engine/task-engine.ts';
import type { TaskProgress } from '../task/task.ts';
import { taskNotFound } from '../task/task-id.ts';
import type { TaskQuery } from '../task/task-store.ts';
import { readEarlierRun } from '../video/plan/earlier-run.ts';
import { findUnknownVideos } from '../video/plan/unknown-videos.ts';
import { type OutputFolder, openOutputFolder } from '../video/publish/output-folder.ts';
import type { LocalImages } from '../video/uploads/read-local-image.ts';
import type { VideoTaskOutcome, VideoTaskPayload } from '../video/video-task.ts';
import { summarizePayload } from '../video/video-task-summary.ts';
import { type ApiClient, createApiClient, type TaskChange } from './api-client.ts';
import {
  type EarlierResults,
  type FetchRequest,
  fetchResults,
  findEarlierResults,
  keepResults,
} from './fetch-results.ts';
import { type NetworkDeps, systemNetworkDeps } from './network-deps.ts';
import { type ApiOrganization, type ApiTask, TASK_ID } from './parse-answer.ts';
import { planFiles } from './plan-files.ts';
import { type TaskRequest, toRequestBody, toRequestListing, toTaskRequest } from './request-body.ts';
import { openResumeState, type ResumeState, type SubmittedRequest } from './resume-state.ts';
import { LONG_PATIENCE } from './retry.ts';
import { toTaskRecord, type VideoTask, type VideoTaskEngine } from './task-record.ts';
import { createTransport, filePolicy, type Transport } from './transport.ts';
import type { UploadedFiles } from './upload-files.ts';

/** Between two polls when the server requests no wait. */
const POLL_MS = 2_000;
/** A longer wait would make the progress look stuck. */
const MAX_POLL_MS = 10_000;
/** After so many streams without an event only polls follow: a proxy can hold events back. */
const MAX_EMPTY_STREAMS = 3;
/** Share of the progress that is the server's work; the rest is downloading. */
const SERVER_SHARE = 0.95;

export interface RemoteEngineOptions {
  /** Without a slash at the end; may have a path. */
  readonly server: string;
  readonly key: string | undefined;
  /** `listing-video 1.2.3`. */
  readonly generator: string;
  readonly warn: (message: string) => void;
  /** Aborts all requests. */
  readonly signal?: AbortSignal | undefined;
  /** Absent: every connection is direct. */
  readonly proxies?: Proxies | null | undefined;
  readonly network?: NetworkDeps;
}

export interface RemoteEngine
  extends Pick<VideoTaskEngine, 'submit' | 'runTask' | 'get' | 'payload' | 'list'> {
  organization(): Promise<ApiOrganization>;
  /** Whether listings can name files of this machine, which are then uploaded. */
  takesFiles(): Promise<boolean>;
  close(): Promise<void>;
}

/** A task that this process follows; its output folder is locked. */
interface FollowedTask extends Pick<FetchRequest, 'files' | 'inFolder'> {
  readonly payload: VideoTaskPayload;
  readonly request: TaskRequest;
  readonly folder: OutputFolder;
  readonly resumeState: ResumeState;
  readonly earlier: EarlierResults | null;
  readonly startedMs: number;
  /** An earlier command began it. */
  readonly isResumed: boolean;
}

/** The first call of a method sends the first request. */
export function createRemoteEngine(options: RemoteEngineOptions): RemoteEngine {
  const { network = systemNetworkDeps, signal = new AbortController().signal, warn } = options;
  const transport = createTransport({ ...network, proxies: options.proxies });
  const client = createApiClient({ ...options, transport, network });
  const policy = filePolicy(new URL(options.server));
  const context: RemoteContext = { ...options, network, signal, warn, transport, policy, client };
  const followed = new Map<string, FollowedTask>();
  return {
    submit: async (task) => {
      const { id, ...follow } = await begin(task, context);
      if (followed.has(id)) {
        await follow.folder.close();
        const message = `the server returned task ${id} for two listings`;
        throw new ListingVideoError('server_answer_invalid', message);
      }
      followed.set(id, follow);
      return toTaskRecord(
        { ...NEW_TASK, id },
        { nowMs: network.nowMs(), summary: summarizePayload(follow.payload) },
      );
    },
    runTask: async (id, run) => {
      const follow = followed.get(id);
      if (follow === undefined) throw taskNotFound(id);
      try {
        return await finish(id, follow, context, run ?? {});
      } finally {
        followed.delete(id);
        await follow.folder.close();
      }
    },
    payload: async () => null,
    get: async (id) => toTaskRecord(await lookAt(id, context), { nowMs: network.nowMs() }),
    list: (query) => listTasks(query, context),
    organization: () => client.getOrganization({ signal }),
    takesFiles: () => client.hasUploads({ signal }),
    close: async () => {
      transport.close();
      for (const { folder } of followed.values()) await folder.close();
      followed.clear();
    },
  };
}

interface RemoteContext extends RemoteEngineOptions {
  readonly network: NetworkDeps;
  readonly signal: AbortSignal;
  readonly transport: Transport;
  /** Of the files that the server names. */
  readonly policy: AddressPolicy;
  readonly client: ApiClient;
}

/** The task of this payload: the one of up-to-date results, the unfinished one of an earlier command, or a new one. */
async function begin(
  { payload }: SubmittedTask<VideoTaskPayload>,
  context: RemoteContext,
): Promise<FollowedTask & { readonly id: string }> {
  const { server, generator, network } = context;
  const listing = toRequestListing(payload);
  const images = await readImages(listing, payload.baseDir, context);
  const request = toTaskRequest(listing, server, images);
  const folder = await openOutputFolder(payload.outputDir);
  try {
    const resumeState = openResumeState(folder.path);
    const inFolder = await readEarlierRun(folder.path, payload);
    const unknown = await findUnknownVideos(folder.path, payload, inFolder);
    const named = { files: planFiles(payload, [...inFolder, ...unknown]), inFolder };
    const fetchRequest = { payload, request, server, folder, generator, ...named };
    const earlier = payload.options.force ? null : await findEarlierResults(fetchRequest);
    const startedMs = network.nowMs();
    const follow = { payload, request, folder, ...named, resumeState, earlier, startedMs, isResumed: true };
    const earlierId = earlier && (await taskOfResults(earlier, context));
    if (earlierId !== null) return { ...follow, id: earlierId };
    return { ...follow, ...(await resumeOrCreate(follow, context)) };
  } catch (error) {
    await folder.close();
    throw error;
  }
}

const NEW_TASK: Omit<ApiTask, 'id'> = {
  state: 'PENDING',
  failureMessage: null,
  results: [],
  droppedAssets: [],
  warnings: [],
  progress: null,
};

/** The task of the earlier results, if its other files are available; null when the server has deleted it. */
async function taskOfResults(
  { taskId, isLatest, videos }: EarlierResults,
  context: RemoteContext,
): Promise<string | null> {
  if (isLatest && videos.every((video) => video !== null)) return taskId;
  const task = await lookAt(taskId, context).catch(nullOn('task_not_found'));
  return task === null || task.state === 'FAILED' ? null : taskId;
}

/** Loaded only for listings with files of this machine. */
const uploading = () => import('./upload-files.ts');

async function readImages(
  listing: Listing,
  baseDir: string | null,
  context: RemoteContext,
): Promise<LocalImages> {
  if (listLocalFiles(listing).length === 0) return new Map();
  return (await uploading()).readLocalImages(listing, baseDir, context);
}

const NO_UPLOADS: UploadedFiles = { uploads: [], urls: new Map(), isNew: false };

/** The unfinished task of an earlier command; else a new one. */
async function resumeOrCreate(
  { resumeState, payload, request }: FollowedTask,
  context: RemoteContext,
): Promise<{ id: string; isResumed: boolean }> {
  const { server } = context;
  const isForced = payload.options.force;
  const found = await resumeState.readTask();
  const isSame = found?.requestSha256 === request.sha256 && found.server === server;
  let submitted: SubmittedRequest | null = isSame && (found.isForced || !isForced) ? found : null;
  if (submitted?.taskId != null) {
    const task = await lookAt(submitted.taskId, context).catch(nullOn('task_not_found'));
    if (task !== null && task.state !== 'FAILED') return { id: submitted.taskId, isResumed: true };
    submitted = null;
  }
  const { client, signal, network } = context;
  const upload = { ...request, server, client, resumeState, nowMs: network.nowMs(), signal };
  const { uploads, urls, isNew } =
    request.images.size === 0 ? NO_UPLOADS : await (await uploading()).uploadFiles(upload);
  // Other uploads make another body, which needs another key.
  if (isNew) submitted = null;
  if (submitted === null) {
    await resumeState.clear();
    if (uploads.length > 0) await resumeState.writeUploads(uploads);
    const idempotencyKey = randomUUID();
    submitted = { server, requestSha256: request.sha256, idempotencyKey, taskId: null, isForced };
    // Stored before it is sent: after a crash the next command sends the same key and gets the same task.
    await resumeState.writeTask(submitted);
  }
  try {
    const create = { body: toRequestBody(request, urls), betas: request.betas };
    const taskId = await client.createTask(create, submitted.idempotencyKey, { signal });
    await resumeState.writeTask({ ...submitted, taskId });
    return { id: taskId, isResumed: false };
  } catch (error) {
    // A refused request made no task; without an answer there can be one, so the state stays.
    if (isRefusal(error)) {
      await resumeState.clear();
      // The server does not need them again, unless it is them that it refuses.
      const isInvalid = error instanceof ListingVideoError && error.code === 'invalid_listing';
      if (uploads.length > 0 && !isInvalid) await resumeState.writeUploads(uploads);
    }
    throw error;
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ListingVideoError && findErrorRow(error.code)?.refusesTask === true;
}

async function finish(
  id: string,
  follow: FollowedTask,
  context: RemoteContext,
  run: RunTaskOptions,
): Promise<VideoTask> {
  const { payload, resumeState, earlier, folder } = follow;
  const signals = [context.signal, folder.lost, ...(run.signal === undefined ? [] : [run.signal])];
  const signal = AbortSignal.any(signals);
  const { network, transport, policy, warn, server } = context;
  const record = (task: ApiTask, outcome?: VideoTaskOutcome): VideoTask =>
    toTaskRecord(task, {
      nowMs: follow.startedMs,
      summary: summarizePayload(payload),
      span: { fromMs: follow.startedMs, toMs: network.nowMs() },
      ...(outcome === undefined ? {} : { outcome }),
    });
  const fetchRequest: FetchRequest = {
    ...follow,
    warnings: follow.isResumed ? [`this is task ${id}, which an earlier command began`] : [],
    server,
    generator: context.generator,
    download: {
      transport,
      network,
      resumeState,
      signal,
      warn,
      policy,
      onProgress: (fraction) => run.onProgress?.(fetching(fraction)),
    },
  };
  let hasEnded = false;
  try {
    if (earlier?.taskId === id && earlier.isLatest && earlier.videos.every((video) => video !== null)) {
      return record({ ...NEW_TASK, id, state: 'SUCCEEDED' }, await keepResults(earlier, follow));
    }
    const named = await namesOfUploads(follow);
    const task = withOwnNames(await waitFor(id, context, { ...run, signal }), named);
    hasEnded = true;
    if (task.state === 'FAILED') {
      await resumeState.clear();
      return record(task);
    }
    return record(task, await fetchResults(task, earlier?.taskId === id ? earlier : null, fetchRequest));
  } catch (error) {
    await folder.assertHeld();
    throw signal.aborted ? stopped(id, server, hasEnded, error) : error;
  }
}

/** The paths in the listing by the URLs of their uploads. */
async function namesOfUploads({
  request,
  resumeState,
}: Pick<FollowedTask, 'request' | 'resumeState'>): Promise<ReadonlyMap<string, string>> {
  if (request.images.size === 0) return new Map();
  const bySha256 = new Map([...request.images].map(([url, { sha256 }]) => [sha256, url] as const));
  const uploads = await resumeState.readUploads();
  return new Map(
    uploads.flatMap(({ url, sha256 }) => {
      const name = bySha256.get(sha256);
      return name === undefined ? [] : [[url, name] as const];
    }),
  );
}

/** Dropped assets under the names that the user gave them. */
function withOwnNames(task: ApiTask, named: ReadonlyMap<string, string>): ApiTask {
  const droppedAssets = task.droppedAssets.map((asset) => ({
    ...asset,
    url: named.get(asset.url) ?? asset.url,
  }));
  return { ...task, droppedAssets };
}

/** Follows the events of the task, or polls where there are none, until the task has ended. */
async function waitFor(
  id: string,
  { client, network }: RemoteContext,
  run: RunTaskOptions & { signal: AbortSignal },
): Promise<ApiTask> {
  const { signal, onProgress } = run;
  let percent = 0;
  let isPending = true;
  let emptyStreams = 0;
  const report = ({ state, progress }: TaskChange): void => {
    isPending = state === undefined ? isPending : state === 'PENDING';
    const { percent: done = 0, stage = null, etaSeconds = null } = progress ?? {};
    percent = Math.max(percent, done * SERVER_SHARE);
    onProgress?.({ percent, stage: isPending ? 'wait' : stage, etaSeconds });
  };
  for (;;) {
    const { task, retryAfterMs, hasEvents } = await client.getTask(id, { signal, patience: LONG_PATIENCE });
    if (isEnded(task)) return task;
    report(task);
    if (hasEvents && emptyStreams < MAX_EMPTY_STREAMS) {
      emptyStreams += 1;
      const onChange = (change: TaskChange): void => {
        emptyStreams = 0;
        report(change);
      };
      const ended = await client.followTask(id, onChange, { signal });
      if (ended !== null && isEnded(ended)) return ended;
    }
    const waitMs = Math.min(MAX_POLL_MS, Math.max(500, retryAfterMs ?? POLL_MS));
    await network.delay(waitMs, signal);
  }
}

function isEnded({ state }: ApiTask): boolean {
  return state === 'SUCCEEDED' || state === 'FAILED';
}

function fetching(fraction: number): TaskProgress {
  const percent = 100 * (SERVER_SHARE + (1 - SERVER_SHARE) * fraction);
  return { percent: Math.min(100, percent), stage: 'fetch', etaSeconds: null };
}

/** The error of an interrupt: the task's state, and how to continue. */
function stopped(id: string, server: string, hasEnded: boolean, cause: unknown): ListingVideoError {
  const message = hasEnded
    ? `download of task ${id} stopped; its results stay at ${server}`
    : `no longer waiting for task ${id}; it continues at ${server}`;
  return new ListingVideoError('cancelled', message, {
    cause,
    hint: `run the same command again to continue, or listing-video tasks watch ${id} --server ${server} to ${hasEnded ? 'see' : 'follow'} it`,
    context: { task_id: id, server },
  });
}

async function lookAt(id: string, { client, signal }: RemoteContext): Promise<ApiTask> {
  // Other characters would change the path of the request.
  if (!TASK_ID.test(id)) throw taskNotFound(id);
  try {
    return (await client.getTask(id, { signal })).task;
  } catch (error) {
    if (error instanceof ListingVideoError && error.code === 'task_not_found') throw taskNotFound(id);
    throw error;
  }
}

async function listTasks(
  { limit, state, startingAfter }: TaskQuery,
  { client, signal, network }: RemoteContext,
): ReturnType<VideoTaskEngine['list']> {
  try {
    const { data, hasMore } = await client.listTasks({ limit, state, startingAfter }, { signal });
    const nowMs = network.nowMs();
    return { data: data.map((task) => toTaskRecord(task, { nowMs })), hasMore, warnings: [] };
  } catch (error) {
    const isUnknownCursor = error instanceof ListingVideoError && error.code === 'invalid_listing';
    throw isUnknownCursor && startingAfter !== undefined ? taskNotFound(startingAfter) : error;
  }
}
