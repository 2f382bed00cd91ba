/** The process that makes the videos of one task of a server: the same use case as `create`, away from whoever asks. */
import type { Settings } from '../settings/setting-table.ts';
import { serveTask } from '../task/process/serve-task.ts';
import type { JsonValue } from '../task/task.ts';
import { createVideos } from '../video/create-videos.ts';
import { readPayload } from '../video/read-payload.ts';
import type { RenderDeps } from '../video/render-deps.ts';
import { openRenderDeps } from './open-render-deps.ts';

/** What the server says besides the task. */
export interface TaskOrder {
  readonly settings: Settings;
  /** Absolute; where the files go. */
  readonly outputDir: string;
  /** Whoever sends listings may have assets fetched from private addresses. */
  readonly isTrusted: boolean;
}

serveTask(async (task, context) => {
  const { settings, outputDir, isTrusted } = context.order as unknown as TaskOrder;
  const payload = readPayload(task.payload, task.id);
  const usual = openRenderDeps(settings);
  const deps: RenderDeps = {
    ...usual,
    addressPolicy: isTrusted
      ? usual.addressPolicy
      : { allowPrivate: false, allowFrom: settings.allowAssetsFrom },
    onRendered: (work) => context.tell({ ...work }),
  };
  const outcome = await createVideos({ ...payload, outputDir }, { ...context, taskId: task.id }, deps);
  return outcome as unknown as JsonValue;
});
