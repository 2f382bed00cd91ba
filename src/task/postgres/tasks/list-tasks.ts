/** Lists tasks, newest first. Each filter has an index in the order of ids, so a page costs the same at every place. */
import { ListingVideoError } from '../../../platform/errors.ts';
import type { TaskRecord } from '../../task.ts';
import { isTaskId, taskNotFound } from '../../task-id.ts';
import type { StoreWarning, TaskPage, TaskQuery } from '../../task-store.ts';
import type { Queries } from '../database.ts';
import { all, sql } from '../sql.ts';
import { TASK_COLUMNS, TASK_TABLE, type TaskRow, toTaskRecord } from './task-row.ts';

/** Maximum size of the results of a page, so that many results need as little memory as few. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

export async function listTasks(queries: Queries, query: TaskQuery): Promise<TaskPage> {
  const { state, organizationId, startingAfter, limit } = query;
  if (startingAfter !== undefined) await checkCursor(queries, startingAfter, organizationId);
  const conditions = [
    ...(state === undefined ? [] : [sql`state = ${state}`]),
    ...(organizationId === undefined ? [] : [sql`organization_id = ${organizationId}`]),
    ...(startingAfter === undefined ? [] : [sql`id < ${startingAfter}`]),
  ];
  const rows = await queries.query<TaskRow & { readonly found: number }>(
    sql`select ${TASK_COLUMNS}, found from (
       select *, count(*) over () as found, sum(result_bytes) over (order by id desc) as bytes from (
         select * from listing_video.tasks ${conditions.length === 0 ? sql`` : sql`where ${all(conditions)}`}
         order by id desc limit ${limit + 1}
       ) page
     ) sized
     -- The first task is shown whatever its size, so that every client gets to the last.
     where bytes <= ${MAX_PAGE_BYTES} or bytes = result_bytes
     order by id desc limit ${limit}`,
  );
  const page = { ...readRows(rows), hasMore: (rows[0]?.found ?? 0) > rows.length };
  const last = rows.at(-1);
  if (page.data.length > 0 || !page.hasMore || last === undefined) return page;
  // A client goes on after the last task that it got, so a page with damaged rows alone would be the last.
  const next = await listTasks(queries, { ...query, startingAfter: last.id });
  return { ...next, warnings: [...page.warnings, ...next.warnings] };
}

function readRows(rows: readonly TaskRow[]): Pick<TaskPage, 'data' | 'warnings'> {
  const data: TaskRecord[] = [];
  const warnings: StoreWarning[] = [];
  for (const row of rows) {
    try {
      data.push(toTaskRecord(row));
    } catch (error) {
      if (!(error instanceof ListingVideoError)) throw error;
      warnings.push({ id: row.id, path: TASK_TABLE, message: error.message });
    }
  }
  return { data, warnings };
}

/** @throws `task_not_found` for an unknown task, or one of another organization. */
async function checkCursor(queries: Queries, id: string, organizationId: string | undefined): Promise<void> {
  const isOwn = organizationId === undefined ? sql`` : sql`and organization_id = ${organizationId}`;
  const found = isTaskId(id)
    ? await queries.query(sql`select 1 from listing_video.tasks where id = ${id} ${isOwn}`)
    : [];
  if (found.length === 0) throw taskNotFound(id);
}
