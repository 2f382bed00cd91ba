/** The process that makes the videos of one task of a server: the same use case as `create`, at a lower priority. */
import type { Settings } from '../settings/setting-table.ts';
import { serveTask } from '../task/process/serve-task.ts';
import { makeVideos } from '../video/make-videos.ts';
import type { RenderDeps, RenderedWork } from '../video/render-deps.ts';
import type { VideoTaskOutcome, VideoTaskPayload } from '../video/video-task.ts';
import { openRenderDeps } from './open-render-deps.ts';

/** What the server sends with the task. */
export interface TaskRequest {
  readonly settings: Settings;
  /** Absolute folder of the results. */
  readonly outputDir: string;
  /** Assets may come from private addresses. */
  readonly isTrusted: boolean;
}

serveTask<VideoTaskPayload, VideoTaskOutcome, TaskRequest, RenderedWork>(async ({ id, payload }, context) => {
  const { settings, outputDir, isTrusted } = context.request;
  const local = openRenderDeps(settings);
  const deps: RenderDeps = {
    ...local,
    addressPolicy: isTrusted
      ? local.addressPolicy
      : { allowPrivate: false, allowFrom: settings.allowAssetsFrom },
    onRendered: (work) => context.reportFact(work),
  };
  return makeVideos({ ...payload, outputDir }, { ...context, taskId: id }, deps);
});
