/**
 * The task engine of a server, through its /v1 API. `runTask` ends with the files in the listing's output folder, as
 * after a local run. Operations that the API does not have are absent.
 */
import { ListingVideoError } from '../../platform/errors.ts';
import { createTransport, filePolicy, systemClientDeps } from '../../platform/network/transport.ts';
import { taskNotFound } from '../../task/task-id.ts';
import { summarizePayload } from '../../video/video-task-summary.ts';
import type { VideoTaskEngine } from '../video-task.ts';
import { createApiClient } from './api-client.ts';
import { beginTask } from './begin-task.ts';
import { finishTask } from './finish-task.ts';
import type { ApiOrganization } from './parse-answer.ts';
import {
  type FollowedTask,
  lookAt,
  NEW_TASK,
  type RemoteContext,
  type RemoteEngineOptions,
} from './remote-context.ts';
import { toTaskRecord } from './task-record.ts';

export interface RemoteEngine
  extends Pick<VideoTaskEngine, 'submit' | 'runTask' | 'get' | 'payload' | 'list' | 'cancel'> {
  organization(): Promise<ApiOrganization>;
  /** Whether listings can name files of this machine, which are then uploaded. */
  takesFiles(): Promise<boolean>;
  close(): Promise<void>;
}

/** The first call of a method sends the first request. */
export function createRemoteEngine(options: RemoteEngineOptions): RemoteEngine {
  const { server, network = systemClientDeps, signal = new AbortController().signal } = options;
  const transport = createTransport({ ...network, proxies: options.proxies });
  const client = createApiClient({ ...options, transport, network });
  const policy = filePolicy(new URL(server));
  const context: RemoteContext = { ...options, network, signal, transport, policy, client };
  const followed = new Map<string, FollowedTask>();
  return {
    submit: async (task, submit = {}) => {
      const { id, ...follow } = await beginTask(task, submit, context);
      if (followed.has(id)) {
        await follow.folder.close();
        const message = `the server returned task ${id} for two listings`;
        throw new ListingVideoError('server_answer_invalid', message);
      }
      followed.set(id, follow);
      const summary = summarizePayload(follow.payload);
      return toTaskRecord({ ...NEW_TASK, id }, { nowMs: network.nowMs(), summary });
    },
    runTask: async (id, run) => {
      const follow = followed.get(id);
      if (follow === undefined) throw taskNotFound(id);
      try {
        return await finishTask(id, follow, context, run ?? {});
      } finally {
        followed.delete(id);
        await follow.folder.close();
      }
    },
    payload: async () => null,
    get: async (id) => toTaskRecord(await lookAt(id, context), { nowMs: network.nowMs() }),
    list: async ({ limit, state, startingAfter }) => {
      try {
        const { data, hasMore } = await client.listTasks({ limit, state, startingAfter }, signal);
        const nowMs = network.nowMs();
        return { data: data.map((task) => toTaskRecord(task, { nowMs })), hasMore, warnings: [] };
      } catch (error) {
        const isUnknownCursor = error instanceof ListingVideoError && error.code === 'invalid_listing';
        throw isUnknownCursor && startingAfter !== undefined ? taskNotFound(startingAfter) : error;
      }
    },
    cancel: async (id) => {
      // First, because without it nothing distinguishes a server that offers no such path from one without the task.
      await lookAt(id, context);
      const task = await client.cancelTask(id, signal);
      if (task !== null) return toTaskRecord(task, { nowMs: network.nowMs() });
      throw new ListingVideoError('usage', `${server} cannot cancel tasks: it is of an earlier version`, {
        hint: `on the machine of the server: listing-video tasks cancel ${id}`,
        context: { server },
      });
    },
    organization: () => client.getOrganization(signal),
    takesFiles: async () => (await client.getOrganization(signal)).betas.includes('uploads'),
    close: async () => {
      transport.close();
      for (const { folder } of followed.values()) await folder.close();
      followed.clear();
    },
  };
}
