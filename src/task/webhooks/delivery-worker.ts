/**
 * Sends deliveries that several servers share, each beside the others: a server claims a delivery before it sends it. A webhook
 * whose receiver fails gets one request at a time, and such webhooks together get half of all, so they do not delay the others.
 */
import { setMaxListeners } from 'node:events';
import { ListingVideoError } from '../../platform/errors.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import { changedDelivery } from './delivery-change.ts';
import { type ClaimedDelivery, type DeliveryClaims, LAST_START_MS } from './delivery-claims.ts';
import { DeliveryLoop } from '../../account/webhook/delivery-loop.ts';
import {
  DAMAGED_MS,
  type DeliveryWorkerOptions,
  FAULT_MS,
  MAX_AT_ONCE,
  MAX_FAILING_AT_ONCE,
  UPKEEP_MS,
} from '../../account/webhook/delivery-worker.ts';
import type { LostEvents } from './lost-events.ts';
import type { DeliveryChange } from './webhook-store.ts';

export interface SharedDeliveryOptions extends Omit<DeliveryWorkerOptions, 'queue'> {
  readonly claims: DeliveryClaims;
  /** Of the ends that this process stored. */
  readonly lost: LostEvents;
}

/** The result of an attempt. */
interface Result {
  readonly claimed: ClaimedDelivery;
  readonly change: DeliveryChange;
}

/** A worker. It sends nothing before `start`. */
export class SharedDeliveryWorker {
  readonly #options: SharedDeliveryOptions;
  /** What is being sent, and whether it is of a webhook whose receiver fails. */
  readonly #running = new Map<Promise<void>, boolean>();
  readonly #loop: DeliveryLoop<Result>;
  readonly #abort = new AbortController();
  #upkeepMs = Number.NEGATIVE_INFINITY;
  #publicUrl: () => string = () => '';

  constructor(options: SharedDeliveryOptions) {
    this.#options = options;
    this.#loop = new DeliveryLoop({
      ...options,
      look: () => this.#look(),
      save: (result) => this.#save(result),
    });
    // One for each message that is being sent.
    setMaxListeners(MAX_AT_ONCE, this.#abort.signal);
  }

  /** Starts to send, also what dead servers left. @param publicUrl - Called for each message. */
  start(publicUrl: () => string): void {
    this.#publicUrl = publicUrl;
    this.#loop.start();
  }

  /** Looks for deliveries now instead of at the next poll. Before the start it logs the events that this process could not store. */
  nudge(): void {
    this.#logLost();
    this.#loop.nudge();
  }

  /** Begins nothing more and waits `graceMs` for what is being sent. The rest is sent by another server. */
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
  }

  async #look(): Promise<void> {
    const { claims, clock } = this.#options;
    this.#logLost();
    await this.#loop.saveAll();
    const nowMs = clock.nowMs();
    if (Math.abs(nowMs - this.#upkeepMs) >= UPKEEP_MS) {
      await claims.upkeep();
      this.#upkeepMs = nowMs;
    }
    for (const isFailing of [false, true]) {
      for (;;) {
        const room = this.#room(isFailing);
        if (!this.#loop.canSend || room <= 0) break;
        const claimedMs = clock.nowMs();
        const taken = await claims.claim(room, isFailing);
        for (const claimed of taken) this.#begin(claimed, claimedMs, isFailing);
        if (taken.length === 0) break;
      }
    }
  }

  #logLost(): void {
    for (const delivery of this.#options.lost.take().givenUp) this.#options.onAttempt(delivery);
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
    const { clock, logger, onAttempt, send } = this.#options;
    const { delivery, webhook } = claimed;
    try {
      const deps = {
        ...this.#options,
        bodyOf: (each: typeof delivery) => this.#options.bodyOf(each, this.#publicUrl()),
        send: (...message: Parameters<typeof send>) => {
          // This process was stopped meanwhile, or the database was slow. Another server can have the delivery soon.
          if (Math.abs(clock.nowMs() - claimedMs) > LAST_START_MS) throw new Error('its claim is too old');
          return send(...message);
        },
        nowMs: clock.nowMs,
      };
      const change = await attemptDelivery(delivery, webhook, deps, this.#abort.signal);
      const result = { claimed, change };
      await this.#save(result).catch((error: unknown) => {
        this.#loop.keep(result);
        logger.warn('the result of a delivery cannot be stored now', { delivery: delivery.id, error });
      });
      onAttempt(changedDelivery(delivery, change));
    } catch (error) {
      const isStopped = this.#abort.signal.aborted;
      const isDamaged = error instanceof ListingVideoError && error.code === 'store_corrupt';
      const delayMs = isStopped ? 0 : isDamaged ? DAMAGED_MS : FAULT_MS;
      // Without it the claim ends by itself.
      await this.#options.claims.release(claimed, delayMs).catch(() => {});
      if (!isStopped)
        logger.warn('a delivery cannot be sent', { delivery: delivery.id, webhook: webhook.id, error });
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
