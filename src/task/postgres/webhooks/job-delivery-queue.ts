/** The queue of deliveries: a pool of graphile-worker for each server that sends. */
import type { DeliveryQueue, DispatchedDelivery } from '../../webhooks/dispatched-deliveries.ts';
import { JobPool, type JobPoolOptions } from '../queue/job-pool.ts';
import { DELIVERY_JOB } from '../queue/jobs.ts';
import { sql } from '../sql.ts';
import { FAILING, makeJobsDue } from './delivery-jobs.ts';

/** Requests of one process at a time. Each looks for due jobs by itself once a second while it is idle. */
const MAX_AT_ONCE = 32;
/** Of them, those to receivers that fail. */
const MAX_FAILING_AT_ONCE = MAX_AT_ONCE / 2;

export class JobDeliveryQueue implements DeliveryQueue {
  readonly #pool: JobPool;
  readonly #options: Pick<JobPoolOptions, 'database' | 'url' | 'clock' | 'logger'>;
  #dispatch: (delivery: DispatchedDelivery) => Promise<void> = async () => {};
  #running = () => 0;
  #failing = 0;

  constructor(options: Pick<JobPoolOptions, 'database' | 'url' | 'clock' | 'logger'>) {
    this.#options = options;
    this.#pool = new JobPool({
      ...options,
      jobsAtOnce: MAX_AT_ONCE,
      kinds: {
        [DELIVERY_JOB]: async (payload, { attempts: attempt, flags }) => {
          const id = (payload as { deliveryId?: unknown } | null)?.deliveryId;
          if (typeof id !== 'string') return;
          const isAmongFailing = flags !== null && FAILING in flags;
          this.#failing += isAmongFailing ? 1 : 0;
          await this.#dispatch({ id, attempt, isAmongFailing }).finally(() => {
            this.#failing -= isAmongFailing ? 1 : 0;
          });
        },
      },
      forbiddenFlags: () => (this.#failing < MAX_FAILING_AT_ONCE ? [] : [FAILING]),
      areShort: true,
      // A pool of workers that renders nothing, whose jobs others give out again if it dies.
      facts: () => ({ state: 'working', running: this.#running(), tasksAtOnce: 0 }),
      onRedelivered: () => {},
    });
  }

  start(dispatch: (delivery: DispatchedDelivery) => Promise<void>, running: () => number): void {
    this.#dispatch = dispatch;
    this.#running = running;
    this.#pool.start();
  }

  async stop(unsent: () => readonly string[]): Promise<void> {
    await this.#pool.stop();
    const ids = unsent();
    if (ids.length > 0) await makeJobsDue(this.#options.database, sql`id = any(${ids})`).catch(() => {});
  }
}
