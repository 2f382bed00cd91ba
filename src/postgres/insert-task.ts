/** Adds the row of a task and that of its payload, in one statement. */
import type { JsonValue, TaskRecord } from '../task/task.ts';
import type { Queries } from '../task/postgres/database.ts';
import { INSERTED_COLUMNS, INSERTED_PLACES, toTaskValues } from './task-row.ts';

/** @returns False if a task with this id exists; it stays as it is. */
export async function insertTask(
  queries: Queries,
  task: TaskRecord,
  payload: JsonValue,
  heartbeatAt: string | null,
): Promise<boolean> {
  const values = toTaskValues(task, heartbeatAt);
  const rows = await queries.query(
    `with task as (
       insert into listing_video.tasks (${INSERTED_COLUMNS}) values (${INSERTED_PLACES})
       on conflict (id) do nothing returning id
     )
     insert into listing_video.task_payloads (task_id, payload)
     select id, $${values.length + 1}::json from task returning task_id`,
    [...values, JSON.stringify(payload)],
  );
  return rows.length > 0;
}
