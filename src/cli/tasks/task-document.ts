/** Reads a stored task: as the API shows it, and what our own handler stored in it. */
import type { TaskRecord } from '../../task/task.ts';
import { type TaskView, toTaskView } from '../../task/task-view.ts';
import type { DroppedAsset, UnbrandedResult, VideoResult, VideoTaskPayload } from '../../video/video-task.ts';

/** The Task of the specification, its lists as our own handler fills them. */
export type TaskDocument = Omit<TaskView, 'results' | 'dropped_assets'> & {
  readonly results: readonly VideoResult[];
  readonly dropped_assets: readonly DroppedAsset[];
};

/**
 * Leaves out malformed entries, as in a file edited by hand: one bad entry must not hide the task.
 *
 * @returns The document with its keys in the order of the specification.
 */
export function toTaskDocument(task: TaskRecord): TaskDocument {
  const view = toTaskView(task);
  return {
    ...view,
    results: view.results.filter((entry) => hasTexts(entry, ['agent_id', 'url'])) as unknown as VideoResult[],
    dropped_assets: view.dropped_assets.filter((entry) =>
      hasTexts(entry, ['url', 'reason']),
    ) as unknown as DroppedAsset[],
  };
}

/** Absolute path of report.json; null while there is none. */
export function reportOf(task: TaskRecord): string | null {
  const report = fieldOf(task.outcome, 'report');
  return typeof report === 'string' ? report : null;
}

/** Unbranded videos, checked like the entries of {@link toTaskDocument}; empty without --also-unbranded. */
export function unbrandedOf(task: TaskRecord): UnbrandedResult[] {
  const videos = fieldOf(task.outcome, 'unbranded');
  if (!Array.isArray(videos)) return [];
  return videos.filter((entry) => hasTexts(entry, ['ratio', 'url'])) as unknown as UnbrandedResult[];
}

/** The request of the task; null when another program stored something else there. */
export function payloadOf(task: TaskRecord): VideoTaskPayload | null {
  const { payload } = task;
  const listing = fieldOf(payload, 'listing');
  const file = fieldOf(payload, 'listingFile');
  const isOurs =
    hasTexts(payload, ['outputDir']) &&
    (file === null || typeof file === 'string') &&
    hasTexts(listing, ['id']) &&
    Array.isArray(fieldOf(listing, 'agents'));
  return isOurs ? (payload as unknown as VideoTaskPayload) : null;
}

function hasTexts(value: unknown, keys: readonly string[]): boolean {
  return keys.every((key) => typeof fieldOf(value, key) === 'string');
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}
