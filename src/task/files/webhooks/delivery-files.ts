/**
 * The documents of deliveries, beside the folder `accounts`:
 *
 *     webhooks/<state>/<webhook>/<delivery>.json
 *
 * A delivery that ends is written to the folder of its new state and then removed from `waiting`. After a crash between the
 * two it is in both, and is sent again.
 */
import { isAside } from '../../../platform/disk/atomic-write.ts';
import { documentCorrupt } from '../../../platform/disk/json-document.ts';
import type { TaskRecord } from '../../task.ts';
import type { AccountDeps } from '../../../account/account-options.ts';
import type { StoragePath } from '../../../account/account-storage.ts';
import { readEach } from '../../../account/read-each.ts';
import { changedDelivery, repeatedDelivery } from '../../webhooks/delivery-change.ts';
import {
  deliveryId,
  deliveryNotFound,
  endTail,
  isDeliveryId,
  messageIdOf,
  randomTail,
  tailOf,
  timeOf,
} from '../../webhooks/delivery-id.ts';
import {
  DELIVERY_STATES,
  type Delivery,
  type DeliveryState,
  type FullDelivery,
  KEEP_ENDED_MS,
  MAX_ENDED,
  MAX_WAITING,
  TOO_MANY_WAITING,
  type Webhook,
  type WebhookEvent,
} from '../../webhooks/webhook.ts';
import { isWebhookId } from '../../../account/webhook/webhook-documents.ts';
import type { DeliveryChange, DeliveryPage, DeliveryQuery } from '../../webhooks/webhook-store.ts';

const ROOT = 'webhooks';
const ENDED_STATES = ['succeeded', 'failed'] as const;

export class DeliveryDocuments {
  readonly #deps: Pick<AccountDeps, 'homeStorage' | 'clock'>;

  constructor(deps: Pick<AccountDeps, 'homeStorage' | 'clock'>) {
    this.#deps = deps;
  }

  /** Stores the delivery of an end that is about to become visible. @returns It; failed when too many wait. */
  async add(
    { id: webhookId, organizationId }: Webhook,
    event: WebhookEvent,
    task: TaskRecord,
  ): Promise<FullDelivery> {
    const id = deliveryId(Date.parse(task.updatedAt), endTail(webhookId, task.id, task.retries));
    const waiting = await this.ids('waiting', webhookId);
    const isFull = waiting.length >= MAX_WAITING;
    const delivery: FullDelivery = {
      id,
      messageId: messageIdOf(task),
      webhookId,
      organizationId,
      taskId: task.id,
      event,
      state: isFull ? 'failed' : 'waiting',
      createdAt: task.updatedAt,
      attempts: 0,
      firstAttemptAt: null,
      nextAttemptAt: isFull ? null : task.updatedAt,
      lastAttempt: null,
      problem: isFull ? TOO_MANY_WAITING : null,
      redeliveryOf: null,
      task,
    };
    await this.#write(delivery);
    // An earlier end with the same number of retries never became visible: the task could not have ended again.
    for (const other of await this.#endsBeside(delivery, 'waiting', waiting)) {
      if (other.task.fence <= task.fence) await this.remove('waiting', webhookId, other.id);
    }
    return delivery;
  }

  /** Whether the task ended again, later, with the same number of retries. Then the end of this delivery was never visible. */
  async hasLaterEnd(delivery: FullDelivery): Promise<boolean> {
    for (const state of DELIVERY_STATES) {
      const others = await this.#endsBeside(delivery, state, await this.ids(state, delivery.webhookId));
      if (others.some(({ task }) => task.fence > delivery.task.fence)) return true;
    }
    return false;
  }

  /** The other deliveries of ends of the same task with the same number of retries. */
  async #endsBeside(
    { id, webhookId }: FullDelivery,
    state: DeliveryState,
    ids: readonly string[],
  ): Promise<readonly FullDelivery[]> {
    const others = ids.filter((other) => other !== id && tailOf(other) === tailOf(id));
    return (await readEach(others, (other) => this.read(state, webhookId, other))).data;
  }

  /** Stores a new delivery of the same message. */
  async repeat(delivery: FullDelivery): Promise<Delivery> {
    const nowMs = this.#deps.clock.nowMs();
    const at = new Date(nowMs).toISOString();
    const next = repeatedDelivery(delivery, deliveryId(nowMs, randomTail()), at);
    await this.#write(next);
    return toDelivery(next);
  }

  /** Stores what an attempt changed. */
  async change(delivery: FullDelivery, change: DeliveryChange): Promise<FullDelivery> {
    const next = changedDelivery(delivery, change);
    await this.#write(next);
    if (next.state !== delivery.state) await this.remove(delivery.state, delivery.webhookId, delivery.id);
    return next;
  }

  /** Null if there is none in this state. @throws `store_corrupt`. */
  async read(state: DeliveryState, webhookId: string, id: string): Promise<FullDelivery | null> {
    const { homeStorage } = this.#deps;
    const path = pathOf(state, webhookId, id);
    const document = await homeStorage.read(path);
    if (document === null || isDelivery(document, state, webhookId, id)) return document;
    throw documentCorrupt(homeStorage.describe(path), 'it is no delivery of that id');
  }

  /** The delivery in whatever state it is. @throws `delivery_not_found`, `store_corrupt`. */
  async find(id: string): Promise<FullDelivery> {
    if (isDeliveryId(id)) {
      for (const state of DELIVERY_STATES) {
        for (const webhookId of await this.webhookIds(state)) {
          const found = await this.read(state, webhookId, id);
          if (found !== null) return found;
        }
      }
    }
    throw deliveryNotFound(id);
  }

  async list({ webhookId, state, startingAfter, limit }: DeliveryQuery): Promise<DeliveryPage> {
    const places = new Map<string, { readonly state: DeliveryState; readonly webhookId: string }>();
    for (const each of state === undefined ? DELIVERY_STATES : [state]) {
      for (const owner of webhookId === undefined ? await this.webhookIds(each) : [webhookId]) {
        for (const id of await this.ids(each, owner)) places.set(id, { state: each, webhookId: owner });
      }
    }
    const ids = [...places.keys()]
      .filter((id) => startingAfter === undefined || id < startingAfter)
      .sort()
      .reverse();
    const { data, warnings } = await readEach(ids.slice(0, limit), async (id) => {
      const place = places.get(id)!;
      // It can end between the two looks.
      for (const each of new Set([place.state, ...ENDED_STATES])) {
        const found = await this.read(each, place.webhookId, id);
        if (found !== null) return toDelivery(found);
      }
      return null;
    });
    return { data, hasMore: ids.length > limit, warnings };
  }

  /** Webhooks that have deliveries in this state. */
  async webhookIds(state: DeliveryState): Promise<string[]> {
    return (await this.#deps.homeStorage.names([ROOT, state])).filter(isWebhookId);
  }

  /** Ids in no order. */
  async ids(state: DeliveryState, webhookId: string): Promise<string[]> {
    const names = await this.#deps.homeStorage.names([ROOT, state, webhookId]);
    return names.map((name) => name.replace(/\.json$/, '')).filter(isDeliveryId);
  }

  async countWaiting(): Promise<number> {
    const webhooks = await this.webhookIds('waiting');
    const counts = await Promise.all(webhooks.map(async (id) => (await this.ids('waiting', id)).length));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async remove(state: DeliveryState, webhookId: string, id: string): Promise<void> {
    await this.#deps.homeStorage.remove(pathOf(state, webhookId, id));
  }

  /** Removes ended deliveries that are too old or too many, and what dead processes left half written. */
  async prune(): Promise<void> {
    const { homeStorage, clock } = this.#deps;
    const olderThanMs = clock.nowMs() - KEEP_ENDED_MS;
    for (const state of DELIVERY_STATES) {
      for (const webhookId of await this.webhookIds(state)) {
        // A live process that loses its half-written file so writes it again.
        const asides = (await homeStorage.names([ROOT, state, webhookId])).filter(isAside);
        for (const name of asides) await homeStorage.remove([ROOT, state, webhookId, name]);
        if (state === 'waiting') continue;
        const ids = (await this.ids(state, webhookId)).sort().reverse();
        for (const [index, id] of ids.entries()) {
          if (index >= MAX_ENDED || timeOf(id) < olderThanMs) await this.remove(state, webhookId, id);
        }
      }
    }
  }

  /** Removes the deliveries of a deleted webhook. */
  async removeAll(webhookId: string): Promise<void> {
    for (const state of DELIVERY_STATES) await this.#deps.homeStorage.removeFolder([ROOT, state, webhookId]);
  }

  /** Removes the folder of a webhook without waiting deliveries, so that nobody looks into it again. */
  async removeEmpty(webhookId: string): Promise<void> {
    await this.#deps.homeStorage.removeEmptyFolder([ROOT, 'waiting', webhookId]);
  }

  async #write(delivery: FullDelivery): Promise<void> {
    const { state, webhookId, id } = delivery;
    await this.#deps.homeStorage.replace(pathOf(state, webhookId, id), delivery);
  }
}

/** Without the task. */
export function toDelivery({ task: _, ...delivery }: FullDelivery): Delivery {
  return delivery;
}

function pathOf(state: DeliveryState, webhookId: string, id: string): StoragePath {
  return [ROOT, state, webhookId, `${id}.json`];
}

function isDelivery(value: object, state: string, webhookId: string, id: string): value is FullDelivery {
  const delivery = value as Partial<FullDelivery>;
  return (
    delivery.id === id &&
    delivery.webhookId === webhookId &&
    delivery.state === state &&
    typeof delivery.organizationId === 'string' &&
    typeof delivery.messageId === 'string' &&
    typeof delivery.createdAt === 'string' &&
    typeof delivery.attempts === 'number' &&
    (delivery.nextAttemptAt === null || typeof delivery.nextAttemptAt === 'string') &&
    typeof delivery.task === 'object' &&
    delivery.task !== null
  );
}
