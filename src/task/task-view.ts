/** A task as the specification shows it to clients, made from a record. Pure, and generic about what handlers store. */
import type { JsonValue, TaskRecord, TaskState } from './task.ts';

/** The Task of the specification. */
export interface TaskView {
  readonly id: string;
  readonly state: TaskState;
  /** Present exactly when FAILED. */
  readonly failure_message?: string;
  /** What the handler returned as `results`; empty unless SUCCEEDED. */
  readonly results: readonly JsonValue[];
  /** What the handler returned, or threw in its error's context, as `dropped_assets`. */
  readonly dropped_assets: readonly JsonValue[];
}

/** With the beta `task-progress`. */
export interface TaskProgressView {
  readonly percent: number;
  readonly stage: string | null;
  readonly eta_seconds: number | null;
}

/** The fields in the order of the specification. */
export function toTaskView(task: TaskRecord): TaskView {
  return {
    id: task.id,
    state: task.state,
    ...(task.state === 'FAILED' ? { failure_message: task.failure?.message ?? 'failed' } : {}),
    results: task.state === 'SUCCEEDED' ? listAt(task.outcome, 'results') : [],
    dropped_assets: listAt(task.state === 'FAILED' ? task.failure?.context : task.outcome, 'dropped_assets'),
  };
}

/** The progress of a task; a task that has none yet stands at 0. */
export function toTaskProgressView(task: TaskRecord): TaskProgressView {
  const { percent = 0, stage = null, etaSeconds = null } = task.progress ?? {};
  return { percent, stage, eta_seconds: etaSeconds };
}

function listAt(value: JsonValue | undefined, key: string): readonly JsonValue[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, key))
    return [];
  const list = (value as Readonly<Record<string, JsonValue | undefined>>)[key];
  return Array.isArray(list) ? list : [];
}
