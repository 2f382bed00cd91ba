/** The webhooks of a store, and what a server needs to send their deliveries. Types only. */
import type { DeliveryWorker, DeliveryWorkerOptions } from './delivery-worker.ts';
import type { LostEvents } from './lost-events.ts';
import type { WebhookStore } from './webhook-store.ts';

/** What a server knows, and the store does not. */
export type SenderOptions = Omit<DeliveryWorkerOptions, 'claims' | 'store' | 'lost'>;

/** It sends nothing before its start. */
export type Sender = Pick<DeliveryWorker, 'start' | 'nudge' | 'stop'>;

export interface OpenedWebhooks {
  readonly store: WebhookStore;
  /** Of the ends that this process stored. */
  readonly lost: LostEvents;
  openSender(options: SenderOptions): Promise<Sender>;
}
