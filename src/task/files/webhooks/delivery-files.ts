/**
 * The documents of deliveries, beside the folder `accounts`:
 *
 *     webhooks/<state>/<webhook>/<delivery>.json
 *     webhooks/sending/<process>/<webhook>.<delivery>.<claimed ms>.json   it waits, and this process is sending it
 *
 * A claim is a rename, so one of several processes gets it.
 */
import { isAside } from '../../../platform/disk/atomic-write.ts';
import { documentCorrupt } from '../../../platform/disk/json-document.ts';
import type { TaskRecord } from '../../task.ts';
import { repeatedDelivery, withoutTask } from '../../webhooks/delivery-change.ts';
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
import { isWebhookId } from '../../webhooks/webhook-rules.ts';
import type { DeliveryPage, DeliveryQuery } from '../../webhooks/webhook-store.ts';
import type { FileDeps } from '../accounts/file-deps.ts';
import { readEach } from '../accounts/organizations.ts';

/** A claimed delivery, as the name of its file says. */
export interface SendingFile {
  readonly path: string;
  readonly webhookId: string;
  readonly id: string;
  readonly claimedMs: number;
}

export class DeliveryFiles {
  readonly #deps: Pick<FileDeps, 'files' | 'clock'>;

  constructor(deps: Pick<FileDeps, 'files' | 'clock'>) {
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
    await this.#deps.files.replace(this.pathOf(delivery.state, webhookId, id), delivery);
    // An earlier end with the same number of retries never became visible: the task could not have ended again.
    for (const other of await this.#endsBeside(delivery, 'waiting', waiting)) {
      if (other.task.fence <= task.fence)
        await this.#deps.files.remove(this.pathOf('waiting', webhookId, other.id));
    }
    return delivery;
  }

  /** Whether the task ended again, later, with the same number of retries. Then the end of this delivery was never visible. */
  async hasLaterEnd(delivery: FullDelivery): Promise<boolean> {
    for (const state of DELIVERY_STATES) {
      const ids = new Set(await this.ids(state, delivery.webhookId));
      if (state === 'waiting') for (const { id } of await this.sending()) ids.add(id);
      const others = await this.#endsBeside(delivery, state, [...ids]);
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
    const id = deliveryId(nowMs, randomTail());
    const next = repeatedDelivery(delivery, id, new Date(nowMs).toISOString());
    await this.#deps.files.replace(this.pathOf('waiting', next.webhookId, id), next);
    return withoutTask(next);
  }

  /** Null if there is none in this state. @throws `store_corrupt`. */
  async read(state: DeliveryState, webhookId: string, id: string): Promise<FullDelivery | null> {
    const found = await this.readAt(this.pathOf(state, webhookId, id), state, webhookId, id);
    if (found !== null || state !== 'waiting') return found;
    const sending = (await this.sending()).find((each) => each.id === id && each.webhookId === webhookId);
    return sending === undefined ? null : this.readAt(sending.path, null, webhookId, id);
  }

  /** @param state - That of the folder; null for one that is being sent. @throws `store_corrupt`. */
  async readAt(
    path: string,
    state: DeliveryState | null,
    webhookId: string,
    id: string,
  ): Promise<FullDelivery | null> {
    const document = await this.#deps.files.read(path);
    if (document === null || isDelivery(document, state, webhookId, id)) return document;
    throw documentCorrupt(path, 'it is no delivery of that id');
  }

  /** The delivery in whatever state it is. @throws `delivery_not_found`, `store_corrupt`. */
  async find(id: string): Promise<FullDelivery> {
    const places = isDeliveryId(id) ? await this.#places({}) : new Map<string, never>();
    const place = places.get(id);
    const found = place === undefined ? null : await this.#readIn(place.state, place.webhookId, id);
    if (found === null) throw deliveryNotFound(id);
    return found;
  }

  async list({ webhookId, state, startingAfter, limit }: DeliveryQuery): Promise<DeliveryPage> {
    const places = await this.#places({ webhookId, state });
    const ids = [...places.keys()]
      .filter((id) => startingAfter === undefined || id < startingAfter)
      .sort()
      .reverse();
    const { data, warnings } = await readEach(ids.slice(0, limit), async (id) => {
      const place = places.get(id)!;
      const found = await this.#readIn(place.state, place.webhookId, id);
      return found === null ? null : withoutTask(found);
    });
    return { data, hasMore: ids.length > limit, warnings };
  }

  /** Webhooks that have deliveries in this state. */
  async webhookIds(state: DeliveryState): Promise<string[]> {
    const { files } = this.#deps;
    return (await files.names(files.at('webhooks', state))).filter(isWebhookId);
  }

  /** Ids in no order, without those that are being sent. */
  async ids(state: DeliveryState, webhookId: string): Promise<string[]> {
    const { files } = this.#deps;
    const names = await files.names(files.at('webhooks', state, webhookId));
    return names.map((name) => name.replace(/\.json$/, '')).filter(isDeliveryId);
  }

  /** What processes are sending. @param only - Folder of one process; by default of all. */
  async sending(only?: string): Promise<SendingFile[]> {
    const { files } = this.#deps;
    const root = files.at('webhooks', 'sending');
    const found: SendingFile[] = [];
    for (const process of only === undefined ? await files.names(root) : [only]) {
      for (const name of await files.names(files.at('webhooks', 'sending', process))) {
        const [, webhookId = '', id = '', claimedMs] =
          /^(wh_[0-9a-f]{16})\.(dlv_[0-9a-f]{24})\.([0-9]{1,16})\.json$/.exec(name) ?? [];
        const path = files.at('webhooks', 'sending', process, name);
        if (id !== '') found.push({ path, webhookId, id, claimedMs: Number(claimedMs) });
      }
    }
    return found;
  }

  async countWaiting(): Promise<number> {
    return (await this.#places({ state: 'waiting' })).size;
  }

  pathOf(state: DeliveryState, webhookId: string, id: string): string {
    return this.#deps.files.at('webhooks', state, webhookId, `${id}.json`);
  }

  /** Removes ended deliveries that are too old or too many, and what dead processes left half written. */
  async prune(): Promise<void> {
    const { files, clock } = this.#deps;
    const olderThanMs = clock.nowMs() - KEEP_ENDED_MS;
    for (const state of DELIVERY_STATES) {
      for (const webhookId of await this.webhookIds(state)) {
        // A live process that loses its half-written file so writes it again.
        const asides = (await files.names(files.at('webhooks', state, webhookId))).filter(isAside);
        for (const name of asides) await files.remove(files.at('webhooks', state, webhookId, name));
        if (state === 'waiting') continue;
        const ids = (await this.ids(state, webhookId)).sort().reverse();
        for (const [index, id] of ids.entries()) {
          if (index >= MAX_ENDED || timeOf(id) < olderThanMs)
            await files.remove(this.pathOf(state, webhookId, id));
        }
      }
    }
  }

  /** Removes the deliveries of a deleted webhook. */
  async removeAll(webhookId: string): Promise<void> {
    const { files } = this.#deps;
    for (const state of DELIVERY_STATES) await files.remove(files.at('webhooks', state, webhookId));
  }

  /** Where each delivery is. One that ends meanwhile can be in two places, and the later state counts. */
  async #places(query: { webhookId?: string | undefined; state?: DeliveryState | undefined }) {
    const { webhookId, state } = query;
    const places = new Map<string, { readonly state: DeliveryState; readonly webhookId: string }>();
    for (const each of state === undefined ? DELIVERY_STATES : [state]) {
      for (const owner of webhookId === undefined ? await this.webhookIds(each) : [webhookId]) {
        for (const id of await this.ids(each, owner)) places.set(id, { state: each, webhookId: owner });
      }
      if (each !== 'waiting') continue;
      for (const file of await this.sending()) {
        if ([undefined, file.webhookId].includes(webhookId)) places.set(file.id, { ...file, state: each });
      }
    }
    return places;
  }

  /** As {@link read}; it can have ended since it was seen in this state. */
  async #readIn(state: DeliveryState, webhookId: string, id: string): Promise<FullDelivery | null> {
    for (const each of new Set([state, ...DELIVERY_STATES])) {
      const found = await this.read(each, webhookId, id);
      if (found !== null) return found;
    }
    return null;
  }
}

function isDelivery(
  value: object,
  state: string | null,
  webhookId: string,
  id: string,
): value is FullDelivery {
  const delivery = value as Partial<FullDelivery>;
  return (
    delivery.id === id &&
    delivery.webhookId === webhookId &&
    (state === null || delivery.state === state) &&
    typeof delivery.organizationId === 'string' &&
    typeof delivery.messageId === 'string' &&
    typeof delivery.createdAt === 'string' &&
    typeof delivery.attempts === 'number' &&
    (delivery.nextAttemptAt === null || typeof delivery.nextAttemptAt === 'string') &&
    typeof delivery.task === 'object' &&
    delivery.task !== null
  );
}
