/** A task as the API shows it, for `--json`. Pure. */
import { type TaskView, toTaskView } from '../../task/task-view.ts';
import type { DroppedAsset, VideoResult } from '../../video/video-task.ts';
import { readDroppedAssets } from '../../video/video-task-codec.ts';
import type { VideoTask } from '../../wiring/backend.ts';

/** The Task of the specification. */
export type TaskDocument = TaskView<VideoResult, DroppedAsset>;

/** @returns The document with its keys in the order of the specification. */
export function toTaskDocument(task: VideoTask): TaskDocument {
  const { failure, outcome } = task;
  const dropped =
    failure === null ? outcome?.dropped_assets : readDroppedAssets(failure.context.dropped_assets);
  return { ...toTaskView(task), dropped_assets: dropped ?? [] };
}
