/** The state of the queue, for metrics. */
import type { QueueFacts } from '../../task/engine/work-queue.ts';
import type { Queries } from '../database.ts';
import { QUEUE_SCHEMA } from './queue-schema.ts';
import { TASK_JOB } from './task-jobs.ts';
import { listPools } from './worker-pools.ts';

interface Row {
  readonly kind: string;
  readonly state: QueueFacts['jobs'][number]['state'];
  readonly count: number;
  readonly ageSec: number;
}

/** Reads all jobs: measured 20 ms with 10,000 waiting tasks, 200 ms with 100,000. */
export async function readQueue(queries: Queries): Promise<QueueFacts> {
  const jobs = await queries.query<Row>(
    `select task_identifier as kind,
       case when locked_at is not null then 'running' when attempts >= max_attempts then 'failed'
         when run_at > now() then 'delayed' else 'waiting' end as state,
       count(*)::int as count, extract(epoch from now() - min(created_at))::float8 as "ageSec"
     from ${QUEUE_SCHEMA}.jobs group by 1, 2 order by 1, 2`,
  );
  // A job of a task is replaced while the task waits, so it does not know for how long.
  const [oldest] = await queries.query<{ ageSec: number | null }>(
    `select extract(epoch from now() - min(queued_at))::float8 as "ageSec" from listing_video.tasks
     where origin = 'api' and state = 'PENDING'`,
  );
  const waiting = jobs.filter(({ state }) => state === 'waiting');
  const pools = await listPools(queries);
  return {
    jobs: jobs.map(({ kind, state, count }) => ({ kind, state, count })),
    oldestWaitingSec: {
      ...Object.fromEntries(waiting.map(({ kind, ageSec }) => [kind, ageSec])),
      [TASK_JOB]: Math.max(0, oldest?.ageSec ?? 0),
    },
    workers: pools.filter(({ state }) => state !== 'silent').length,
  };
}
