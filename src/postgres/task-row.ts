/** A task as a row of `listing_video.tasks`: the columns, and the way from row to record and back. Pure. */
import { ListingVideoError } from '../platform/errors.ts';
import type { TaskRecord } from '../task/task.ts';
import { findWrongField } from '../task/task-shape.ts';

/** The columns of a {@link TaskRow}, for a select. */
export const TASK_COLUMNS = `id, origin, organization_id, state, created_at, updated_at, started_at, attempts, max_attempts,
  retries, cancel_requested, fence, heartbeat_at, setbacks, summary, progress, failure, outcome, worker, submitter`;

/** A row as `pg` reads it. JSON columns are parsed. */
export interface TaskRow {
  readonly id: string;
  readonly origin: string;
  readonly organization_id: string | null;
  readonly state: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly started_at: Date | null;
  readonly attempts: number;
  readonly max_attempts: number;
  readonly retries: number;
  readonly cancel_requested: boolean;
  readonly fence: number;
  readonly heartbeat_at: Date | null;
  readonly setbacks: unknown;
  readonly summary: unknown;
  readonly progress: unknown;
  readonly failure: unknown;
  readonly outcome: unknown;
  readonly worker: unknown;
  readonly submitter: unknown;
}

/** @throws {@link ListingVideoError} `store_corrupt` if a person or another program damaged the row. */
export function toTaskRecord(row: TaskRow): TaskRecord {
  const fields = {
    id: row.id,
    origin: row.origin,
    organizationId: row.organization_id,
    state: row.state,
    createdAt: toIso(row.created_at),
    updatedAt: toIso(row.updated_at),
    startedAt: toIso(row.started_at),
    summary: row.summary,
    outcome: row.outcome,
    failure: row.failure,
    progress: row.progress,
    attempts: row.attempts,
    maxAttempts: row.max_attempts,
    ...(row.setbacks === null ? {} : { setbacks: row.setbacks }),
    retries: row.retries,
    cancelRequested: row.cancel_requested,
    fence: row.fence,
    worker: row.worker,
    submitter: row.submitter,
  };
  const wrong = findWrongField(fields);
  if (wrong === undefined) return fields as unknown as TaskRecord;
  throw wrongFieldError(row.id, `"${wrong}" is missing or of the wrong kind`);
}

/** `store_corrupt` for a row that a person or another program edited. */
export function wrongFieldError(id: string, wrong: string): ListingVideoError {
  const problem = `its ${wrong}`;
  return new ListingVideoError('store_corrupt', `task ${id} cannot be read from the database: ${problem}`, {
    hint: 'restore the row from a backup; every other task is unaffected',
    context: { id, path: TASK_TABLE, problem },
  });
}

/** Where a damaged task is, for warnings. */
export const TASK_TABLE = 'listing_video.tasks';

/** The values of a task, in the order of {@link INSERTED_COLUMNS}. */
export function toTaskValues(task: TaskRecord, heartbeatAt: string | null): unknown[] {
  const queuedAt = task.setbacks?.queuedAt ?? null;
  const [failure, outcome] = [toJsonText(task.failure), toJsonText(task.outcome)];
  return [
    task.id,
    task.origin,
    task.organizationId,
    task.state,
    task.createdAt,
    task.updatedAt,
    task.startedAt,
    queuedAt ?? task.createdAt,
    queuedAt !== null,
    task.attempts,
    task.maxAttempts,
    task.retries,
    task.cancelRequested,
    task.fence,
    heartbeatAt,
    toJsonText(task.setbacks ?? null),
    toJsonText(task.summary),
    toJsonText(task.progress),
    failure,
    outcome,
    toJsonText(task.worker),
    toJsonText(task.submitter),
    Buffer.byteLength(`${failure ?? ''}${outcome ?? ''}`),
  ];
}

const COLUMNS = [
  'id',
  'origin',
  'organization_id',
  'state',
  'created_at',
  'updated_at',
  'started_at',
  'queued_at',
  'is_put_back',
  'attempts',
  'max_attempts',
  'retries',
  'cancel_requested',
  'fence',
  'heartbeat_at',
  'setbacks',
  'summary',
  'progress',
  'failure',
  'outcome',
  'worker',
  'submitter',
  'result_bytes',
];

/** The columns of {@link toTaskValues}, and their places `$1`, `$2`, …. */
export const INSERTED_COLUMNS = COLUMNS.join(', ');
export const INSERTED_PLACES = COLUMNS.map((_, index) => `$${index + 1}`).join(', ');
/** For an update with {@link toTaskValues}: every column but the id, which is `$1`. */
export const CHANGED_COLUMNS = COLUMNS.slice(1)
  .map((column, index) => `${column} = $${index + 2}`)
  .join(', ');

/** JSON as text; null for null, which a column keeps as its own null. */
export function toJsonText(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** Milliseconds since 1970; of no heartbeat, a time before all others. */
export function heartbeatMsOf({ heartbeat_at: date }: { readonly heartbeat_at: unknown }): number {
  return isTime(date) ? date.getTime() : Number.NEGATIVE_INFINITY;
}

function toIso(date: unknown): string | null {
  return isTime(date) ? date.toISOString() : null;
}

/** False for the `infinity` of PostgreSQL. */
function isTime(date: unknown): date is Date {
  return date instanceof Date && !Number.isNaN(date.getTime());
}
