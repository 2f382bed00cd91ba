/**
 * Finds tasks that `claimNext` can claim without a queue that dispatches them: the running ones whose process can be
 * dead, then the waiting ones in the order of the query's turns. What a query can claim is decided by `isClaimable`.
 */
import { ListingVideoError } from '../../../platform/errors.ts';
import { isClaimable } from '../../queue-order.ts';
import type { ClaimQuery } from '../../task-store.ts';
import type { Queries } from '../database.ts';
import { sql } from '../sql.ts';
import { hasBatches } from './task-batches.ts';
import { TASK_COLUMNS, type TaskRow, toTaskRecord } from './task-row.ts';

/** Rows that are read at once. Usually the first one is claimed. */
const ROWS_AT_ONCE = 20;

/** Tasks without an organization come last, and organizations that the query does not rank come first. */
export async function* findClaimable(
  queries: Queries,
  query: ClaimQuery,
  nowMs: number,
): AsyncGenerator<TaskRow, void> {
  const ranks = [...(query.turns?.rank ?? [])];
  const turns = sql`unnest(${ranks.map(([id]) => id)}::text[], ${ranks.map(([, rank]) => rank)}::float8[])`;
  const isLost = sql`state = 'RUNNING' and (worker is not null or not ${hasBatches('id')})`;
  // One after the other: a lost task can go back among those that wait.
  for (const state of [isLost, sql`state = 'PENDING'`]) {
    for (let found = ROWS_AT_ONCE, offset = 0; found === ROWS_AT_ONCE; offset += ROWS_AT_ONCE) {
      const rows = await queries.query<TaskRow>(
        sql`select ${TASK_COLUMNS} from listing_video.tasks
         left join ${turns} as turns (of_organization, rank) on of_organization = organization_id
         where origin = ${query.origin} and ${state}
         order by organization_id is null, coalesce(rank, '-infinity'), queued_at, is_put_back, id
         limit ${ROWS_AT_ONCE} offset ${offset}`,
      );
      found = rows.length;
      for (const row of rows) if (isClaimableRow(row, query, nowMs)) yield row;
    }
  }
}

/** False for a damaged row: it must not block the others. `list` and `get` report it. */
function isClaimableRow(row: TaskRow, query: ClaimQuery, nowMs: number): boolean {
  try {
    return isClaimable(toTaskRecord(row), query, nowMs);
  } catch (error) {
    if (error instanceof ListingVideoError) return false;
    throw error;
  }
}
