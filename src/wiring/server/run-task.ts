/** The process that makes the videos of one task of a server: the same use case as `create`, at a lower priority. */
import { ListingVideoError } from '../../platform/errors.ts';
import { onLifeSign } from '../../platform/liveness.ts';
import { raiseOomScore } from '../../platform/limit-process.ts';
import type { Settings } from '../../platform/settings/setting-table.ts';
import type { BucketRequest } from '../../video/bucket/observe-request.ts';
import { ProcessDeath } from '../../task/engine/process-death.ts';
import { BATCH_DONE } from '../../task/engine/work-division.ts';
import { serveTask } from '../../task/process/serve-task.ts';
import { makeVideosTogether } from '../../video/make-videos.ts';
import { createFileStorage } from '../../video/publish/file-storage.ts';
import type { RenderDeps, RenderedWork } from '../../video/render-deps.ts';
import type { VideoTaskOutcome, VideoTaskPayload } from '../../video/video-task.ts';
import { proxiesOfServer } from '../choose-proxies.ts';
import { openDivision } from '../open-division.ts';
import { openRenderDeps } from '../open-render-deps.ts';
import { openStorage } from '../stores/open-storage.ts';
import { findUpload } from './open-uploads.ts';
import { renderSlotsOf } from './render-slots.ts';
import { requireServerTask } from '../require-server-task.ts';

/** What the server sends with the task. */
export interface TaskRequest {
  readonly settings: Settings;
  /** Assets may come from private addresses. */
  readonly isTrusted: boolean;
}

/**
 * What the server hears of a task besides its outcome: rendered frames, a cache that is too small for it, and why it works without
 * the cache in the bucket, and its requests to the bucket.
 */
export type TaskFact =
  | RenderedWork
  | { readonly heldBytes: number }
  | { readonly cacheFault: string }
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
    uploadFile: (id, to, signal) =>
      findUpload({ organizationId: owner.organizationId, id }, { home: settings.home, storage, to, signal }),
  };
  onLifeSign(context.reportLife);
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
 * An ffmpeg that was killed (usually by the system, out of memory) or stopped by a signal is no failure of the listing: another
 * attempt can succeed.
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
