/**
 * Sends the deliveries of a data folder while a server runs. One process of the folder does it at a time. A webhook whose
 * receiver fails gets one request at a time, and such webhooks together get half of all, so they do not delay the others.
 */
import { setMaxListeners } from 'node:events';
import { ListingVideoError } from '../../platform/errors.ts';
import type { TaskClock } from '../../task/engine/task-clock.ts';
import type { TaskLogger } from '../../task/engine/task-handler.ts';
import { type AttemptDeps, attemptDelivery } from '../../task/webhooks/attempt-delivery.ts';
import { MAX_PER_WEBHOOK } from '../../task/webhooks/delivery-claims.ts';
import { DeliveryLoop } from './delivery-loop.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import { MAX_DELAY_MS } from '../../task/webhooks/retry-delay.ts';
import type { FullDelivery } from '../../task/webhooks/webhook.ts';
import type { DeliveryChange } from '../../task/webhooks/webhook-store.ts';

/** Interval of the removal of old deliveries. */
export const UPKEEP_MS = 3_600_000;
/** How soon a delivery is tried again that could not be read or sent because of a fault of this machine. */
export const FAULT_MS = 60_000;
/** As {@link FAULT_MS}, for a damaged one: a backup can bring it back. */
export const DAMAGED_MS = 3_600_000;
/** Requests of one process at a time. */
export const MAX_AT_ONCE = 64;
/** Of them, those to receivers that fail. */
export const MAX_FAILING_AT_ONCE = MAX_AT_ONCE / 2;

export interface DeliveryWorkerOptions extends Pick<AttemptDeps, 'store' | 'send' | 'random'> {
  readonly queue: DeliveryQueue;
  /** The JSON of a message. @param publicUrl - Of the results' files, without a slash at the end. */
  readonly bodyOf: (delivery: FullDelivery, publicUrl: string) => string;
  readonly clock: TaskClock;
  readonly logger: TaskLogger;
  /** Called after each attempt, and with each delivery that failed without one. */
  readonly onAttempt: (delivery: FullDelivery) => void;
}

/** The waiting deliveries of one webhook. */
interface Lane {
  /** Time of the next look at each delivery, in milliseconds since 1970. */
  readonly due: Map<string, number>;
  readonly running: Set<string>;
  /** The last attempt failed. */
  isFailing: boolean;
  /** Number of its last turn. The lowest comes first. */
  turn: number;
}

/** The result of an attempt. */
interface Result {
  readonly delivery: FullDelivery;
  readonly change: DeliveryChange;
}

/** A worker. It sends nothing before `start`. */
export class DeliveryWorker {
  readonly #options: DeliveryWorkerOptions;
  readonly #lanes = new Map<string, Lane>();
  readonly #running = new Map<Promise<void>, Lane>();
  readonly #loop: DeliveryLoop<Result>;
  readonly #abort = new AbortController();
  #turns = 0;
  #upkeepMs = Number.NEGATIVE_INFINITY;
  #publicUrl: () => string = () => '';

  constructor(options: DeliveryWorkerOptions) {
    this.#options = options;
    this.#loop = new DeliveryLoop({
      ...options,
      look: () => this.#look(),
      save: (result) => this.#save(result),
    });
    // One for each message that is being sent.
    setMaxListeners(MAX_AT_ONCE, this.#abort.signal);
  }

  /** Starts to send, first what an earlier process left. @param publicUrl - Called for each message. */
  start(publicUrl: () => string): void {
    this.#publicUrl = publicUrl;
    this.#loop.start();
  }

  /** Looks for deliveries now instead of at the next poll. */
  nudge(): void {
    this.#loop.nudge();
  }

  /** Begins nothing more and waits `graceMs` for what is being sent. The rest is sent by the next server. */
  async stop(graceMs: number): Promise<void> {
    if (this.#loop.isStopped) return;
    const unschedule = this.#options.clock.schedule(
      () => this.#abort.abort(new Error('the server stops')),
      graceMs,
    );
    await this.#loop.stop();
    await Promise.all(this.#running.keys());
    unschedule();
    this.#logLost();
    await this.#loop.saveLast();
    await this.#options.queue.lease.release().catch(() => {});
  }

  async #look(): Promise<void> {
    const { queue, clock } = this.#options;
    this.#logLost();
    const nowMs = clock.nowMs();
    if (Math.abs(nowMs - this.#upkeepMs) >= UPKEEP_MS) {
      this.#upkeepMs = nowMs;
      await queue.upkeep();
    }
    const waiting = await queue.waiting();
    // Without webhooks the data folder stays as it is.
    const hasRight = (waiting.size > 0 || this.#loop.hasUnsaved) && (await queue.lease.acquire());
    if (!hasRight) return this.#lanes.clear();
    await this.#loop.saveAll();
    for (const webhookId of this.#lanes.keys()) if (!waiting.has(webhookId)) this.#lanes.delete(webhookId);
    for (const [webhookId, ids] of waiting) this.#update(webhookId, ids);
    this.#fill();
  }

  #logLost(): void {
    const { queue, logger, onAttempt } = this.#options;
    const { givenUp, unknown } = queue.lost.take();
    for (const delivery of givenUp) onAttempt(delivery);
    for (const { taskId, error } of unknown) {
      const message =
        'the event of a task is lost for a webhook that is damaged: put its file back from a backup, or remove the file and make ' +
        'the webhook again with `listing-video webhooks create`';
      logger.warn(message, { task: taskId, error });
    }
  }

  #update(webhookId: string, ids: readonly string[]): void {
    const lane = this.#lanes.get(webhookId) ?? {
      due: new Map<string, number>(),
      running: new Set<string>(),
      isFailing: false,
      turn: 0,
    };
    this.#lanes.set(webhookId, lane);
    const existing = new Set(ids);
    const latestMs = this.#options.clock.nowMs() + MAX_DELAY_MS;
    for (const [id, dueMs] of lane.due) {
      if (!existing.has(id)) lane.due.delete(id);
      // The clock was set back.
      else if (dueMs > latestMs && Number.isFinite(dueMs)) lane.due.set(id, 0);
    }
    // A new one is due. When an earlier process has tried it, its document has the time.
    for (const id of ids) if (!lane.due.has(id)) lane.due.set(id, 0);
  }

  #fill(): void {
    const { lease } = this.#options.queue;
    while (this.#loop.canSend && lease.canSend) {
      const next = this.#next();
      if (next === null) return;
      const { webhookId, lane, id } = next;
      lane.running.add(id);
      this.#turns += 1;
      lane.turn = this.#turns;
      const run = this.#run(webhookId, lane, id).finally(() => {
        lane.running.delete(id);
        this.#running.delete(run);
        this.#fill();
      });
      this.#running.set(run, lane);
    }
  }

  /** The delivery that is sent next; null if none is due or too many are being sent. */
  #next(): { webhookId: string; lane: Lane; id: string } | null {
    if (this.#running.size >= MAX_AT_ONCE) return null;
    const failing = [...this.#running.values()].filter(({ isFailing }) => isFailing).length;
    const isFull = (lane: Lane) =>
      lane.running.size >= (lane.isFailing ? 1 : MAX_PER_WEBHOOK) ||
      (lane.isFailing && failing >= MAX_FAILING_AT_ONCE);
    const open = [...this.#lanes].filter(([, lane]) => !isFull(lane)).sort(([, a], [, b]) => a.turn - b.turn);
    for (const [webhookId, lane] of open) {
      const id = this.#firstDue(lane);
      if (id !== null) return { webhookId, lane, id };
    }
    return null;
  }

  #firstDue({ due, running }: Lane): string | null {
    let first: string | null = null;
    let firstMs = this.#options.clock.nowMs();
    for (const [id, dueMs] of due) {
      if (dueMs > firstMs || running.has(id) || (dueMs === firstMs && first !== null)) continue;
      [first, firstMs] = [id, dueMs];
    }
    return first;
  }

  async #run(webhookId: string, lane: Lane, id: string): Promise<void> {
    const { queue, clock, logger, onAttempt } = this.#options;
    try {
      const found = await queue.open(webhookId, id);
      if (found.kind === 'gone') lane.due.delete(id);
      if (found.kind === 'later') lane.due.set(id, found.atMs);
      if (found.kind !== 'due') return;
      const bodyOf = (delivery: FullDelivery) => this.#options.bodyOf(delivery, this.#publicUrl());
      const deps = { ...this.#options, bodyOf, nowMs: clock.nowMs };
      const change = await attemptDelivery(found.delivery, found.webhook, deps, this.#abort.signal);
      lane.isFailing = change.state !== 'succeeded';
      // The next look sees that the webhook is disabled, and fails them.
      if (change.attempt?.status === 410) {
        // One that has ended is not looked at again.
        for (const [other, dueMs] of lane.due) if (Number.isFinite(dueMs)) lane.due.set(other, 0);
      }
      lane.due.set(
        id,
        change.nextAttemptAt === null ? Number.POSITIVE_INFINITY : Date.parse(change.nextAttemptAt),
      );
      const item = { delivery: found.delivery, change };
      const after = await this.#save(item).catch((error: unknown) => {
        this.#loop.keep(item);
        logger.warn('the result of a delivery cannot be stored now', { delivery: id, error });
        return { ...found.delivery, ...change, lastAttempt: change.attempt ?? null };
      });
      onAttempt(after);
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      const isDamaged = error instanceof ListingVideoError && error.code === 'store_corrupt';
      lane.due.set(id, clock.nowMs() + (isDamaged ? DAMAGED_MS : FAULT_MS));
      logger.warn('a delivery cannot be sent', { delivery: id, webhook: webhookId, error });
    }
  }

  #save({ delivery, change }: Result): Promise<FullDelivery> {
    return this.#options.queue.change(delivery, change);
  }
}
