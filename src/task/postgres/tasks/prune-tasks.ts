/** Removes ended tasks from a database; see `TaskStore.prune`. */
import { ListingVideoError } from '../../../platform/errors.ts';
import type { PruneQuery, PruneReport, StoreWarning } from '../../task-store.ts';
import type { Database, Queries } from '../database.ts';
import { TASK_COLUMNS, TASK_TABLE, type TaskRow, toTaskRecord } from '../../../postgres/task-row.ts';

/** Tasks that are looked up at once. */
const FOUND_AT_ONCE = 200;
/** Errors that concern one task, such as files that cannot be removed: the task stays and becomes a warning. */
const ABOUT_ONE_TASK: ReadonlySet<string> = new Set(['store_corrupt', 'store_unwritable']);

type FoundTask = Pick<TaskRow, 'id' | 'updated_at'>;

export async function pruneTasks(database: Database, query: PruneQuery): Promise<PruneReport> {
  const removed: string[] = [];
  const warnings: StoreWarning[] = [];
  let last: FoundTask | undefined;
  do {
    const found = await findEnded(database, query, last);
    last = found.at(-1);
    for (const { id } of found) {
      if (query.isStopped?.()) return { removed: removed.sort(), warnings };
      try {
        if (query.isDryRun || (await database.transaction((tx) => removeOne(tx, id, query))))
          removed.push(id);
      } catch (error) {
        if (!(error instanceof ListingVideoError) || !ABOUT_ONE_TASK.has(error.code)) throw error;
        warnings.push({ id, path: TASK_TABLE, message: error.message });
      }
    }
  } while (last !== undefined);
  // Ids are in the order of creation.
  return { removed: removed.sort(), warnings };
}

/** The next tasks that ended before `olderThanMs`, in the order in which they ended. */
function findEnded(
  database: Database,
  { states, origin, olderThanMs }: PruneQuery,
  after: FoundTask | undefined,
): Promise<FoundTask[]> {
  const values: unknown[] = [states, new Date(olderThanMs)];
  const place = (value: unknown) => `$${values.push(value)}`;
  const conditions = [
    ...(origin === undefined ? [] : [`and origin = ${place(origin)}`]),
    ...(after === undefined
      ? []
      : [`and (updated_at, id) > (${place(after.updated_at)}, ${place(after.id)})`]),
  ];
  return database.query<FoundTask>(
    `select id, updated_at from listing_video.tasks
     where state in ('SUCCEEDED', 'FAILED') and state = any($1) and updated_at < $2 ${conditions.join(' ')}
     order by updated_at, id limit ${FOUND_AT_ONCE}`,
    values,
  );
}

/** False if another process holds or changed the task. */
async function removeOne(tx: Queries, id: string, query: PruneQuery): Promise<boolean> {
  const [row] = await tx.query<TaskRow>(
    `select ${TASK_COLUMNS} from listing_video.tasks
     where id = $1 and state = any($2) and updated_at < $3 for update skip locked`,
    [id, query.states, new Date(query.olderThanMs)],
  );
  if (row === undefined) return false;
  await query.beforeRemove?.(toTaskRecord(row));
  await tx.query('delete from listing_video.tasks where id = $1', [id]);
  return true;
}
