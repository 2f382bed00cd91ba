/**
 * The task engine of another machine: what commands do with tasks, done through the /v1 API of a server. A task that is
 * followed ends here with its files in the folder of the listing, as if it had been rendered here. What the API does not
 * offer is absent.
 */
import { randomUUID } from 'node:crypto';
import { findErrorRow, ListingVideoError } from '../errors.ts';
import type { RunTaskOptions, SubmittedTask } from '../task/engine/task-engine.ts';
import type { TaskProgress } from '../task/task.ts';
import { taskNotFound } from '../task/task-id.ts';
import type { TaskQuery } from '../task/task-store.ts';
import { type OutputFolder, openOutputFolder } from '../video/publish/output-folder.ts';
import type { VideoTaskOutcome, VideoTaskPayload } from '../video/video-task.ts';
import { type ApiClient, createApiClient } from './api-client.ts';
import {
  type EarlierResults,
  type FetchRequest,
  fetchResults,
  findEarlierResults,
  keepResults,
} from './fetch-results.ts';
import { type NetworkDeps, systemNetworkDeps } from './network-deps.ts';
import type { ApiOrganization, ApiTask } from './parse-answer.ts';
import { type TaskRequest, toTaskRequest } from './request-body.ts';
import { openResumeState, type ResumeState, type SubmittedRequest } from './resume-state.ts';
import { LONG_PATIENCE } from './retry.ts';
import { toTaskRecord, type VideoTask, type VideoTaskEngine } from './task-record.ts';
import { createTransport, type Transport, trustFor } from './transport.ts';

/** Between two looks at a task whose server does not say when to come again. */
const LOOK_MS = 2_000;
/** Nobody likes to watch a number that stands still for longer. */
const LONGEST_LOOK_MS = 10_000;
/** Of the whole, the part that is the server's work; the rest is fetching. */
const SERVER_SHARE = 0.95;
const TASK_ID = /^[A-Za-z0-9_-]{8,128}$/;

export interface RemoteEngineOptions {
  /** Without a slash at the end; may have a path. */
  readonly server: string;
  readonly key: string | undefined;
  /** `listing-video 1.2.3`. */
  readonly generator: string;
  readonly warn: (message: string) => void;
  /** Ends requests that no signal of their own ends. */
  readonly signal?: AbortSignal | undefined;
  readonly network?: NetworkDeps;
}

export interface RemoteEngine extends Pick<VideoTaskEngine, 'submit' | 'runTask' | 'get' | 'list'> {
  organization(): Promise<ApiOrganization>;
  close(): Promise<void>;
}

/** A task that this process follows, its folder locked. */
interface FollowedTask {
  readonly payload: VideoTaskPayload;
  readonly request: TaskRequest;
  readonly folder: OutputFolder;
  readonly resumeState: ResumeState;
  readonly earlier: EarlierResults | null;
  readonly startedMs: number;
  /** An earlier command had begun it. */
  readonly isResumed: boolean;
}

/** Opens nothing by itself. */
export function createRemoteEngine(options: RemoteEngineOptions): RemoteEngine {
  const { network = systemNetworkDeps, signal = new AbortController().signal, warn } = options;
  const transport = createTransport(network);
  const client = createApiClient({ ...options, transport, network });
  const context: RemoteContext = { ...options, network, signal, warn, transport, client };
  const followed = new Map<string, FollowedTask>();
  return {
    submit: async (task) => {
      const { id, state, ...follow } = await begin(task, context);
      if (followed.has(id)) {
        await follow.folder.close();
        throw new ListingVideoError('server_answer_invalid', `the server gives task ${id} to two listings`);
      }
      followed.set(id, follow);
      return toTaskRecord(state, { nowMs: network.nowMs(), payload: follow.payload });
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
    get: async (id) => toTaskRecord(await lookAt(id, context), { nowMs: network.nowMs() }),
    list: (query) => listTasks(query, context),
    organization: () => client.getOrganization({ signal }),
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
  readonly client: ApiClient;
}

type BegunTask = FollowedTask & { readonly id: string; readonly state: ApiTask };

/** The task of this payload: one whose films are here already, one that an earlier command left, or a new one. */
async function begin(
  { payload }: SubmittedTask<VideoTaskPayload>,
  context: RemoteContext,
): Promise<BegunTask> {
  const { server, generator, network } = context;
  const request = toTaskRequest(payload, server);
  const folder = await openOutputFolder(payload.outputDir);
  try {
    const resumeState = openResumeState(folder.path);
    const order = { payload, request, server, folder, generator };
    const earlier = payload.options.force ? null : await findEarlierResults(order);
    const follow = {
      ...{ payload, request, folder, resumeState, earlier },
      ...{ startedMs: network.nowMs(), isResumed: true },
    };
    const standingId = earlier && (await taskOfStanding(earlier, context));
    if (standingId !== null) return toBegun(follow, standingId);
    const { id, isResumed } = await earlierTask(follow, context);
    return toBegun({ ...follow, isResumed }, id);
  } catch (error) {
    await folder.close();
    throw error;
  }
}

function toBegun(follow: FollowedTask, id: string): BegunTask {
  return { ...follow, id, state: { ...NEW_TASK, id } };
}

const NEW_TASK: Omit<ApiTask, 'id'> = {
  state: 'PENDING',
  failureMessage: null,
  results: [],
  droppedAssets: [],
  progress: null,
};

/** The task that made what stands, where the rest of it can be had; null when the server has forgotten it. */
async function taskOfStanding(
  { taskId, videos }: EarlierResults,
  context: RemoteContext,
): Promise<string | null> {
  if (videos.every((video) => video !== null)) return taskId;
  const task = await lookAt(taskId, context).catch(orNullWhenUnknown);
  return task === null || task.state === 'FAILED' ? null : taskId;
}

/** The task that an earlier command asked for and did not see to its end; else a new one. */
async function earlierTask(
  { resumeState, payload, request }: FollowedTask,
  context: RemoteContext,
): Promise<{ id: string; isResumed: boolean }> {
  const { server } = context;
  const isForced = payload.options.force;
  const found = await resumeState.readTask();
  const isSame = found?.requestSha256 === request.sha256 && found.server === server;
  let note: SubmittedRequest | null = isSame && (found.isForced || !isForced) ? found : null;
  if (note?.taskId != null) {
    const task = await lookAt(note.taskId, context).catch(orNullWhenUnknown);
    if (task !== null && task.state !== 'FAILED') return { id: note.taskId, isResumed: true };
    note = null;
  }
  if (note === null) {
    await resumeState.clear();
    const idempotencyKey = randomUUID();
    note = { server, requestSha256: request.sha256, idempotencyKey, taskId: null, isForced };
    // Before it is sent: whoever comes after a crash asks with the same key, and is given the same task.
    await resumeState.writeTask(note);
  }
  try {
    const taskId = await context.client.createTask(request.body, note.idempotencyKey, {
      signal: context.signal,
    });
    await resumeState.writeTask({ ...note, taskId });
    return { id: taskId, isResumed: false };
  } catch (error) {
    // Of a refusal nothing is left to go on with; of silence nobody knows whether there is a task.
    if (isRefusal(error)) await resumeState.clear();
    throw error;
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ListingVideoError && findErrorRow(error.code)?.refusesTask === true;
}

function orNullWhenUnknown(error: unknown): null {
  if (error instanceof ListingVideoError && error.code === 'task_not_found') return null;
  throw error;
}

async function finish(
  id: string,
  follow: FollowedTask,
  context: RemoteContext,
  run: RunTaskOptions,
): Promise<VideoTask> {
  const { payload, resumeState, earlier } = follow;
  const signal = AbortSignal.any([context.signal, ...(run.signal === undefined ? [] : [run.signal])]);
  const { network, transport, warn, server } = context;
  const record = (task: ApiTask, outcome?: VideoTaskOutcome): VideoTask =>
    toTaskRecord(task, {
      ...{ nowMs: follow.startedMs, payload },
      span: { fromMs: follow.startedMs, toMs: network.nowMs() },
      ...(outcome === undefined ? {} : { outcome }),
    });
  const order: FetchRequest = {
    ...follow,
    warnings: follow.isResumed ? [`this is task ${id}, which an earlier command began`] : [],
    ...{ server, generator: context.generator },
    download: {
      ...{ transport, network, resumeState, signal, warn },
      isHostTrusted: trustFor(new URL(server)),
      onProgress: (fraction) => run.onProgress?.(fetching(fraction)),
    },
  };
  let hasEnded = false;
  try {
    if (earlier?.taskId === id && earlier.videos.every((video) => video !== null)) {
      return record({ ...NEW_TASK, id, state: 'SUCCEEDED' }, await keepResults(earlier, order));
    }
    const task = await waitFor(id, context, { ...run, signal });
    hasEnded = true;
    if (task.state === 'FAILED') {
      await resumeState.clear();
      return record(task);
    }
    return record(task, await fetchResults(task, earlier?.taskId === id ? earlier : null, order));
  } catch (error) {
    throw signal.aborted ? stopped(id, server, hasEnded, error) : error;
  }
}

/** Looks until the task has ended. */
async function waitFor(
  id: string,
  { client, network }: RemoteContext,
  run: RunTaskOptions & { signal: AbortSignal },
): Promise<ApiTask> {
  const { signal, onProgress } = run;
  let percent = 0;
  for (;;) {
    const { task, retryAfterMs } = await client.getTask(id, { signal, patience: LONG_PATIENCE });
    if (task.state === 'SUCCEEDED' || task.state === 'FAILED') return task;
    const { percent: done = 0, stage = null, etaSeconds = null } = task.progress ?? {};
    percent = Math.max(percent, done * SERVER_SHARE);
    onProgress?.({ percent, stage: task.state === 'PENDING' ? 'wait' : stage, etaSeconds });
    const waitMs = Math.min(LONGEST_LOOK_MS, Math.max(500, retryAfterMs ?? LOOK_MS));
    await network.delay(waitMs, signal);
  }
}

function fetching(fraction: number): TaskProgress {
  const percent = 100 * (SERVER_SHARE + (1 - SERVER_SHARE) * fraction);
  return { percent: Math.min(100, percent), stage: 'fetch', etaSeconds: null };
}

/** What an interrupt leaves, and how to go on. */
function stopped(id: string, server: string, hasEnded: boolean, cause: unknown): ListingVideoError {
  const message = hasEnded
    ? `no longer fetching the results of task ${id}; they stay at ${server}`
    : `no longer waiting for task ${id}; it goes on at ${server}`;
  return new ListingVideoError('cancelled', message, {
    cause,
    hint: `the same command again goes on with it; listing-video tasks watch ${id} --server ${server} ${hasEnded ? 'shows' : 'follows'} it`,
    context: { task_id: id, server },
  });
}

async function lookAt(
  id: string,
  { client, signal }: Pick<RemoteContext, 'client' | 'signal'>,
): Promise<ApiTask> {
  // Anything else would be another path of the API.
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
    const page = await client.listTasks(
      {
        limit,
        ...(state === undefined ? {} : { state }),
        ...(startingAfter === undefined ? {} : { startingAfter }),
      },
      { signal },
    );
    const nowMs = network.nowMs();
    return {
      data: page.data.map((task) => toTaskRecord(task, { nowMs })),
      hasMore: page.hasMore,
      warnings: [],
    };
  } catch (error) {
    const isUnknownCursor = error instanceof ListingVideoError && error.code === 'invalid_listing';
    throw isUnknownCursor && startingAfter !== undefined ? taskNotFound(startingAfter) : error;
  }
}
