/** A task as the specification shows it to clients, made from a record. Pure, and generic about the entries of its lists. */
import type { JsonValue, TaskRecord, TaskState } from './task.ts';

/** The lists of an outcome that clients see. */
export interface TaskLists<Result, Dropped> {
  readonly results: readonly Result[];
  readonly dropped_assets: readonly Dropped[];
}

/** The Task of the specification; `results` is empty unless SUCCEEDED. */
export interface TaskView<Result, Dropped> extends TaskLists<Result, Dropped> {
  readonly id: string;
  readonly state: TaskState;
  /** Present exactly when FAILED. */
  readonly failure_message?: string;
}

/** With the beta `task-progress`. */
export interface TaskProgressView {
  readonly percent: number;
  readonly stage: string | null;
  readonly eta_seconds: number | null;
}

/** The fields in the order of the specification. A failed task has its dropped assets in the failure's context. */
export function toTaskView<Result, Dropped>(
  task: TaskRecord<unknown, TaskLists<Result, Dropped>>,
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

/** The progress of a task; a task that has none yet stands at 0. */
export function toTaskProgressView(task: Pick<TaskRecord, 'progress'>): TaskProgressView {
  const { percent = 0, stage = null, etaSeconds = null } = task.progress ?? {};
  return { percent, stage, eta_seconds: etaSeconds };
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
