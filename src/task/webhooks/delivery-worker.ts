/**
 * Sends the deliveries of a store while a server runs. Any number of servers do it beside each other: each claims a
 * delivery before it sends it. A webhook whose receiver fails gets one request at a time, and such webhooks together
 * get half of all, so they do not delay the others.
 */
import { setMaxListeners } from 'node:events';
import { ListingVideoError } from '../../platform/errors.ts';
import type { TaskClock, Unschedule } from '../engine/task-clock.ts';
import type { TaskLogger } from '../engine/task-handler.ts';
import { type AttemptDeps, attemptDelivery } from './attempt-delivery.ts';
import { changedDelivery } from './delivery-change.ts';
import {
  type ClaimedDelivery,
  DAMAGED_MS,
  type DeliveryClaims,
  FAULT_MS,
  LAST_START_MS,
} from './delivery-claims.ts';
import { type LostEvents, reportLost } from './lost-events.ts';
import type { FullDelivery } from './webhook.ts';
import type { DeliveryChange } from './webhook-store.ts';

/** Interval of the looks for deliveries that other processes added or that became due. */
const POLL_MS = 1_000;
/** Interval of the removal of old deliveries. */
const UPKEEP_MS = 3_600_000;
/** Requests of one process at a time. */
const MAX_AT_ONCE = 64;
/** Of them, those to receivers that fail. */
const MAX_FAILING_AT_ONCE = MAX_AT_ONCE / 2;

export interface DeliveryWorkerOptions extends Pick<AttemptDeps, 'store' | 'send'> {
  readonly claims: DeliveryClaims;
  /** Of the ends that this process stored. */
  readonly lost: LostEvents;
  /** The JSON of a message. @param publicUrl - Of the results' files, without a slash at the end. */
  readonly bodyOf: (delivery: FullDelivery, publicUrl: string) => string;
  readonly clock: TaskClock;
  readonly logger: TaskLogger;
  /** Called after each attempt, and with each delivery that failed without one. */
  readonly onAttempt: (delivery: FullDelivery) => void;
}

interface Result {
  readonly claimed: ClaimedDelivery;
  readonly change: DeliveryChange;
}

/** A worker. It sends nothing before `start`. */
export class DeliveryWorker {
  readonly #options: DeliveryWorkerOptions;
  /** What is being sent, and whether it is of a webhook whose receiver fails. */
  readonly #running = new Map<Promise<void>, boolean>();
  readonly #abort = new AbortController();
  #state: 'idle' | 'working' | 'stopped' = 'idle';
  #looking: Promise<void> | null = null;
  #isNudged = false;
  #isFaultReported = false;
  #unschedule: Unschedule = () => {};
  /** Results that could not be stored yet, in their order. */
  #unsaved: Result[] = [];
  #upkeepMs = Number.NEGATIVE_INFINITY;
  #publicUrl: () => string = () => '';

  constructor(options: DeliveryWorkerOptions) {
    this.#options = options;
    // One for each message that is being sent.
    setMaxListeners(MAX_AT_ONCE, this.#abort.signal);
  }

  /**
   * Starts to send, also what dead servers left. Does nothing after the first call.
   *
   * @param publicUrl - Called for each message.
   */
  start(publicUrl: () => string): void {
    if (this.#state !== 'idle') return;
    this.#publicUrl = publicUrl;
    this.#state = 'working';
    this.nudge();
  }

  /**
   * Looks for deliveries now instead of at the next poll. Before the start it logs the events that this process could
   * not store.
   */
  nudge(): void {
    reportLost(this.#options);
    if (this.#state !== 'working') return;
    this.#isNudged = true;
    this.#looking ??= this.#lookAll().finally(() => {
      this.#looking = null;
      if (this.#isNudged) this.nudge();
    });
  }

  /** Begins nothing more and waits `graceMs` for what is being sent. The rest is sent by another server. */
  async stop(graceMs: number): Promise<void> {
    if (this.#state === 'stopped') return;
    this.#state = 'stopped';
    this.#isNudged = false;
    this.#unschedule();
    const { clock, logger } = this.#options;
    const unschedule = clock.schedule(() => this.#abort.abort(new Error('the server stops')), graceMs);
    await this.#looking;
    await Promise.all(this.#running.keys());
    unschedule();
    reportLost(this.#options);
    await this.#saveAll().catch((error) => logger.warn('the result of a delivery is lost', { error }));
  }

  async #lookAll(): Promise<void> {
    const { clock, logger } = this.#options;
    this.#unschedule();
    while (this.#isNudged) {
      this.#isNudged = false;
      try {
        await this.#look();
        this.#isFaultReported = false;
      } catch (error) {
        // Once per fault: the poll goes on every second.
        if (!this.#isFaultReported) logger.warn('webhooks cannot be delivered now', { error });
        this.#isFaultReported = true;
      }
      reportLost(this.#options);
    }
    if (this.#state === 'working') this.#unschedule = clock.schedule(() => this.nudge(), POLL_MS);
  }

  async #look(): Promise<void> {
    const { claims, clock } = this.#options;
    await this.#saveAll();
    const nowMs = clock.nowMs();
    if (Math.abs(nowMs - this.#upkeepMs) >= UPKEEP_MS) {
      await claims.upkeep();
      this.#upkeepMs = nowMs;
    }
    for (const isFailing of [false, true]) {
      // While results cannot be stored nothing is sent, or it would be sent again and again.
      while (this.#state === 'working' && this.#unsaved.length === 0 && this.#room(isFailing) > 0) {
        const claimedMs = clock.nowMs();
        const taken = await claims.claim(this.#room(isFailing), isFailing);
        for (const claimed of taken) this.#begin(claimed, claimedMs, isFailing);
        if (taken.length === 0) break;
      }
    }
  }

  #room(isFailing: boolean): number {
    const all = MAX_AT_ONCE - this.#running.size;
    if (!isFailing) return all;
    const failing = [...this.#running.values()].filter(Boolean).length;
    return Math.min(all, MAX_FAILING_AT_ONCE - failing);
  }

  #begin(claimed: ClaimedDelivery, claimedMs: number, isFailing: boolean): void {
    const run = this.#run(claimed, claimedMs).finally(() => {
      this.#running.delete(run);
      this.nudge();
    });
    this.#running.set(run, isFailing);
  }

  async #run(claimed: ClaimedDelivery, claimedMs: number): Promise<void> {
    const { claims, clock, logger, onAttempt, send } = this.#options;
    const { delivery, webhook } = claimed;
    try {
      const deps: AttemptDeps = {
        ...this.#options,
        bodyOf: (each) => this.#options.bodyOf(each, this.#publicUrl()),
        send: (...message) => {
          // This process was stopped meanwhile, or the store was slow. Another server can have the delivery soon.
          if (Math.abs(clock.nowMs() - claimedMs) > LAST_START_MS) throw new Error('its claim is too old');
          return send(...message);
        },
        nowMs: clock.nowMs,
      };
      const change = await attemptDelivery(delivery, webhook, deps, this.#abort.signal);
      const result = { claimed, change };
      await this.#save(result).catch((error: unknown) => {
        this.#unsaved.push(result);
        logger.warn('the result of a delivery cannot be stored now', { delivery: delivery.id, error });
      });
      onAttempt(changedDelivery(delivery, change));
    } catch (error) {
      const isStopped = this.#abort.signal.aborted;
      const isDamaged = error instanceof ListingVideoError && error.code === 'store_corrupt';
      const delayMs = isStopped ? 0 : isDamaged ? DAMAGED_MS : FAULT_MS;
      // Without it the claim ends by itself.
      await claims.release(claimed, delayMs).catch(() => {});
      if (!isStopped)
        logger.warn('a delivery cannot be sent', { delivery: delivery.id, webhook: webhook.id, error });
    }
  }

  async #saveAll(): Promise<void> {
    for (let result = this.#unsaved[0]; result !== undefined; result = this.#unsaved[0]) {
      await this.#save(result);
      this.#unsaved.shift();
    }
  }

  #save({ claimed, change }: Result): Promise<void> {
    const { claims, clock } = this.#options;
    const { nextAttemptAt } = change;
    // The clock of the store can differ from that of this machine.
    const delayMs = nextAttemptAt === null ? 0 : Math.max(0, Date.parse(nextAttemptAt) - clock.nowMs());
    return claims.finish(claimed, change, delayMs);
  }
}
