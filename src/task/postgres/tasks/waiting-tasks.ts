/**
 * Finds tasks that `claimNext` can claim: the running ones whose process can be dead, and the waiting ones in the order of
 * their turns. It changes nothing. What a query can claim is decided by `isClaimable`, as for every store.
 */
import { ListingVideoError } from '../../../platform/errors.ts';
import { isClaimable } from '../../queue-order.ts';
import type { ClaimQuery } from '../../task-store.ts';
import type { Queries } from '../database.ts';
import { type FoundBatch, hasBatches, lostBatches, waitingBatches } from '../../../postgres/task-batches.ts';
import { TASK_COLUMNS, type TaskRow, toTaskRecord } from '../../../postgres/task-row.ts';

/** Rows that are read at once. Usually the first one is claimed. */
const ROWS_AT_ONCE = 20;

/** The organizations of `heads` in the order of their turns over all machines. One that was never served comes first. */
const BY_TURNS = `
  select organization_id from heads
    left join listing_video.organization_turns using (organization_id)
    left join (
      select organization_id, count(*) as running from listing_video.task_batches where state = 'RUNNING' group by 1
    ) batches using (organization_id),
    lateral (
      select count(*) as running from listing_video.tasks
      where state = 'RUNNING' and worker is not null and origin = $1 and organization_id = heads.organization_id
    ) tasks
  order by tasks.running + coalesce(batches.running, 0), coalesce(turn, 0), queued_at, is_put_back, id`;

/** The first batch that waits of each organization. */
const BATCH_HEADS = `
  (select distinct on (organization_id) organization_id, queued_at, false as is_put_back, task_id as id
   from listing_video.task_batches where state = 'WAITING' and organization_id is not null
   order by organization_id, queued_at, task_id)`;
/** Running tasks that wait for their batches are not lost. */
const NOT_DIVIDED = `and (worker is not null or not ${hasBatches('tasks.id')})`;

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

/** Running tasks whose process is of this machine, or whose heartbeat is overdue if the query trusts leases; oldest first. */
export async function* lostCandidates(
  queries: Queries,
  { query, nowMs, leaseMs, boot }: Search,
): AsyncGenerator<TaskRow, void> {
  const lease = [new Date(nowMs - leaseMs), new Date(nowMs + leaseMs)];
  const rows = await queries.query<TaskRow>(
    // A boot that begins with ~ is a time, which differs a little from process to process.
    `select ${TASK_COLUMNS} from listing_video.tasks
     where state = 'RUNNING' and origin = $1
       and (($5 and heartbeat_at not between $2 and $3) or worker->>'boot' = $4 or worker->>'boot' like '~%')
       ${query.takesBatches === true ? NOT_DIVIDED : ''}
     order by queued_at, is_put_back, id`,
    [query.origin, ...lease, boot, query.trustLeases],
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
 * Waiting tasks, first those of the organization whose turn it is; those without an organization come last. Before the tasks of a
 * queue come its batches, whose tasks have begun.
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
 * The organizations with waiting tasks in the order of their turns, then null for the tasks without one. Those of equal rank
 * (organizations that were never served) are compared by the first task of their queues.
 */
async function findTurns(
  queries: Queries,
  { origin, turns, takesBatches = false }: ClaimQuery,
  hasTurns: boolean,
): Promise<(string | null)[]> {
  // Steps from one organization to the next in the index, instead of reading all waiting tasks.
  const found = await queries.query<{ organization_id: string }>(
    `with recursive task_heads as (
       (select organization_id, queued_at, is_put_back, id from listing_video.tasks
        where state = 'PENDING' and origin = $1 and organization_id is not null
        order by organization_id, queued_at, is_put_back, id limit 1)
       union all
       select next.* from task_heads, lateral (
         select organization_id, queued_at, is_put_back, id from listing_video.tasks
         where state = 'PENDING' and origin = $1 and organization_id > task_heads.organization_id
         order by organization_id, queued_at, is_put_back, id limit 1
       ) next
     ), heads as (select * from task_heads ${takesBatches ? `union all ${BATCH_HEADS}` : ''})
     ${hasTurns ? BY_TURNS : 'select organization_id from heads order by queued_at, is_put_back, id'}`,
    [origin],
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
  type QueueRow = TaskRow & { readonly queued_at: Date; readonly is_put_back: boolean };
  let last: QueueRow | undefined;
  for (;;) {
    const values: unknown[] = [query.origin];
    const place = (value: unknown) => `$${values.push(value)}`;
    const { minAgeMs = 0 } = query;
    const conditions = [
      organizationId === null ? 'organization_id is null' : `organization_id = ${place(organizationId)}`,
      ...(minAgeMs > 0 ? [`queued_at <= ${place(new Date(nowMs - minAgeMs))}`] : []),
      ...(last === undefined
        ? []
        : [
            `(queued_at, is_put_back, id) > (${place(last.queued_at)}, ${place(last.is_put_back)}, ${place(last.id)})`,
          ]),
    ];
    const rows = await queries.query<QueueRow>(
      `select ${TASK_COLUMNS}, queued_at, is_put_back from listing_video.tasks
       where state = 'PENDING' and origin = $1 and ${conditions.join(' and ')}
       order by queued_at, is_put_back, id limit ${ROWS_AT_ONCE}`,
      values,
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
