/** The metrics of the queue that servers and workers of one database share. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { QueueFacts } from '../../../task/engine/work-queue.ts';

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
  // While the database is away, the gauges have no values, and the scrape still succeeds.
  const readWork = async () => (await readQueue().catch(() => null))?.work ?? [];
  new Gauge({
    name: 'listing_video_queue_depth',
    help: 'Work in the database by kind, tasks and batches of divided tasks, and by state, waiting or running.',
    labelNames: ['kind', 'state'],
    registers,
    async collect() {
      this.reset();
      for (const { kind, waiting, running } of await readWork()) {
        this.set({ kind, state: 'waiting' }, waiting);
        this.set({ kind, state: 'running' }, running);
      }
    },
  });
  new Gauge({
    name: 'listing_video_queue_oldest_waiting_seconds',
    help: 'How long the oldest work has waited for a worker, by kind; 0 if none waits.',
    labelNames: ['kind'],
    registers,
    async collect() {
      this.reset();
      for (const { kind, oldestWaitingSec } of await readWork()) this.set({ kind }, oldestWaitingSec);
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
    help: 'Jobs that this process gave to others, because their worker died or did not reach the database.',
    registers,
  });
  return (jobs) => redeliveries.inc(jobs);
}
