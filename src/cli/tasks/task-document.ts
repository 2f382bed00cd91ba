/** A task as the API shows it, for `--json`. Pure. */
import { type TaskView, toTaskView } from '../../task/task-view.ts';
import type { DroppedAsset, VideoResult } from '../../video/video-task.ts';
import { readDroppedAssets } from '../../video/video-task-codec.ts';
import type { VideoTask } from '../../wiring/backend.ts';

export type TaskDocument = TaskView<VideoResult, DroppedAsset>;

export function toTaskDocument(task: VideoTask): TaskDocument {
  return { ...toTaskView(task), dropped_assets: droppedAssetsOf(task) };
}

/** @returns The assets that are not in the videos; empty for a listing that has no task. */
export function droppedAssetsOf(task: VideoTask | null): readonly DroppedAsset[] {
  if (task === null) return [];
  const { failure, outcome } = task;
  const dropped =
    failure === null ? outcome?.dropped_assets : readDroppedAssets(failure.context.dropped_assets);
  return dropped ?? [];
}
