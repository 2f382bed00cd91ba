/** Removes ended tasks from a database; see `TaskStore.prune`. */
import { pruneEach } from '../../prune-each.ts';
import type { PruneQuery, PruneReport } from '../../task-store.ts';
import type { Database, Queries } from '../database.ts';
import { sql } from '../sql.ts';
import { TASK_COLUMNS, TASK_TABLE, type TaskRow, toTaskRecord } from './task-row.ts';

const FOUND_AT_ONCE = 200;

export function pruneTasks(database: Database, query: PruneQuery): Promise<PruneReport> {
  const remove = async ({ id }: { id: string }) =>
    query.isDryRun || database.transaction((tx) => removeOne(tx, id, query));
  return pruneEach(findEnded(database, query), query, remove, () => TASK_TABLE);
}

/** Tasks that ended before `olderThanMs`, in the order in which they ended. */
async function* findEnded(database: Database, { states, origin, olderThanMs }: PruneQuery) {
  const isOfOrigin = origin === undefined ? sql`` : sql`and origin = ${origin}`;
  let isLater = sql``;
  for (;;) {
    const found = await database.query<{ id: string; updatedAt: string }>(
      sql`select id, updated_at from listing_video.tasks
       where state in ('SUCCEEDED', 'FAILED') and state = any(${states}) and updated_at < ${new Date(olderThanMs)}
         ${isOfOrigin} ${isLater}
       order by updated_at, id limit ${FOUND_AT_ONCE}`,
    );
    yield* found;
    const last = found.at(-1);
    if (last === undefined) return;
    isLater = sql`and (updated_at, id) > (${last.updatedAt}, ${last.id})`;
  }
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
