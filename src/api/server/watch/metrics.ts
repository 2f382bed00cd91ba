/** Metrics for Prometheus. Only this file, `bucket-metrics.ts` and `queue-metrics.ts` use prom-client. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { QueueFacts } from '../../../task/engine/work-queue.ts';
import type { TaskRecord } from '../../../task/task.ts';
import type { Delivery } from '../../../task/webhooks/webhook.ts';
import type { BucketRequest } from '../../../video/bucket/observe-request.ts';
import type { RenderedWork } from '../../../video/render-deps.ts';
import { addBucketMetrics } from './bucket-metrics.ts';
import { addQueueMetrics } from './queue-metrics.ts';

export interface Metrics {
  readonly contentType: string;
  /** The exposition format. */
  render(): Promise<string>;
  observeRequest(facts: {
    readonly method: string;
    readonly route: string;
    readonly status: number;
    readonly durationSec: number;
  }): void;
  /** Counts an ended task once, however often it is reported. @returns True for the first report. */
  observeEnd(task: TaskRecord<unknown>): boolean;
  observeRendering(work: RenderedWork): void;
  observeBucket(request: BucketRequest): void;
  /** Counts jobs of silent workers that this process gave to others. */
  observeRedelivery(jobs: number): void;
  observeDelivery(delivery: Delivery): void;
}

export interface MetricsOptions {
  /** Called at every scrape. */
  readonly countTasks: (state: 'PENDING' | 'RUNNING') => Promise<number>;
  readonly runningHere: () => number;
  /** True while no task is started because of a fault of this machine. */
  readonly isPaused?: () => boolean;
  /** Number of events that wait for their delivery. Called at every scrape. Absent: no webhooks. */
  readonly countDeliveries?: () => Promise<number>;
  readonly hasBucket?: boolean;
  /** The queue of a database. Called at every scrape. Absent: none. */
  readonly readQueue?: (() => Promise<QueueFacts>) | undefined;
  readonly hasProcessMetrics: boolean;
}

/** By the state of the delivery after the attempt. */
const ATTEMPT_RESULTS = { succeeded: 'succeeded', waiting: 'failed', failed: 'given_up' } as const;
/** How many ended tasks are kept in memory to recognize a repeated settlement. */
const REMEMBERED_ENDS = 1_000;
const METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);

/** Uses its own registry, because a process can run several servers. */
export function createMetrics({
  countTasks,
  runningHere,
  hasProcessMetrics,
  isPaused = () => false,
  countDeliveries = async () => 0,
  hasBucket = false,
  readQueue,
}: MetricsOptions): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (hasProcessMetrics) collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'listing_video_http_request_duration_seconds',
    help: 'Requests by method, route and status, and how long their answers took.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30],
    registers,
  });
  new Gauge({
    name: 'listing_video_tasks',
    help: 'Tasks of this data folder or database that are PENDING (the length of the queue) or RUNNING.',
    labelNames: ['state'],
    registers,
    async collect() {
      for (const state of ['PENDING', 'RUNNING'] as const) {
        // When the store cannot be read, this metric is NaN and the scrape still succeeds.
        this.set({ state }, await countTasks(state).catch(() => Number.NaN));
      }
    },
  });
  new Gauge({
    name: 'listing_video_tasks_running_here',
    help: 'Tasks that this process runs, with the one whose photos it prepares.',
    registers,
    collect() {
      this.set(runningHere());
    },
  });
  new Gauge({
    name: 'listing_video_worker_paused',
    help: '1 while this process starts no task because of a fault of the machine, else 0.',
    registers,
    collect() {
      this.set(isPaused() ? 1 : 0);
    },
  });
  const ends = new Histogram({
    name: 'listing_video_task_duration_seconds',
    help: 'Ended tasks by state, and how long their last attempt took.',
    labelNames: ['state'],
    buckets: [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800],
    registers,
  });
  const frames = new Counter({
    name: 'listing_video_frames_rendered_total',
    help: 'Frames rendered and encoded.',
    registers,
  });
  const renderSeconds = new Counter({
    name: 'listing_video_render_seconds_total',
    help: 'Seconds spent on rendering and encoding; frames divided by it are frames per second.',
    registers,
  });
  const speed = new Gauge({
    name: 'listing_video_frames_per_second',
    help: 'Frames per second of the task rendered last.',
    registers,
  });
  const segments = new Counter({
    name: 'listing_video_segments_total',
    help: 'Segments of videos: rendered, or found in the cache.',
    labelNames: ['source'],
    registers,
  });
  for (const source of ['rendered', 'cache']) segments.inc({ source }, 0);
  new Gauge({
    name: 'listing_video_webhook_deliveries_waiting',
    help: 'Events that wait for their first or next delivery to a webhook.',
    registers,
    async collect() {
      this.set(await countDeliveries().catch(() => Number.NaN));
    },
  });
  const attempts = new Counter({
    name: 'listing_video_webhook_attempts_total',
    help: 'Attempts to deliver an event to a webhook: succeeded, failed, or given_up after the last one.',
    labelNames: ['result'],
    registers,
  });
  for (const result of Object.values(ATTEMPT_RESULTS)) attempts.inc({ result }, 0);
  const observeBucket = hasBucket ? addBucketMetrics(registry) : () => {};
  const observeRedelivery = readQueue === undefined ? () => {} : addQueueMetrics(registry, readQueue);
  const ended = new Set<string>();
  return {
    observeBucket,
    contentType: registry.contentType,
    render: () => registry.metrics(),
    observeRequest: ({ method, route, status, durationSec }) => {
      requests.observe({ method: METHODS.has(method) ? method : 'other', route, status }, durationSec);
    },
    observeEnd: (task) => {
      const name = `${task.id} ${task.retries}`;
      if (ended.has(name)) return false;
      if (ended.size >= REMEMBERED_ENDS) ended.clear();
      ended.add(name);
      const beganMs = Date.parse(task.startedAt ?? task.createdAt);
      ends.observe({ state: task.state }, Math.max(0, Date.parse(task.updatedAt) - beganMs) / 1000);
      return true;
    },
    observeRedelivery,
    observeDelivery: ({ state }) => attempts.inc({ result: ATTEMPT_RESULTS[state] }),
    observeRendering: (work) => {
      frames.inc(work.frames);
      renderSeconds.inc(work.durationSec);
      segments.inc({ source: 'rendered' }, work.segmentsRendered);
      segments.inc({ source: 'cache' }, work.segmentsReused);
      if (work.frames > 0 && work.durationSec > 0) speed.set(work.frames / work.durationSec);
    },
  };
}
