/** Lists tasks, newest first. Each filter has an index in the order of ids, so a page costs the same at every place. */
import { ListingVideoError } from '../../../platform/errors.ts';
import type { TaskRecord } from '../../task.ts';
import { isTaskId, taskNotFound } from '../../task-id.ts';
import type { StoreWarning, TaskPage, TaskQuery } from '../../task-store.ts';
import type { Queries } from '../database.ts';
import { TASK_COLUMNS, TASK_TABLE, type TaskRow, toTaskRecord } from '../../../postgres/task-row.ts';

/** Maximum size of the results of a page, so that a page of tasks with many results needs as little memory as any other. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** One page of tasks; see `TaskStore.list`. */
export async function listTasks(queries: Queries, query: TaskQuery): Promise<TaskPage> {
  const { state, organizationId, startingAfter, limit } = query;
  if (startingAfter !== undefined) await checkCursor(queries, startingAfter, organizationId);
  const values: unknown[] = [];
  const place = (value: unknown) => `$${values.push(value)}`;
  const conditions = [
    ...(state === undefined ? [] : [`state = ${place(state)}`]),
    ...(organizationId === undefined ? [] : [`organization_id = ${place(organizationId)}`]),
    ...(startingAfter === undefined ? [] : [`id < ${place(startingAfter)}`]),
  ];
  const rows = await queries.query<TaskRow & { readonly found: number }>(
    `select ${TASK_COLUMNS}, found from (
       select *, count(*) over () as found, sum(result_bytes) over (order by id desc) as bytes from (
         select * from listing_video.tasks ${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`}
         order by id desc limit ${place(limit + 1)}
       ) page
     ) sized
     -- The first task is shown whatever its size, so that every client gets to the last.
     where bytes <= ${place(MAX_PAGE_BYTES)} or bytes = result_bytes
     order by id desc limit ${place(limit)}`,
    values,
  );
  const page = { ...readRows(rows), hasMore: (rows[0]?.found ?? 0) > rows.length };
  const last = rows.at(-1);
  if (page.data.length > 0 || !page.hasMore || last === undefined) return page;
  // A client goes on after the last task that it got, so a page with damaged rows alone would be the last.
  const next = await listTasks(queries, { ...query, startingAfter: last.id });
  return { ...next, warnings: [...page.warnings, ...next.warnings] };
}

/** The readable records, and a warning for each damaged row. */
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
  const [task] = isTaskId(id)
    ? await queries.query<Pick<TaskRow, 'organization_id'>>(
        'select organization_id from listing_video.tasks where id = $1',
        [id],
      )
    : [];
  const isOwn = organizationId === undefined || task?.organization_id === organizationId;
  if (task === undefined || !isOwn) throw taskNotFound(id);
}
