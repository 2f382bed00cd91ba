/** What the steps of a remote task share: the client, its server, and the task that this process follows. */
import { ListingVideoError } from '../../platform/errors.ts';
import type { AddressPolicy } from '../../platform/network/guard-address.ts';
import type { Proxies } from '../../platform/network/proxies.ts';
import type { ClientDeps, Transport } from '../../platform/network/transport.ts';
import { taskNotFound } from '../../task/task-id.ts';
import type { EarlierVideo } from '../../video/plan/earlier-run.ts';
import type { OutputFolder } from '../../video/publish/output-folder.ts';
import type { Report, ReportVideo } from '../../video/publish/report.ts';
import type { VideoTaskPayload } from '../../video/video-task.ts';
import type { ApiClient } from './api-client.ts';
import { type ApiTask, TASK_ID } from './parse-answer.ts';
import type { AgentFiles } from './plan-files.ts';
import type { TaskRequest } from './request-body.ts';
import type { ResumeState } from './resume-state.ts';

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
  readonly network?: ClientDeps;
}

export interface RemoteContext extends RemoteEngineOptions {
  readonly network: ClientDeps;
  readonly signal: AbortSignal;
  readonly transport: Transport;
  /** Of the files that the server names. */
  readonly policy: AddressPolicy;
  readonly client: ApiClient;
}

/** Results of an earlier run for the same request, of which some are complete. */
export interface EarlierResults {
  readonly taskId: string;
  /** Nothing has to be made or downloaded. */
  readonly isUpToDate: boolean;
  readonly report: Report;
  /** In the order of the agents; null where a file is missing or has changed. */
  readonly videos: readonly (ReportVideo | null)[];
}

/** A task that this process follows; its output folder is locked. */
export interface FollowedTask {
  readonly payload: VideoTaskPayload;
  readonly request: TaskRequest;
  readonly folder: OutputFolder;
  /** What the folder has from earlier runs, the latest first. */
  readonly inFolder: readonly EarlierVideo[];
  /** In the order of the agents. */
  readonly files: readonly AgentFiles[];
  readonly resumeState: ResumeState;
  /** Results of this task that an earlier command has downloaded. */
  readonly earlier: EarlierResults | null;
  readonly startedMs: number;
  /** An earlier command began it. */
  readonly isResumed: boolean;
  /** Of the whole work, when the task exists: sending files is a part of it. */
  readonly donePercent: number;
}

/** As the server makes it. */
export const NEW_TASK: Omit<ApiTask, 'id'> = {
  state: 'PENDING',
  failureMessage: null,
  results: [],
  droppedAssets: [],
  warnings: [],
  progress: null,
};

/** @throws {@link ListingVideoError} `task_not_found`, also for an id that is none; errors of the client. */
export async function lookAt(id: string, { client, signal }: RemoteContext): Promise<ApiTask> {
  // Other characters would change the path of the request.
  if (!TASK_ID.test(id)) throw taskNotFound(id);
  try {
    return (await client.getTask(id, signal)).task;
  } catch (error) {
    if (error instanceof ListingVideoError && error.code === 'task_not_found') throw taskNotFound(id);
    throw error;
  }
}
