/** Begins a remote task: takes up that of an earlier command, or uploads files of this machine and makes a new one. */
import { randomUUID } from 'node:crypto';
import type { Listing, Violation } from '../../listing/listing.ts';
import { listLocalFiles } from '../../listing/rules/find-local-files.ts';
import { valueError } from '../../listing/rules/violation.ts';
import { alteredLabel } from '../../listing/words/altered-label.ts';
import { findErrorRow, ListingVideoError, nullOn } from '../../platform/errors.ts';
import type { SubmitOptions, SubmittedTask } from '../../task/engine/task-engine.ts';
import { readEarlierRun } from '../../video/plan/earlier-run.ts';
import { openOutputFolder } from '../../video/publish/output-folder.ts';
import type { VideoTaskPayload } from '../../video/video-task.ts';
import { findEarlierResults } from './fetch-results.ts';
import { planFiles } from './plan-files.ts';
import { type FollowedTask, lookAt, type RemoteContext } from './remote-context.ts';
import { toRequestBody, toRequestListing, toTaskRequest } from './request-body.ts';
import { openResumeState, type SubmittedRequest } from './resume-state.ts';

/** Of the whole work, when there are files to send. */
const UPLOAD_PERCENT = 10;

/** Loaded only for listings with files of this machine. */
const uploading = () => import('./upload-files.ts');

/** The task of this payload: the one of up-to-date results, the unfinished one of an earlier command, or a new one. */
export async function beginTask(
  { payload }: SubmittedTask<VideoTaskPayload>,
  { onProgress }: SubmitOptions,
  context: RemoteContext,
): Promise<FollowedTask & { readonly id: string }> {
  const { server, network } = context;
  const listing = toRequestListing(payload);
  const hasFiles = listLocalFiles(listing).length > 0;
  const images = hasFiles
    ? await (await uploading()).readLocalImages(listing, payload.baseDir, context)
    : new Map();
  const request = toTaskRequest(listing, server, images);
  const folder = await openOutputFolder(payload.outputDir);
  try {
    const resumeState = openResumeState(folder.path);
    const inFolder = await readEarlierRun(folder.path, payload);
    const follow = {
      payload,
      request,
      folder,
      resumeState,
      inFolder,
      files: planFiles(payload, inFolder),
      startedMs: network.nowMs(),
    };
    const earlier = payload.options.force ? null : await findEarlierResults(follow);
    if (earlier !== null && (earlier.isUpToDate || (await isAlive(earlier.taskId, context))))
      return { ...follow, earlier, id: earlier.taskId, isResumed: true, donePercent: 0 };
    return { ...follow, earlier: null, ...(await resumeOrCreate(follow, onProgress, context)) };
  } catch (error) {
    await folder.close();
    throw error;
  }
}

/** Whether the server still has the task, which has not failed. */
async function isAlive(id: string, context: RemoteContext): Promise<boolean> {
  const task = await lookAt(id, context).catch(nullOn('task_not_found'));
  return task !== null && task.state !== 'FAILED';
}

/**
 * A server that knows no altered photos would show them without their labels.
 *
 * @throws {@link ListingVideoError} `invalid_listing` with a violation for each.
 */
async function requireLabels(
  { assets }: Listing,
  { client, server, signal }: Pick<RemoteContext, 'client' | 'server' | 'signal'>,
): Promise<void> {
  const problem = `${server} would show this photo without its label: update the server, or use --no-server`;
  const violations = assets.flatMap((asset, index): Violation[] =>
    alteredLabel(asset) === null
      ? []
      : [valueError(['body', 'assets', index, 'altered'], asset.altered, problem)],
  );
  if (violations.length === 0) return;
  const { betas } = await client.getOrganization(signal);
  if (betas.includes('altered-photos')) return;
  throw new ListingVideoError('invalid_listing', `${server} does not label altered photos`, {
    context: { server, violations },
  });
}

/** The unfinished task of an earlier command; else a new one. */
async function resumeOrCreate(
  { resumeState, payload, request }: Pick<FollowedTask, 'resumeState' | 'payload' | 'request'>,
  onProgress: SubmitOptions['onProgress'],
  context: RemoteContext,
): Promise<Pick<FollowedTask, 'isResumed' | 'donePercent'> & { readonly id: string }> {
  const { server, client, signal, network } = context;
  const isForced = payload.options.force;
  const { task: found } = await resumeState.read();
  const isSame = found?.requestSha256 === request.sha256 && found.server === server;
  let submitted: SubmittedRequest | null = isSame && (found.isForced || !isForced) ? found : null;
  if (submitted?.taskId != null) {
    const { taskId } = submitted;
    if (await isAlive(taskId, context)) return { id: taskId, isResumed: true, donePercent: 0 };
    submitted = null;
  }
  await requireLabels(request.listing, context);
  const onUploaded = (share: number) =>
    onProgress?.({ percent: share * UPLOAD_PERCENT, stage: 'upload', etaSeconds: null });
  const upload = { ...request, server, client, resumeState, nowMs: network.nowMs(), signal, onUploaded };
  const { uploads, urls, isNew } =
    request.images.size === 0
      ? { uploads: [], urls: new Map(), isNew: false }
      : await (await uploading()).uploadFiles(upload);
  // Other uploads make another body, which needs another key.
  if (submitted === null || isNew) {
    await resumeState.clear();
    const idempotencyKey = randomUUID();
    submitted = { server, requestSha256: request.sha256, idempotencyKey, taskId: null, isForced };
    // Stored before it is sent: after a crash the next command sends the same key and gets the same task.
    await resumeState.write({ task: submitted, uploads });
  }
  try {
    const body = toRequestBody(request.listing, urls);
    const taskId = await client.createTask(body, request.betas, submitted.idempotencyKey, signal);
    await resumeState.write({ task: { ...submitted, taskId } });
    return { id: taskId, isResumed: false, donePercent: isNew ? UPLOAD_PERCENT : 0 };
  } catch (error) {
    // A refused request made no task; without an answer there can be one, so the state stays.
    if (error instanceof ListingVideoError && findErrorRow(error.code)?.refusesTask) {
      await resumeState.clear();
      // The server does not need them again, unless it is them that it refuses.
      if (uploads.length > 0 && error.code !== 'invalid_listing') await resumeState.write({ uploads });
    }
    throw error;
  }
}
