/** The deliveries that wait in a data folder, for the process that sends them. */
import { nullOn } from '../../platform/errors.ts';
import type { AccountDeps } from '../account-options.ts';
import { confirmEnd } from '../../task/webhooks/confirm-end.ts';
import type { DeliveryDocuments } from '../../task/files/webhooks/delivery-files.ts';
import type { LostEvents } from '../../task/webhooks/lost-events.ts';
import { MAX_DELAY_MS } from '../../task/webhooks/retry-delay.ts';
import { SenderLease } from './sender-lease.ts';
import { type FullDelivery, KEEP_ENDED_MS, type Webhook } from '../../task/webhooks/webhook.ts';
import type { WebhookDocuments } from './webhook-documents.ts';
import type { DeliveryChange } from '../../task/webhooks/webhook-store.ts';

/** What a sender finds under an id. */
export type FoundDelivery =
  | { readonly kind: 'due'; readonly delivery: FullDelivery; readonly webhook: Webhook }
  /** Look again at this time. */
  | { readonly kind: 'later'; readonly atMs: number }
  | { readonly kind: 'gone' };

/** How soon an end that is not visible yet is looked at again. */
const UNDECIDED_MS = 1_000;
/** As {@link UNDECIDED_MS}, for a webhook that cannot be read: its folder can be lost, and come back. */
const LOST_WEBHOOK_MS = 600_000;
/** A deleted webhook is forgotten after this time. No task that ends can still be adding to its deliveries then. */
const FORGET_MS = 3_600_000;

export class DeliveryQueue {
  readonly #deps: Pick<AccountDeps, 'tasks' | 'clock'>;
  readonly #webhooks: WebhookDocuments;
  readonly #deliveries: DeliveryDocuments;
  /** Of the ends that this process stored. */
  readonly lost: LostEvents;
  /** The right to send. */
  readonly lease: SenderLease;

  constructor(
    deps: ConstructorParameters<typeof SenderLease>[0] & Pick<AccountDeps, 'tasks'>,
    webhooks: WebhookDocuments,
    deliveries: DeliveryDocuments,
    lost: LostEvents,
  ) {
    this.#deps = deps;
    this.#webhooks = webhooks;
    this.#deliveries = deliveries;
    this.lost = lost;
    this.lease = new SenderLease(deps);
  }

  /** Ids of the waiting deliveries, by webhook. */
  async waiting(): Promise<ReadonlyMap<string, readonly string[]>> {
    const found = new Map<string, readonly string[]>();
    for (const webhookId of await this.#deliveries.webhookIds('waiting')) {
      const ids = await this.#deliveries.ids('waiting', webhookId);
      if (ids.length === 0) await this.#deliveries.removeEmpty(webhookId);
      else found.set(webhookId, ids);
    }
    return found;
  }

  /** Reads a waiting delivery, and removes it if it must not be sent. */
  async open(webhookId: string, id: string): Promise<FoundDelivery> {
    const nowMs = this.#deps.clock.nowMs();
    const delivery = await this.#deliveries.read('waiting', webhookId, id);
    if (delivery === null) return { kind: 'gone' };
    const remove = async (): Promise<FoundDelivery> => {
      await this.#deliveries.remove('waiting', webhookId, id);
      return { kind: 'gone' };
    };
    const { organizationId } = delivery;
    const webhook = await this.#webhooks
      .peek({ id: webhookId, organizationId })
      .catch(nullOn('store_corrupt'));
    if (webhook?.isDeleted) return remove();
    const isOld = nowMs - Date.parse(delivery.createdAt) > KEEP_ENDED_MS;
    if (webhook === null && isOld) return remove();
    const dueMs = Date.parse(delivery.nextAttemptAt ?? delivery.createdAt);
    // Further away only after the clock was set back. What waits for a disabled webhook fails now.
    const isLater = dueMs > nowMs && dueMs <= nowMs + MAX_DELAY_MS;
    if (isLater && (webhook === null || webhook.disabledAt === null)) return { kind: 'later', atMs: dueMs };
    const end = await this.confirm(delivery);
    if (end === 'void' || (end === 'undecided' && isOld)) return remove();
    if (end === 'undecided') return { kind: 'later', atMs: nowMs + UNDECIDED_MS };
    return webhook === null
      ? { kind: 'later', atMs: nowMs + LOST_WEBHOOK_MS }
      : { kind: 'due', delivery, webhook };
  }

  /** Stores what an attempt changed. */
  change(delivery: FullDelivery, change: DeliveryChange): Promise<FullDelivery> {
    return this.#deliveries.change(delivery, change);
  }

  /** Removes old deliveries, and those of deleted webhooks. Any process can do it at any time. */
  async upkeep(): Promise<void> {
    for (const key of await this.#webhooks.deleted()) {
      await this.#deliveries.removeAll(key.id);
      if (this.#deps.clock.nowMs() - Date.parse(key.deletedAt) > FORGET_MS) await this.#webhooks.forget(key);
    }
    await this.#deliveries.prune();
  }

  /** Whether the end of a delivery became visible; see {@link confirmEnd}. */
  async confirm(delivery: FullDelivery): Promise<ReturnType<typeof confirmEnd>> {
    // It was confirmed before its first attempt, and the task can have gone on since then.
    if (delivery.attempts > 0 || delivery.redeliveryOf !== null) return 'visible';
    const now = await this.#deps.tasks.get(delivery.taskId).catch(nullOn('task_not_found'));
    const end = confirmEnd(delivery.task, now);
    if (end !== 'visible' || now?.retries === delivery.task.retries) return end;
    // A process that was stopped for long can store the delivery of its end after the end of another process.
    return (await this.#deliveries.hasLaterEnd(delivery)) ? 'void' : 'visible';
  }
}
