/**
 * Finds tasks that `claimNext` can claim: the running ones whose process can be dead, and the waiting ones in the
 * order of their turns. It changes nothing. What a query can claim is decided by `isClaimable`, as for every store.
 */
import { ListingVideoError } from '../../../platform/errors.ts';
import { isClaimable } from '../../queue-order.ts';
import type { TaskOrigin } from '../../task.ts';
import type { ClaimQuery } from '../../task-store.ts';
import type { Queries } from '../database.ts';
import { all, raw, sql } from '../sql.ts';
import { type FoundBatch, hasBatches, isOf, isOfBoot, lostBatches, waitingBatches } from './task-batches.ts';
import { TASK_COLUMNS, type TaskRow, toTaskRecord } from './task-row.ts';

/** Rows that are read at once. Usually the first one is claimed. */
const ROWS_AT_ONCE = 20;

const QUEUE_ORDER = raw('queued_at, is_put_back, id');

/** The organizations of `heads` by their turns over all machines. One that was never served comes first. */
const byTurns = (origin: TaskOrigin) => sql`
  select organization_id from heads
    left join listing_video.organization_turns using (organization_id)
    left join (
      select organization_id, count(*) as running from listing_video.task_batches where state = 'RUNNING' group by 1
    ) batches using (organization_id),
    lateral (
      select count(*) as running from listing_video.tasks
      where state = 'RUNNING' and worker is not null and origin = ${origin} and organization_id = heads.organization_id
    ) tasks
  order by tasks.running + coalesce(batches.running, 0), coalesce(turn, 0), ${QUEUE_ORDER}`;

/** The first batch that waits of each organization. */
const BATCH_HEADS = sql`
  (select distinct on (organization_id) organization_id, queued_at, false as is_put_back, task_id as id
   from listing_video.task_batches where state = 'WAITING' and organization_id is not null
   order by organization_id, queued_at, task_id)`;
/** Running tasks that wait for their batches are not lost. */
const NOT_DIVIDED = sql`and (worker is not null or not ${hasBatches('tasks.id')})`;

/** The time of a search, and what decides whether a process can be dead. */
export interface Search {
  readonly query: ClaimQuery;
  /** The turns of all machines decide, not the ranks of the query. */
  readonly hasTurns: boolean;
  readonly nowMs: number;
  readonly leaseMs: number;
  /** Boot of this machine: whether a process of the same boot is alive is known at once. */
  readonly boot: string;
}

/** Running tasks, oldest first, whose process is of this machine, or whose heartbeat is overdue if that counts. */
export async function* lostCandidates(
  queries: Queries,
  { query, nowMs, leaseMs, boot }: Search,
): AsyncGenerator<TaskRow, void> {
  const [from, to] = [new Date(nowMs - leaseMs), new Date(nowMs + leaseMs)];
  const rows = await queries.query<TaskRow>(
    sql`select ${TASK_COLUMNS} from listing_video.tasks
     where state = 'RUNNING' and origin = ${query.origin}
       and ((${query.trustLeases} and heartbeat_at not between ${from} and ${to}) or ${isOfBoot(boot)})
       ${query.takesBatches === true ? NOT_DIVIDED : sql``}
     order by ${QUEUE_ORDER}`,
  );
  yield* claimableOf(rows, query, nowMs);
}

/** Batches whose process can be dead; none for a query without batches. */
export async function* lostBatchesOf(
  queries: Queries,
  { query, leaseMs, boot }: Search,
): AsyncGenerator<FoundBatch, void> {
  if (query.takesBatches === true) yield* await lostBatches(queries, boot, leaseMs);
}

/**
 * Waiting tasks, first those of the organization whose turn it is; those without an organization come last. Before
 * the tasks of a queue come its batches, whose tasks have begun.
 */
export async function* waitingCandidates(
  queries: Queries,
  { query, hasTurns, nowMs }: Search,
): AsyncGenerator<TaskRow | FoundBatch, void> {
  for (const organizationId of await findTurns(queries, query, hasTurns)) {
    if (query.takesBatches === true) yield* await waitingBatches(queries, organizationId);
    yield* queueOf(queries, organizationId, query, nowMs);
  }
}

/**
 * The organizations with waiting tasks in the order of their turns, then null for the tasks without one. Those of
 * equal rank (organizations that were never served) are compared by the first task of their queues.
 */
async function findTurns(
  queries: Queries,
  { origin, turns, takesBatches = false }: ClaimQuery,
  hasTurns: boolean,
): Promise<(string | null)[]> {
  // Steps from one organization to the next in the index, instead of reading all waiting tasks.
  const found = await queries.query<{ organization_id: string }>(
    sql`with recursive task_heads as (
       (select organization_id, ${QUEUE_ORDER} from listing_video.tasks
        where state = 'PENDING' and origin = ${origin} and organization_id is not null
        order by organization_id, ${QUEUE_ORDER} limit 1)
       union all
       select next.* from task_heads, lateral (
         select organization_id, ${QUEUE_ORDER} from listing_video.tasks
         where state = 'PENDING' and origin = ${origin} and organization_id > task_heads.organization_id
         order by organization_id, ${QUEUE_ORDER} limit 1
       ) next
     ), heads as (select * from task_heads ${takesBatches ? sql`union all ${BATCH_HEADS}` : sql``})
     ${hasTurns ? byTurns(origin) : sql`select organization_id from heads order by ${QUEUE_ORDER}`}`,
  );
  const ranks = hasTurns ? undefined : turns?.rank;
  const rankOf = (id: string) => ranks?.get(id) ?? Number.NEGATIVE_INFINITY;
  const heads = new Set(found.map(({ organization_id }) => organization_id));
  const ids = [...heads].filter((id) => !turns?.full.has(id));
  // The sort is stable: it keeps the order of the queues for organizations of equal rank.
  ids.sort((a, b) => (rankOf(a) === rankOf(b) ? 0 : rankOf(a) < rankOf(b) ? -1 : 1));
  return [...ids, null];
}

/** The tasks of one queue that the query can claim, first come first. */
async function* queueOf(
  queries: Queries,
  organizationId: string | null,
  query: ClaimQuery,
  nowMs: number,
): AsyncGenerator<TaskRow, void> {
  const { origin, minAgeMs = 0 } = query;
  let last: (TaskRow & { readonly queued_at: Date; readonly is_put_back: boolean }) | undefined;
  for (;;) {
    const conditions = [
      sql`state = 'PENDING' and origin = ${origin}`,
      isOf(organizationId),
      ...(minAgeMs > 0 ? [sql`queued_at <= ${new Date(nowMs - minAgeMs)}`] : []),
      ...(last === undefined
        ? []
        : [sql`(${QUEUE_ORDER}) > (${last.queued_at}, ${last.is_put_back}, ${last.id})`]),
    ];
    const rows = await queries.query<NonNullable<typeof last>>(
      sql`select ${TASK_COLUMNS}, queued_at, is_put_back from listing_video.tasks
       where ${all(conditions)} order by ${QUEUE_ORDER} limit ${ROWS_AT_ONCE}`,
    );
    yield* claimableOf(rows, query, nowMs);
    last = rows.at(-1);
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

function* claimableOf(rows: readonly TaskRow[], query: ClaimQuery, nowMs: number): Generator<TaskRow, void> {
  for (const row of rows) if (isClaimableRow(row, query, nowMs)) yield row;
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
