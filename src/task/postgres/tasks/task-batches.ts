/** Finds batches of divided tasks: they wait, are claimed with a lease, and are removed when they are done. */
import type { ProcessIdentity } from '../../../platform/disk/process-identity.ts';
import type { Queries } from '../database.ts';
import { raw, type Sql, sql, within } from '../sql.ts';

/** A condition: the task with the id in this column has batches that are not done. */
export function hasBatches(column: string): Sql {
  return sql`exists (select 1 from listing_video.task_batches where task_id = ${raw(column)} and state <> 'DIVIDED')`;
}

/** A batch as `pg` reads it, without its work, which has 60 kB. */
export interface FoundBatch {
  readonly taskId: string;
  readonly number: number;
  readonly state: string;
  readonly heartbeatAt: Date | null;
  readonly worker: ProcessIdentity | null;
}

export const BATCH_COLUMNS = sql`task_id as "taskId", number, state, heartbeat_at as "heartbeatAt", worker`;

export function isBatch(row: { readonly id: string } | FoundBatch): row is FoundBatch {
  return 'taskId' in row;
}

/** Batches of a queue that wait, first come first; of no organization for null. */
export function waitingBatches(queries: Queries, organizationId: string | null): Promise<FoundBatch[]> {
  return queries.query<FoundBatch>(
    sql`select ${BATCH_COLUMNS} from listing_video.task_batches where state = 'WAITING' and ${isOf(organizationId)}
     order by queued_at, task_id, number limit 20`,
  );
}

/** A condition for the queue of an organization; for null, that of the tasks without one. */
export function isOf(organizationId: string | null): Sql {
  return organizationId === null ? sql`organization_id is null` : sql`organization_id = ${organizationId}`;
}

/** Batches whose process can be dead. Most heartbeats are recent, and few batches run at once. */
export function lostBatches(queries: Queries, boot: string, leaseMs: number): Promise<FoundBatch[]> {
  return queries.query<FoundBatch>(
    sql`select ${BATCH_COLUMNS} from listing_video.task_batches
     where state = 'RUNNING' and (${isOfBoot(boot)} or heartbeat_at not ${within(leaseMs)})
     order by queued_at, task_id, number`,
  );
}

/** Of this boot: whether the worker is alive is known at once. One with ~ is a time, which differs by process. */
export function isOfBoot(boot: string): Sql {
  return sql`(worker->>'boot' = ${boot} or worker->>'boot' like '~%')`;
}
