/** The rows of batches of divided tasks: they wait, are claimed with a lease, and are removed when they are done. */
import type { ProcessIdentity } from '../../../platform/disk/process-identity.ts';
import { raw, type Sql, sql } from '../sql.ts';

/** A condition: the task with the id in this column has batches that are not done. */
export function hasBatches(column: string): Sql {
  return sql`exists (select 1 from listing_video.task_batches where task_id = ${raw(column)} and state <> 'DIVIDED')`;
}

/** A batch as `pg` reads it, without its work, which has 60 kB. */
export interface FoundBatch {
  readonly state: string;
  readonly heartbeatAt: string | null;
  readonly worker: ProcessIdentity | null;
}

export const BATCH_COLUMNS = sql`state, heartbeat_at, worker`;
