/**
 * The documents of deliveries, beside the folder `accounts`. The name of a file says what it is:
 *
 *     webhooks/<state>/<webhook>/<delivery>.json
 *     webhooks/waiting/<webhook>/<delivery>.<ms>.json            it waits until this time
 *     webhooks/waiting/<webhook>/<delivery>.<ms>.<sender>.json   this sender has claimed it until then
 *
 * A claim is a rename, so one of several processes gets it.
 */
import { isAside } from '../../../platform/disk/atomic-write.ts';
import { documentCorrupt } from '../../../platform/disk/json-document.ts';
import { nullOn } from '../../../platform/errors.ts';
import type { AccountList } from '../../accounts/account-store.ts';
import type { TaskRecord } from '../../task.ts';
import { endDelivery, withoutTask } from '../../webhooks/delivery-change.ts';
import { deliveryNotFound, isDeliveryId, tailOf, timeOf } from '../../webhooks/delivery-id.ts';
import type { StoredDeliveries } from '../../webhooks/stored-deliveries.ts';
import {
  DELIVERY_STATES,
  type DeliveryState,
  type FullDelivery,
  KEEP_ENDED_MS,
  MAX_ENDED,
  MAX_WAITING,
  type Webhook,
} from '../../webhooks/webhook.ts';
import { isWebhookId } from '../../webhooks/webhook-rules.ts';
import type { DeliveryPage, DeliveryQuery } from '../../webhooks/webhook-store.ts';
import type { FileDeps } from '../accounts/file-deps.ts';
import { readEach } from '../accounts/organizations.ts';

/** What the name of a file says. */
export interface DeliveryFile {
  readonly path: string;
  readonly state: DeliveryState;
  readonly webhookId: string;
  readonly id: string;
  /** In milliseconds since 1970; 0 for at once. */
  readonly dueMs: number;
  /** 16 hex digits; null if nobody has claimed it. */
  readonly sender: string | null;
}

export class DeliveryFiles implements StoredDeliveries {
  readonly #deps: Pick<FileDeps, 'files' | 'clock'>;

  constructor(deps: Pick<FileDeps, 'files' | 'clock'>) {
    this.#deps = deps;
  }

  /** Stores the delivery of an end that is about to become visible. @returns It; failed when too many wait. */
  async addEnd(webhook: Webhook, task: TaskRecord): Promise<FullDelivery> {
    const waiting = await this.files('waiting', webhook.id);
    const delivery = endDelivery(webhook, task, waiting.length >= MAX_WAITING);
    const { path } = this.at(delivery.state, webhook.id, delivery.id);
    await this.#deps.files.replace(path, delivery);
    // An earlier end with the same number of retries never became visible: the task could not have ended again.
    for (const file of endsOf(delivery.id, waiting)) {
      if (file.sender !== null || file.path === path) continue;
      const other = await this.read(file).catch(nullOn('store_corrupt'));
      if (other !== null && other.task.fence <= task.fence) await this.#deps.files.remove(file.path);
    }
    return delivery;
  }

  /**
   * Whether the task ended again, later, with the same number of retries. Then the end of this delivery was never
   * visible.
   */
  async hasLaterEnd(delivery: FullDelivery): Promise<boolean> {
    const files = await this.find({ webhookId: delivery.webhookId });
    const { data } = await this.readAll(endsOf(delivery.id, [...files.values()]));
    return data.some(({ task }) => task.fence > delivery.task.fence);
  }

  /** Adds one that is due at once. */
  add(delivery: FullDelivery): Promise<void> {
    return this.#deps.files.replace(this.at('waiting', delivery.webhookId, delivery.id).path, delivery);
  }

  /** Null if it is not there. A claimed one can have any state. @throws `store_corrupt`. */
  async read(file: DeliveryFile): Promise<FullDelivery | null> {
    const document = await this.#deps.files.read(file.path);
    if (document === null || isDelivery(document, file)) return document;
    throw documentCorrupt(file.path, 'it is no delivery of that id');
  }

  /** What is in these files, or wherever they were moved meanwhile. */
  readAll(files: readonly DeliveryFile[]): Promise<AccountList<FullDelivery>> {
    const byId = new Map(files.map((file) => [file.id, file]));
    return readEach([...byId.keys()], (id) => this.#readMoved(byId.get(id)!));
  }

  /** The delivery in whatever state it is. @throws `delivery_not_found`, `store_corrupt`. */
  async get(id: string): Promise<FullDelivery> {
    const file = isDeliveryId(id) ? (await this.find({})).get(id) : undefined;
    const found = file === undefined ? null : await this.#readMoved(file);
    if (found === null) throw deliveryNotFound(id);
    return found;
  }

  async listDeliveries({ startingAfter, limit, ...query }: DeliveryQuery): Promise<DeliveryPage> {
    const files = [...(await this.find(query)).values()]
      .filter(({ id }) => startingAfter === undefined || id < startingAfter)
      .sort((a, b) => (a.id < b.id ? 1 : -1));
    const { data, warnings } = await this.readAll(files.slice(0, limit));
    return { data: data.map(withoutTask), hasMore: files.length > limit, warnings };
  }

  /** Webhooks that have deliveries in this state. */
  async webhookIds(state: DeliveryState): Promise<string[]> {
    const { files } = this.#deps;
    return (await files.names(files.at('webhooks', state))).filter(isWebhookId);
  }

  /** In no order. */
  async files(state: DeliveryState, webhookId: string): Promise<DeliveryFile[]> {
    const { files } = this.#deps;
    return (await files.names(files.at('webhooks', state, webhookId))).flatMap((name) => {
      const [, id, dueMs, sender] =
        /^(dlv_[0-9a-f]{24})(?:\.([0-9]{1,16})(?:\.([0-9a-f]{16}))?)?\.json$/.exec(name) ?? [];
      return id === undefined ? [] : [this.at(state, webhookId, id, Number(dueMs ?? 0), sender ?? null)];
    });
  }

  async countWaiting(): Promise<number> {
    return (await this.find({ state: 'waiting' })).size;
  }

  at(
    state: DeliveryState,
    webhookId: string,
    id: string,
    dueMs = 0,
    sender: string | null = null,
  ): DeliveryFile {
    const due = dueMs === 0 ? '' : `.${dueMs}${sender === null ? '' : `.${sender}`}`;
    const path = this.#deps.files.at('webhooks', state, webhookId, `${id}${due}.json`);
    return { path, state, webhookId, id, dueMs, sender };
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
        const ended = (await this.files(state, webhookId)).sort((a, b) => (a.id < b.id ? 1 : -1));
        for (const [index, { id, path }] of ended.entries())
          if (index >= MAX_ENDED || timeOf(id) < olderThanMs) await files.remove(path);
      }
    }
  }

  /** Removes the deliveries of a deleted webhook. */
  async removeAll(webhookId: string): Promise<void> {
    const { files } = this.#deps;
    for (const state of DELIVERY_STATES) await files.remove(files.at('webhooks', state, webhookId));
  }

  /** The files of deliveries, by id. One that ends meanwhile can have two, and that of the later state counts. */
  async find({ webhookId, state }: Pick<DeliveryQuery, 'webhookId' | 'state'>) {
    const found = new Map<string, DeliveryFile>();
    for (const each of state === undefined ? DELIVERY_STATES : [state]) {
      for (const owner of webhookId === undefined ? await this.webhookIds(each) : [webhookId])
        for (const file of await this.files(each, owner)) found.set(file.id, file);
    }
    return found;
  }

  /** As {@link read}; the delivery can have been claimed or have ended since its file was listed. */
  async #readMoved(file: DeliveryFile): Promise<FullDelivery | null> {
    const found = await this.read(file);
    if (found !== null) return found;
    const now = (await this.find({ webhookId: file.webhookId })).get(file.id);
    return now === undefined ? null : this.read(now);
  }
}

/** The deliveries of ends of the same task with the same number of retries. */
function endsOf(id: string, files: readonly DeliveryFile[]): DeliveryFile[] {
  return files.filter((file) => tailOf(file.id) === tailOf(id));
}

function isDelivery(value: object, { state, webhookId, id, sender }: DeliveryFile): value is FullDelivery {
  const delivery = value as Partial<FullDelivery>;
  return (
    delivery.id === id &&
    delivery.webhookId === webhookId &&
    (sender !== null || delivery.state === state) &&
    typeof delivery.organizationId === 'string' &&
    typeof delivery.messageId === 'string' &&
    typeof delivery.createdAt === 'string' &&
    typeof delivery.attempts === 'number' &&
    (delivery.nextAttemptAt === null || typeof delivery.nextAttemptAt === 'string') &&
    typeof delivery.task === 'object' &&
    delivery.task !== null
  );
}
