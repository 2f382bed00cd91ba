/** The metrics of the queue that servers and workers of one database share. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { QueueFacts } from '../task/engine/work-queue.ts';

/**
 * Adds them to `registry`.
 *
 * @param readQueue - Called for each gauge at every scrape.
 * @returns Counts jobs that were given out again.
 */
export function addQueueMetrics(
  registry: Registry,
  readQueue: () => Promise<QueueFacts>,
): (jobs: number) => void {
  const registers = [registry];
  new Gauge({
    name: 'listing_video_queue_jobs',
    help: 'Jobs in the database by kind: waiting, running, delayed (they come again later), or failed (they do not).',
    labelNames: ['kind', 'state'],
    registers,
    async collect() {
      // A kind without jobs has no row.
      this.reset();
      const facts = await readQueue().catch(() => null);
      for (const { kind, state, count } of facts?.jobs ?? []) this.set({ kind, state }, count);
    },
  });
  new Gauge({
    name: 'listing_video_queue_oldest_waiting_seconds',
    help: 'How long the oldest work has waited for a worker, by kind; 0 if none waits.',
    labelNames: ['kind'],
    registers,
    async collect() {
      this.reset();
      const facts = await readQueue().catch(() => null);
      for (const [kind, ageSec] of Object.entries(facts?.oldestWaitingSec ?? {})) this.set({ kind }, ageSec);
    },
  });
  new Gauge({
    name: 'listing_video_workers',
    help: 'Workers that live, on all machines: processes of worker, and of serve without --no-render.',
    registers,
    async collect() {
      this.set((await readQueue().catch(() => null))?.workers ?? Number.NaN);
    },
  });
  const redeliveries = new Counter({
    name: 'listing_video_queue_redeliveries_total',
    help: 'Jobs of dead workers that this process gave to others.',
    registers,
  });
  return (jobs) => redeliveries.inc(jobs);
}
