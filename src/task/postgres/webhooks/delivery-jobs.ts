/**
 * Deliveries as jobs: the key is the delivery, the queue is its webhook. A named queue runs one job at a time, so a
 * webhook has four of them, and one while its receiver fails. Each look for a job locks every free queue, which costs:
 * measured 770 jobs a second without queues, 380 with 400 of them, 92 with 4,000.
 */
import { MAX_PER_WEBHOOK } from '../../webhooks/delivery-claims.ts';
import { MAX_ATTEMPTS } from '../../webhooks/retry-delay.ts';
import type { Queries } from '../database.ts';
import { DELIVERY_JOB, QUEUE } from '../queue/jobs.ts';
import { raw, type Sql, sql } from '../sql.ts';

/** A flag of the jobs to receivers that fail. */
export const FAILING = 'failing';

/** The id of a delivery ends with random hex digits. */
const LANE = sql`get_byte(decode(right(d.id, 2), 'hex'), 0) % ${raw(String(MAX_PER_WEBHOOK))}`;

/** Of a row `d` with its webhook `w`. Without its end, so that a time can follow. */
export const ADD_DELIVERY_JOB = sql`${QUEUE}.add_job(${DELIVERY_JOB}, json_build_object('deliveryId', d.id), job_key => d.id,
  queue_name => w.id || case when w.is_failing then '' else ':' || ${LANE} end, max_attempts => ${MAX_ATTEMPTS},
  flags => case when w.is_failing then array[${FAILING}] end`;

/** Held by the transactions that add jobs to queues, and alone by the one that removes queues without jobs. */
export const QUEUES_LOCK = sql`hashtextextended('listing-video queues of deliveries', 0)`;

const OF_WEBHOOK = sql`from (select pg_advisory_xact_lock_shared(${QUEUES_LOCK})) held,
  listing_video.webhook_deliveries d join listing_video.webhooks w on w.id = d.webhook_id`;

/** Adds the jobs of these deliveries, as far as they wait. @param dueAt - Null for now. */
export async function addDeliveryJobs(
  queries: Queries,
  ids: readonly string[],
  dueAt: string | null,
): Promise<void> {
  if (ids.length === 0) return;
  await queries.query(
    sql`select ${ADD_DELIVERY_JOB}, run_at => ${dueAt}::timestamptz) ${OF_WEBHOOK}
     where d.id = any(${ids}) and d.state = 'waiting'
     -- Two transactions that make queues in different orders would wait for each other.
     order by w.id, w.is_failing, ${LANE}`,
  );
}

/** Moves the job of a delivery into the queue of receivers that fail. Its attempts count on. */
export async function moveToFailing(queries: Queries, id: string, attempts: number): Promise<void> {
  await queries.query(
    sql`select ${QUEUE}.reschedule_jobs(array[(${ADD_DELIVERY_JOB})).id], attempts => ${attempts}) ${OF_WEBHOOK}
     where d.id = ${id}`,
  );
}

/** Makes jobs of the deliveries with these conditions due now. A running one stays as it is. */
export async function makeJobsDue(queries: Queries, conditions: Sql): Promise<void> {
  await queries.query(
    sql`select ${QUEUE}.reschedule_jobs(array_agg(id), run_at => now()) from ${QUEUE}.jobs
     where key in (select id from listing_video.webhook_deliveries where ${conditions})`,
  );
}
