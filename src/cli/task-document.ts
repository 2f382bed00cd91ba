/** A stored task as the API shows it, and the readers of what our own handler stored in it. Pure. */
import type { DroppedAsset } from '../assets/photo.ts';
import type { TaskRecord } from '../task/task.ts';
import { type TaskView, toTaskView } from '../task/task-view.ts';
import type { VideoResult, VideoTaskPayload } from '../video/video-task.ts';

/** The Task of the specification, its lists as our own handler fills them. */
export type TaskDocument = Omit<TaskView, 'results' | 'dropped_assets'> & {
  readonly results: readonly VideoResult[];
  readonly dropped_assets: readonly DroppedAsset[];
};

/** @returns The document with its keys in the order of the specification. */
export function toTaskDocument(task: TaskRecord): TaskDocument {
  return toTaskView(task) as unknown as TaskDocument;
}

/** Absolute path of report.json; null while there is none. */
export function reportOf(task: TaskRecord): string | null {
  const report = fieldOf(task.outcome, 'report');
  return typeof report === 'string' ? report : null;
}

/** What the task was asked; null when another program stored something else there. */
export function payloadOf(task: TaskRecord): VideoTaskPayload | null {
  const listing = fieldOf(task.payload, 'listing');
  return typeof fieldOf(listing, 'id') === 'string' && Array.isArray(fieldOf(listing, 'agents'))
    ? (task.payload as unknown as VideoTaskPayload)
    : null;
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}
