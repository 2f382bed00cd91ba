/** A task as a row of `listing_video.tasks`: its columns, and the way to a record and back, as `TASK_FIELDS` says. */
import { ListingVideoError } from '../../../platform/errors.ts';
import { findWrongField, type JsonValue, TASK_FIELDS, type TaskRecord } from '../../task.ts';
import type { Queries } from '../database.ts';
import { insertInto, list, raw, sql, toColumn, toJsonText } from '../sql.ts';

type FieldName = keyof typeof TASK_FIELDS;

const FIELDS = Object.keys(TASK_FIELDS) as FieldName[];

/** A row as `pg` reads it. JSON columns are parsed. */
export interface TaskRow extends Record<FieldName, unknown> {
  readonly id: string;
  readonly heartbeatAt: string | null;
}

export const TASK_COLUMNS = raw([...FIELDS, 'heartbeatAt'].map(toColumn).join(', '));

/** @throws {@link ListingVideoError} `store_corrupt` if a person or another program damaged the row. */
export function toTaskRecord(row: TaskRow): TaskRecord {
  // A column has no undefined.
  const fields = FIELDS.filter((name) => name !== 'setbacks' || row[name] !== null);
  const record = Object.fromEntries(fields.map((name) => [name, row[name]]));
  const wrong = findWrongField(record);
  if (wrong === undefined) return record as unknown as TaskRecord;
  throw wrongFieldError(row.id, `"${wrong}" is missing or of the wrong kind`);
}

/** `store_corrupt` for a row that a person or another program edited. */
function wrongFieldError(id: string, wrong: string): ListingVideoError {
  const problem = `its ${wrong}`;
  return new ListingVideoError('store_corrupt', `task ${id} cannot be read from the database: ${problem}`, {
    hint: 'restore the row from a backup; every other task is unaffected',
    context: { id, path: TASK_TABLE, problem },
  });
}

/** Where a damaged task is, for warnings. */
export const TASK_TABLE = 'listing_video.tasks';

/** A row with what searches need. */
function toRow(task: TaskRecord, heartbeatAt: string | null): Readonly<Record<string, unknown>> {
  const queuedAt = task.setbacks?.queuedAt ?? null;
  const isPutBack = queuedAt !== null;
  const row: Record<string, unknown> = { heartbeatAt, queuedAt: queuedAt ?? task.createdAt, isPutBack };
  for (const name of FIELDS) {
    const value = task[name] ?? null;
    row[name] = TASK_FIELDS[name].column === 'json' ? toJsonText(value) : value;
  }
  row.resultBytes = Buffer.byteLength(`${row.failure ?? ''}${row.outcome ?? ''}`);
  return row;
}

/** Adds a task and its payload in one statement. @returns False if a task with this id exists; it stays as it is. */
export async function insertTask(
  queries: Queries,
  task: TaskRecord,
  payload: JsonValue,
  heartbeatAt: string | null,
): Promise<boolean> {
  const rows = await queries.query(
    sql`with task as (${insertInto('tasks', toRow(task, heartbeatAt))} on conflict (id) do nothing returning id)
      insert into listing_video.task_payloads (task_id, payload)
      select id, ${JSON.stringify(payload)}::json from task returning task_id`,
  );
  return rows.length > 0;
}

export async function updateTask(tx: Queries, task: TaskRecord, heartbeatAt: string): Promise<void> {
  const { id, ...row } = toRow(task, heartbeatAt);
  const changes = Object.entries(row).map(([name, value]) => sql`${raw(toColumn(name))} = ${value}`);
  await tx.query(sql`update listing_video.tasks set ${list(changes)} where id = ${id}`);
}

/** Milliseconds since 1970; of no heartbeat, a time before all others. */
export function heartbeatMsOf({ heartbeatAt }: { readonly heartbeatAt: string | null }): number {
  return heartbeatAt === null ? Number.NEGATIVE_INFINITY : Date.parse(heartbeatAt);
}
