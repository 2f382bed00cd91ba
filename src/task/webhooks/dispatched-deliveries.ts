/**
 * Sends the deliveries that a queue gives this server, one message each. The queue decides who sends which, and when a
 * failed one comes again.
 */
import { setMaxListeners } from 'node:events';
import { retryWhileStoreAway } from '../engine/store-retry.ts';
import type { Unschedule } from '../engine/task-clock.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import { changedDelivery } from './delivery-change.ts';
import { type ClaimedDelivery, LAST_START_MS } from './delivery-claims.ts';
import type { DeliveryWorkerOptions } from './delivery-worker.ts';
import { reportLost } from './lost-events.ts';
import { type StoredSecret, validSecrets } from './webhook-rules.ts';
import type { DeliveryChange } from './webhook-store.ts';

/** Interval of the removal of old deliveries. */
const UPKEEP_MS = 3_600_000;

/** The rows of deliveries, from any server. */
export interface DeliveryRecords {
  /**
   * Claims it, whoever had it before, with the secrets of its webhook. Null if there is nothing to send, or it moved to
   * another place in the queue.
   */
  claim(
    delivery: DispatchedDelivery,
  ): Promise<(ClaimedDelivery & { readonly secrets: readonly StoredSecret[] }) | null>;
  /** Stores what an attempt changed, unless another server has claimed the delivery since. */
  finish(claimed: ClaimedDelivery, change: DeliveryChange): Promise<void>;
  /** Removes old deliveries, and those of deleted webhooks. */
  upkeep(): Promise<void>;
}

/** What the queue says of a delivery. */
export interface DispatchedDelivery {
  readonly id: string;
  /** Number of the attempt, 1 for the first. */
  readonly attempt: number;
  /** It is in the place of deliveries to receivers that fail. */
  readonly isAmongFailing: boolean;
}

export interface DeliveryQueue {
  /** @param dispatch - Sends a delivery. If it rejects, the queue gives it out again, later and later. */
  start(dispatch: (delivery: DispatchedDelivery) => Promise<void>, running: () => number): void;
  /** Takes no more work, and waits for what runs. @param unsent - Ids for another server, now. */
  stop(unsent: () => readonly string[]): Promise<void>;
}

export type DispatchedDeliveriesOptions = Omit<DeliveryWorkerOptions, 'claims'>;

/** It sends nothing before `start`. */
export class DispatchedDeliveries {
  readonly #options: DispatchedDeliveriesOptions;
  readonly #records: DeliveryRecords;
  readonly #queue: DeliveryQueue;
  readonly #running = new Map<string, Promise<void>>();
  readonly #unsent: string[] = [];
  readonly #abort = new AbortController();
  #unscheduleUpkeep: Unschedule = () => {};
  #publicUrl: () => string = () => '';
  #isStarted = false;

  constructor(options: DispatchedDeliveriesOptions, records: DeliveryRecords, queue: DeliveryQueue) {
    this.#options = options;
    this.#records = records;
    this.#queue = queue;
    setMaxListeners(0, this.#abort.signal);
  }

  start(publicUrl: () => string): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#publicUrl = publicUrl;
    this.#queue.start(
      (delivery) => this.#dispatch(delivery),
      () => this.#running.size,
    );
    this.#keepUp();
  }

  /** Logs the events that this process could not store. The queue hears of the others by itself. */
  nudge(): void {
    reportLost(this.#options);
  }

  /** Begins nothing more and waits `graceMs` for what is being sent. The rest is sent by another server. */
  async stop(graceMs: number): Promise<void> {
    this.#unscheduleUpkeep();
    reportLost(this.#options);
    if (!this.#isStarted || this.#abort.signal.aborted) return;
    const abort = () => this.#abort.abort(new Error('the server stops'));
    const unschedule = this.#options.clock.schedule(abort, graceMs);
    await this.#queue.stop(() => this.#unsent);
    unschedule();
    abort();
  }

  #keepUp(): void {
    const { clock, logger } = this.#options;
    this.#records
      .upkeep()
      .catch((error: unknown) => logger.debug('old deliveries were not removed', { error }));
    this.#unscheduleUpkeep = clock.schedule(() => this.#keepUp(), UPKEEP_MS);
  }

  /**
   * A queue that lost its connection gives out again what is being sent here, or waits to be stored. One that moved a
   * delivery gives it out before the end of the move is known here.
   */
  async #dispatch(delivery: DispatchedDelivery): Promise<void> {
    const { id } = delivery;
    for (let before = this.#running.get(id); before !== undefined; before = this.#running.get(id))
      await before.catch(() => {});
    const running = this.#send(delivery).finally(() => this.#running.delete(id));
    this.#running.set(id, running);
    await running;
  }

  async #send(dispatched: DispatchedDelivery): Promise<void> {
    const { id } = dispatched;
    const { clock, logger, onAttempt, send, store, bodyOf } = this.#options;
    reportLost(this.#options);
    const claimed = await this.#records.claim(dispatched);
    if (claimed === null) return;
    const { delivery, webhook } = claimed;
    const claimedMs = clock.nowMs();
    const deps = {
      store: {
        disableWebhook: store.disableWebhook,
        signingSecrets: async () => validSecrets(claimed.secrets, claimedMs),
      },
      bodyOf: (each: typeof delivery) => bodyOf(each, this.#publicUrl()),
      send: (...message: Parameters<typeof send>) => {
        // This process was stopped meanwhile. Another server can have the delivery by now.
        if (Math.abs(clock.nowMs() - claimedMs) > LAST_START_MS) throw new Error('its claim is too old');
        return send(...message);
      },
      nowMs: clock.nowMs,
    };
    const { signal } = this.#abort;
    const change = await attemptDelivery(delivery, webhook, deps, signal, dispatched.attempt).catch(
      (error: unknown) => {
        if (signal.aborted) this.#unsent.push(id);
        else logger.warn('a delivery cannot be sent', { delivery: id, webhook: webhook.id, error });
        throw error;
      },
    );
    let isLogged = false;
    const onFault = (error: unknown) => {
      if (!isLogged) logger.warn('the result of a delivery cannot be stored now', { delivery: id, error });
      isLogged = true;
    };
    const options = { clock, onFault, until: signal };
    await retryWhileStoreAway(() => this.#records.finish(claimed, change), options);
    onAttempt(changedDelivery(delivery, change));
    if (change.state === 'waiting') throw new Error('the receiver failed');
  }
}
