/** Removes ended tasks from a database; see `TaskStore.prune`. */
import { ListingVideoError } from '../../../platform/errors.ts';
import type { PruneQuery, PruneReport, StoreWarning } from '../../task-store.ts';
import type { Database, Queries } from '../database.ts';
import { sql } from '../sql.ts';
import { TASK_COLUMNS, TASK_TABLE, type TaskRow, toTaskRecord } from './task-row.ts';

const FOUND_AT_ONCE = 200;
/** Errors that concern one task, such as files that cannot be removed: the task stays and becomes a warning. */
const ABOUT_ONE_TASK: ReadonlySet<string> = new Set(['store_corrupt', 'store_unwritable']);

interface FoundTask {
  readonly id: string;
  readonly updatedAt: string;
}

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
  const isOfOrigin = origin === undefined ? sql`` : sql`and origin = ${origin}`;
  const isLater = after === undefined ? sql`` : sql`and (updated_at, id) > (${after.updatedAt}, ${after.id})`;
  return database.query<FoundTask>(
    sql`select id, updated_at from listing_video.tasks
     where state in ('SUCCEEDED', 'FAILED') and state = any(${states}) and updated_at < ${new Date(olderThanMs)}
       ${isOfOrigin} ${isLater}
     order by updated_at, id limit ${FOUND_AT_ONCE}`,
  );
}

/** False if another process holds or changed the task. */
async function removeOne(tx: Queries, id: string, query: PruneQuery): Promise<boolean> {
  const [row] = await tx.query<TaskRow>(
    sql`select ${TASK_COLUMNS} from listing_video.tasks
     where id = ${id} and state = any(${query.states}) and updated_at < ${new Date(query.olderThanMs)}
     for update skip locked`,
  );
  if (row === undefined) return false;
  await query.beforeRemove?.(toTaskRecord(row));
  await tx.query(sql`delete from listing_video.tasks where id = ${id}`);
  return true;
}
