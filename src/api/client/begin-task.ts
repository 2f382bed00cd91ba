/** Begins a remote task: takes up the one of an earlier command, or uploads the files of this machine and makes a new one. */
import { randomUUID } from 'node:crypto';
import { findErrorRow, ListingVideoError, nullOn } from '../../platform/errors.ts';
import type { Listing } from '../../listing/listing.ts';
import { listLocalFiles } from '../../listing/rules/find-local-files.ts';
import type { SubmitOptions, SubmittedTask } from '../../task/engine/task-engine.ts';
import { readEarlierRun } from '../../video/plan/earlier-run.ts';
import { findUnknownVideos } from '../../video/plan/unknown-videos.ts';
import { openOutputFolder } from '../../video/publish/output-folder.ts';
import type { LocalImages } from '../../video/uploads/read-local-image.ts';
import type { VideoTaskPayload } from '../../video/video-task.ts';
import { type EarlierResults, findEarlierResults } from './fetch-results.ts';
import { planFiles } from './plan-files.ts';
import { type FollowedTask, lookAt, type RemoteContext } from './remote-context.ts';
import { toRequestBody, toRequestListing, toTaskRequest } from './request-body.ts';
import { openResumeState, type SubmittedRequest } from '../../remote/resume-state.ts';
import type { UploadedFiles } from './upload-files.ts';

/** Of the whole work, when there are files to send. */
const UPLOAD_PERCENT = 10;

/** The task of this payload: the one of up-to-date results, the unfinished one of an earlier command, or a new one. */
export async function beginTask(
  { payload }: SubmittedTask<VideoTaskPayload>,
  { onProgress }: SubmitOptions,
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
    const follow = {
      ...{ payload, request, folder, ...named, resumeState, earlier, startedMs },
      ...{ isResumed: true, donePercent: 0 },
    };
    const earlierId = earlier && (await taskOfResults(earlier, context));
    if (earlierId !== null) return { ...follow, id: earlierId };
    return { ...follow, ...(await resumeOrCreate(follow, onProgress, context)) };
  } catch (error) {
    await folder.close();
    throw error;
  }
}

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
  onProgress: SubmitOptions['onProgress'],
  context: RemoteContext,
): Promise<Pick<FollowedTask, 'isResumed' | 'donePercent'> & { readonly id: string }> {
  const { server } = context;
  const isForced = payload.options.force;
  const found = await resumeState.readTask();
  const isSame = found?.requestSha256 === request.sha256 && found.server === server;
  let submitted: SubmittedRequest | null = isSame && (found.isForced || !isForced) ? found : null;
  if (submitted?.taskId != null) {
    const task = await lookAt(submitted.taskId, context).catch(nullOn('task_not_found'));
    if (task !== null && task.state !== 'FAILED')
      return { id: submitted.taskId, isResumed: true, donePercent: 0 };
    submitted = null;
  }
  const { client, signal, network } = context;
  const onUploaded = (share: number) =>
    onProgress?.({ percent: share * UPLOAD_PERCENT, stage: 'upload', etaSeconds: null });
  const upload = { ...request, server, client, resumeState, nowMs: network.nowMs(), signal, onUploaded };
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
    return { id: taskId, isResumed: false, donePercent: isNew ? UPLOAD_PERCENT : 0 };
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
