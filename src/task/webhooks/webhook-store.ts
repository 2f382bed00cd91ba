/**
 * The store of webhooks and deliveries. Types only. The suite `test/task/accounts/webhook/webhook-store-contract.ts`
 * tests each implementation.
 */

import type { AccountList } from '../accounts/account-store.ts';
import type { BeforeEnd, StoreWarning } from '../task-store.ts';
import type { Attempt, Delivery, DeliveryState, NewWebhook, Webhook, WebhookEvent } from './webhook.ts';

export interface NewWebhookOptions {
  readonly organizationId: string;
  readonly url: string;
  /** Default: all. */
  readonly events?: readonly WebhookEvent[];
}

export interface DeliveryQuery {
  /** Default: of all webhooks. */
  readonly webhookId?: string;
  readonly state?: DeliveryState;
  /** Id of a delivery: the page begins with the next older one. It need not exist any more. */
  readonly startingAfter?: string;
  /** 1 or more. */
  readonly limit: number;
}

export interface DeliveryPage {
  /** Newest first. */
  readonly data: readonly Delivery[];
  readonly hasMore: boolean;
  readonly warnings: readonly StoreWarning[];
}

/**
 * Every method can throw `store_corrupt` and, if it writes, `store_unwritable` and `disk_full`. A change is durable
 * when its promise resolves.
 */
export interface WebhookStore {
  /** @throws {@link ListingVideoError} `organization_not_found`, `usage` for a wrong URL or one webhook too many. */
  createWebhook(options: NewWebhookOptions): Promise<NewWebhook>;
  /** Oldest first. @throws {@link ListingVideoError} `organization_not_found`. */
  listWebhooks(organizationId?: string): Promise<AccountList<Webhook>>;
  /** @throws {@link ListingVideoError} `webhook_not_found`. */
  getWebhook(id: string): Promise<Webhook>;
  /** Deletes the webhook and its deliveries. @throws `webhook_not_found`. */
  deleteWebhook(id: string): Promise<Webhook>;
  /** Makes a new secret. The previous one signs too for {@link OLD_SECRET_MS}. @throws `webhook_not_found`. */
  rotateSecret(id: string): Promise<NewWebhook>;
  /** The secrets that sign a message now, the newest first. @throws `webhook_not_found`. */
  signingSecrets(id: string): Promise<readonly string[]>;
  /** Ends the use of a webhook whose receiver is gone. Does nothing if it has ended. @throws `webhook_not_found`. */
  disableWebhook(id: string): Promise<void>;

  /** Stores a delivery for each webhook of the task's organization that wants its end. */
  readonly addDeliveries: BeforeEnd;
  /** @throws {@link ListingVideoError} `webhook_not_found`. */
  listDeliveries(query: DeliveryQuery): Promise<DeliveryPage>;
  /**
   * Makes a new delivery of the same message, which is due now.
   *
   * @throws `delivery_not_found`, `usage` if the webhook is disabled.
   */
  redeliver(id: string): Promise<Delivery>;
  /** Number of deliveries that wait. */
  countWaiting(): Promise<number>;
}

/** What an attempt changes about a delivery. */
export interface DeliveryChange {
  readonly state: DeliveryState;
  readonly nextAttemptAt: string | null;
  /** Absent: there was no attempt. */
  readonly attempt?: Attempt;
  readonly problem?: string;
}
