/** The process that makes the videos of one task of a server: the same use case as `create`, at a lower priority. */
import { ListingVideoError } from '../../platform/errors.ts';
import { raiseOomScore } from '../../platform/limit-process.ts';
import { onLiveness } from '../../platform/liveness.ts';
import type { Settings } from '../../platform/settings/setting-table.ts';
import { ProcessDeath } from '../../task/engine/task-failure.ts';
import { BATCH_DONE, type WorkDivision } from '../../task/engine/task-handler.ts';
import { serveTask } from '../../task/process/serve-task.ts';
import type { BucketRequest } from '../../video/bucket/observe-request.ts';
import type { SharedCache } from '../../video/bucket/shared-cache.ts';
import type { VideoDivision } from '../../video/make/video-division.ts';
import { makeVideosTogether } from '../../video/make-videos.ts';
import { createFileStorage } from '../../video/publish/file-storage.ts';
import type { RenderDeps, RenderedWork } from '../../video/render-deps.ts';
import type { VideoTaskOutcome, VideoTaskPayload } from '../../video/video-task.ts';
import { proxiesOfServer } from '../choose-proxies.ts';
import { openRenderDeps } from '../open-render-deps.ts';
import { openStorage } from '../stores/open-storage.ts';
import { findUpload } from './open-uploads.ts';
import { renderSlotsOf } from './render-slots.ts';

export interface TaskRequest {
  readonly settings: Settings;
  /** Assets may come from private addresses. */
  readonly isTrusted: boolean;
}

/**
 * What the server hears of a task besides its outcome: rendered frames, a cache that is too small for it, and why it
 * works without the cache in the bucket, and its requests to the bucket.
 */
export type TaskFact =
  | RenderedWork
  | { readonly heldBytes: number }
  | { readonly cacheFault: string }
  | { readonly moveRefusal: string }
  | { readonly bucketRequest: BucketRequest };

raiseOomScore();
serveTask<VideoTaskPayload, VideoTaskOutcome, TaskRequest, TaskFact>(async (task, context) => {
  requireServerTask(task.payload);
  const { settings, isTrusted } = context.request;
  const local = openRenderDeps(settings, {
    proxies: proxiesOfServer(settings),
    onHeldExcess: (heldBytes) => context.reportFact({ heldBytes }),
  });
  const storage = await openStorage(settings, (bucketRequest) => context.reportFact({ bucketRequest }));
  const shared = storage?.shareCache(local.cache, (error) =>
    context.reportFact({ cacheFault: error instanceof Error ? error.message : String(error) }),
  );
  const owner = { organizationId: task.organizationId ?? '', taskId: task.id };
  const deps: RenderDeps = {
    ...local,
    cache: shared?.cache ?? local.cache,
    addressPolicy: { ...local.addressPolicy, allowPrivate: isTrusted },
    assetLimits: {},
    renderSlots: renderSlotsOf(context),
    onRendered: (work) => context.reportFact(work),
    onMoveRefused: (moveRefusal) => context.reportFact({ moveRefusal }),
    uploadFile: (id, to, signal) =>
      findUpload({ organizationId: owner.organizationId, id }, { home: settings.home, storage, to, signal }),
  };
  onLiveness(context.reportLiveness);
  // The data folder can have moved since the task was accepted, so the folder of the payload is not used.
  const files = storage?.files ?? createFileStorage(settings.home);
  const openFolder = () => files.openAttempt(owner, context.fence, context.assertOwned, context.signal);
  try {
    const division = await openDivision(context.division, shared, task.payload);
    const at = { ...context, taskId: task.id, openFolder };
    const outcome = await makeVideosTogether(task.payload, at, deps, division).catch(throwDeath);
    return outcome ?? BATCH_DONE;
  } finally {
    await shared?.close();
  }
});

/**
 * An ffmpeg that was killed (usually by the system, out of memory) or stopped by a signal is no failure of the listing:
 * another attempt can succeed.
 */
function throwDeath(error: unknown): never {
  if (error instanceof ListingVideoError && error.code === 'encode_failed') {
    const { signal, stderr, interrupted = false } = error.context ?? {};
    if (signal === 'SIGKILL' || interrupted)
      throw new ProcessDeath(error.message, {
        program: 'ffmpeg',
        signal: signal === 'SIGKILL' ? signal : null,
        stderr: `${stderr}`,
      });
  }
  throw error;
}

/**
 * A person with access to the row of a task could read files of the worker's machine with it.
 *
 * @throws {@link ListingVideoError} `store_corrupt` for a payload that names files, or has options of the command line.
 */
function requireServerTask({ baseDir, listingFile, options }: VideoTaskPayload): void {
  const { quality: _, minAssets: __, force: ___, ...others } = options;
  if (baseDir === null && listingFile === null && Object.keys(others).length === 0) return;
  throw new ListingVideoError(
    'store_corrupt',
    'the stored request of this task is none that a server makes',
    {
      hint: 'send the listing again; other tasks are not affected',
    },
  );
}

/**
 * Whether the task can be divided among workers, which needs a database, a bucket and an idle worker. Null if this
 * process makes the videos alone.
 *
 * @throws {@link ListingVideoError} `store_corrupt` if the stored batch was edited.
 */
async function openDivision(
  division: WorkDivision | undefined,
  shared: SharedCache | undefined,
  { nameSecret, options }: Pick<VideoTaskPayload, 'nameSecret' | 'options'>,
): Promise<VideoDivision | null> {
  if (division === undefined || shared === undefined || nameSecret === undefined || options.force)
    return null;
  if (division.batch === null && (await division.countIdle()) === 0) return null;
  const { VideoDivision } = await import('../../video/make/video-division.ts');
  return new VideoDivision({ ...division, shareAll: shared.widen, flush: shared.flush }, nameSecret);
}
