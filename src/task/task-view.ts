/** Makes the public form of a task from its record. Pure, and generic about the entries of its lists. */
import type { JsonValue, TaskRecord, TaskState } from './task.ts';

export interface TaskLists<Result, Dropped> {
  readonly results: readonly Result[];
  readonly dropped_assets: readonly Dropped[];
}

/** A task as API clients see it. `results` is empty unless SUCCEEDED. */
export interface TaskView<Result, Dropped> extends TaskLists<Result, Dropped> {
  readonly id: string;
  readonly state: TaskState;
  /** Present if and only if FAILED. */
  readonly failure_message?: string;
}

/** The progress of a task, for clients that use the beta `task-progress`. */
export interface TaskProgressView {
  readonly percent: number;
  readonly stage: string | null;
  readonly eta_seconds: number | null;
}

/** The public task. Clients rely on the order of its fields. A failure has the dropped assets in its context. */
export function toTaskView<Result, Dropped>(
  task: TaskRecord<TaskLists<Result, Dropped>>,
): TaskView<Result, Dropped | JsonValue> {
  const { id, state, failure, outcome } = task;
  const ofFailure = failure?.context.dropped_assets;
  return {
    id,
    state,
    ...(state === 'FAILED' ? { failure_message: failure?.message ?? 'failed' } : {}),
    results: (state === 'SUCCEEDED' && outcome?.results) || [],
    dropped_assets: state === 'FAILED' ? listOf(ofFailure) : (outcome?.dropped_assets ?? []),
  };
}

/** The progress of a task, 0 before its first report. */
export function toTaskProgressView(task: Pick<TaskRecord, 'progress'>): TaskProgressView {
  const { percent = 0, stage = null, etaSeconds = null } = task.progress ?? {};
  return { percent, stage, eta_seconds: etaSeconds };
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
