/** A task as a row of `listing_video.tasks`: its columns, and the way to a record and back, as `TASK_FIELDS` says. */
import { ListingVideoError } from '../../../platform/errors.ts';
import { findWrongField, type JsonValue, TASK_FIELDS, type TaskRecord } from '../../task.ts';
import type { Queries } from '../database.ts';
import { insertInto, list, raw, sql } from '../sql.ts';

type FieldName = keyof typeof TASK_FIELDS;

const FIELDS = (Object.keys(TASK_FIELDS) as FieldName[]).map((name) => ({
  name,
  kind: TASK_FIELDS[name].column,
  column: name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
}));

/** A row as `pg` reads it, with the names of the record. JSON columns are parsed. */
export interface TaskRow extends Record<FieldName, unknown> {
  readonly id: string;
  readonly heartbeatAt: Date | null;
}

export const TASK_COLUMNS = raw(
  [...FIELDS.map(({ name, column }) => `${column} as "${name}"`), 'heartbeat_at as "heartbeatAt"'].join(', '),
);

/** @throws {@link ListingVideoError} `store_corrupt` if a person or another program damaged the row. */
export function toTaskRecord(row: TaskRow): TaskRecord {
  const record: Partial<Record<FieldName, unknown>> = {};
  for (const { name, kind } of FIELDS) {
    const value = kind === 'time' ? toIso(row[name]) : row[name];
    // A column has no undefined.
    if (name !== 'setbacks' || value !== null) record[name] = value;
  }
  const wrong = findWrongField(record);
  if (wrong === undefined) return record as unknown as TaskRecord;
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

/** All columns of a task, with those that searches need. */
function toColumns(task: TaskRecord, heartbeatAt: string | null): Readonly<Record<string, unknown>> {
  const queuedAt = task.setbacks?.queuedAt ?? null;
  const columns: Record<string, unknown> = {
    heartbeat_at: heartbeatAt,
    queued_at: queuedAt ?? task.createdAt,
    is_put_back: queuedAt !== null,
  };
  for (const { name, kind, column } of FIELDS) {
    const value = task[name] ?? null;
    columns[column] = kind === 'json' ? toJsonText(value) : value;
  }
  columns.result_bytes = Buffer.byteLength(`${columns.failure ?? ''}${columns.outcome ?? ''}`);
  return columns;
}

/** Adds a task and its payload in one statement. @returns False if a task with this id exists; it stays as it is. */
export async function insertTask(
  queries: Queries,
  task: TaskRecord,
  payload: JsonValue,
  heartbeatAt: string | null,
): Promise<boolean> {
  const rows = await queries.query(
    sql`with task as (${insertInto('tasks', toColumns(task, heartbeatAt))} on conflict (id) do nothing returning id)
      insert into listing_video.task_payloads (task_id, payload)
      select id, ${JSON.stringify(payload)}::json from task returning task_id`,
  );
  return rows.length > 0;
}

export async function updateTask(tx: Queries, task: TaskRecord, heartbeatAt: string): Promise<void> {
  const { id, ...columns } = toColumns(task, heartbeatAt);
  const changes = Object.entries(columns).map(([column, value]) => sql`${raw(column)} = ${value}`);
  await tx.query(sql`update listing_video.tasks set ${list(changes)} where id = ${id}`);
}

/** JSON as text; null for null, which a column keeps as its own null. */
export function toJsonText(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** Milliseconds since 1970; of no heartbeat, a time before all others. */
export function heartbeatMsOf({ heartbeatAt: date }: { readonly heartbeatAt: unknown }): number {
  return isTime(date) ? date.getTime() : Number.NEGATIVE_INFINITY;
}

function toIso(date: unknown): string | null {
  return isTime(date) ? date.toISOString() : null;
}

/** False for the `infinity` of PostgreSQL. */
function isTime(date: unknown): date is Date {
  return date instanceof Date && !Number.isNaN(date.getTime());
}
