/** The claims of the processes of one machine that send deliveries: each renames what it sends into a folder of its own. */
import { randomBytes } from 'node:crypto';
import type { ProcessIdentity } from '../../../platform/disk/process-identity.ts';
import { ListingVideoError, nullOn } from '../../../platform/errors.ts';
import { confirmEnd } from '../../webhooks/confirm-end.ts';
import { changedDelivery } from '../../webhooks/delivery-change.ts';
import {
  CLAIM_MS,
  type ClaimedDelivery,
  DAMAGED_MS,
  type DeliveryClaims,
  FAULT_MS,
  MAX_PER_WEBHOOK,
} from '../../webhooks/delivery-claims.ts';
import type { LostEvents } from '../../webhooks/lost-events.ts';
import { MAX_DELAY_MS } from '../../webhooks/retry-delay.ts';
import { type FullDelivery, KEEP_ENDED_MS, type Webhook } from '../../webhooks/webhook.ts';
import type { DeliveryChange } from '../../webhooks/webhook-store.ts';
import type { FileDeps } from '../accounts/file-deps.ts';
import type { DeliveryFiles } from './delivery-files.ts';
import type { OrganizationWebhooks } from './organization-webhooks.ts';

/** How soon an end that is not visible yet is looked at again. */
const UNDECIDED_MS = 1_000;
/** As {@link UNDECIDED_MS}, for a webhook that cannot be read: its folder can be lost, and come back. */
const LOST_WEBHOOK_MS = 600_000;
/** A deleted webhook is forgotten after this time. No task that ends can still be adding to its deliveries then. */
const FORGET_MS = 3_600_000;
/** The names of waiting deliveries are listed again after this time, or when none of them is due. */
const LIST_MS = 1_000;

/** The waiting deliveries of one webhook, as this process knows them. */
interface Lane {
  readonly webhookId: string;
  /** Time of the next look at each delivery, in milliseconds since 1970. */
  readonly due: Map<string, number>;
  /** Requests under way in this process, and in others when they were last listed. */
  running: number;
  elsewhere: number;
  /** The last attempt failed. */
  isFailing: boolean;
  /** Number of its last turn. The lowest comes first. */
  turn: number;
}

/** What a process finds under an id: a delivery to send, or the time of the next look; infinite if it is gone. */
type Found = { readonly delivery: FullDelivery; readonly webhook: Webhook } | { readonly nextMs: number };

export class FileDeliveryClaims implements DeliveryClaims {
  readonly #deps: FileDeps;
  readonly #webhooks: OrganizationWebhooks;
  readonly #deliveries: DeliveryFiles;
  readonly #lost: LostEvents;
  /** Folder of this process among those that send. */
  readonly #self = randomBytes(8).toString('hex');
  readonly #lanes = new Map<string, Lane>();
  #listedMs = Number.NEGATIVE_INFINITY;
  #turns = 0;
  /** Claims of this process, and tries to claim. Its folder goes when there is none. */
  #held = 0;

  constructor(deps: FileDeps, webhooks: OrganizationWebhooks, deliveries: DeliveryFiles, lost: LostEvents) {
    this.#deps = deps;
    this.#webhooks = webhooks;
    this.#deliveries = deliveries;
    this.#lost = lost;
  }

  async claim(room: number, isFailing: boolean): Promise<readonly ClaimedDelivery[]> {
    const isListOld = !(Math.abs(this.#deps.clock.nowMs() - this.#listedMs) < LIST_MS);
    const hasDue = [...this.#lanes.values()].some((lane) => this.#firstDue(lane) !== null);
    if (isListOld || !hasDue) await this.#list();
    const taken: ClaimedDelivery[] = [];
    const lanes = [...this.#lanes.values()].filter((lane) => lane.isFailing === isFailing);
    for (const lane of lanes.sort((a, b) => a.turn - b.turn)) {
      for (let id = this.#firstDue(lane); id !== null; id = this.#firstDue(lane)) {
        const limit = isFailing ? 1 : MAX_PER_WEBHOOK;
        if (taken.length === room || lane.running + lane.elsewhere >= limit) break;
        const claimed = await this.#take(lane, id);
        if (claimed !== null) taken.push(claimed);
      }
    }
    return taken;
  }

  async finish({ delivery, claim }: ClaimedDelivery, change: DeliveryChange): Promise<void> {
    const { files, clock } = this.#deps;
    const { webhookId, id } = delivery;
    const next = changedDelivery(delivery, change);
    // Otherwise another process has taken it.
    if (await files.has(claim)) {
      await files.replace(claim, next);
      const path = this.#deliveries.pathOf(next.state, webhookId, id);
      await files.move(claim, path);
      await files.flush(path);
    }
    const lane = this.#laneOf(webhookId);
    lane.isFailing = next.state !== 'succeeded';
    // The webhook is disabled: what waits for it fails now.
    if (change.attempt?.status === 410) for (const other of lane.due.keys()) lane.due.set(other, 0);
    if (next.nextAttemptAt === null) lane.due.delete(id);
    else lane.due.set(id, Math.max(Date.parse(next.nextAttemptAt), clock.nowMs()));
    await this.#endHold(lane);
  }

  async release({ delivery: { webhookId, id }, claim }: ClaimedDelivery, delayMs: number): Promise<void> {
    const lane = this.#laneOf(webhookId);
    lane.due.set(id, this.#deps.clock.nowMs() + delayMs);
    try {
      await this.#deps.files.move(claim, this.#deliveries.pathOf('waiting', webhookId, id));
    } finally {
      await this.#endHold(lane);
    }
  }

  async upkeep(): Promise<void> {
    const { data } = await this.#webhooks.export(undefined, true);
    for (const webhook of data) {
      if (webhook.deletedAt === null) continue;
      await this.#deliveries.removeAll(webhook.id);
      if (this.#deps.clock.nowMs() - Date.parse(webhook.deletedAt) > FORGET_MS)
        await this.#webhooks.forget(webhook);
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

  /** Lists what waits, after taking back what processes that died or are silent were sending. */
  async #list(): Promise<void> {
    const { files, clock } = this.#deps;
    this.#listedMs = clock.nowMs();
    const elsewhere = new Map<string, number>();
    for (const process of await files.names(files.at('webhooks', 'sending'))) {
      if (process !== this.#self) await this.#takeBack(process, elsewhere);
    }
    const found = new Set(await this.#deliveries.webhookIds('waiting'));
    for (const [webhookId, lane] of this.#lanes) {
      if (!found.has(webhookId) && lane.running === 0) this.#lanes.delete(webhookId);
    }
    for (const webhookId of found) {
      const ids = await this.#deliveries.ids('waiting', webhookId);
      if (ids.length === 0) await files.removeEmptyFolder(files.at('webhooks', 'waiting', webhookId));
      this.#update(this.#laneOf(webhookId), ids);
    }
    for (const lane of this.#lanes.values()) lane.elsewhere = elsewhere.get(lane.webhookId) ?? 0;
  }

  #update({ due }: Lane, ids: readonly string[]): void {
    const existing = new Set(ids);
    const latestMs = this.#deps.clock.nowMs() + MAX_DELAY_MS;
    for (const [id, dueMs] of due) {
      if (!existing.has(id)) due.delete(id);
      // The clock was set back.
      else if (dueMs > latestMs) due.set(id, 0);
    }
    // A new one is due. When an earlier process has tried it, its document has the time.
    for (const id of ids) if (!due.has(id)) due.set(id, 0);
  }

  /** @param others - Gets the number of requests that go on, by webhook. */
  async #takeBack(process: string, others: Map<string, number>): Promise<void> {
    const { files, clock, liveness } = this.#deps;
    const owner = (await files
      .read(files.at('webhooks', 'sending', process, 'owner.json'))
      .catch(nullOn('store_corrupt'))) as Partial<ProcessIdentity> | null;
    const isWhole = typeof owner?.pid === 'number' && typeof owner.boot === 'string';
    const isDead = isWhole && liveness(owner as ProcessIdentity) === 'dead';
    const sending = await this.#deliveries.sending(process);
    let left = sending.length;
    for (const { path, webhookId, id, claimedMs } of sending) {
      // The distance, because the clock can be set back.
      if (!isDead && Math.abs(clock.nowMs() - claimedMs) <= CLAIM_MS) {
        others.set(webhookId, (others.get(webhookId) ?? 0) + 1);
        continue;
      }
      // It can have stored the result of its attempt before it died.
      const delivery = await this.#deliveries
        .readAt(path, null, webhookId, id)
        .catch(nullOn('store_corrupt'));
      await files.move(path, this.#deliveries.pathOf(delivery?.state ?? 'waiting', webhookId, id));
      left--;
    }
    if (isDead || (left === 0 && !isWhole)) await files.remove(files.at('webhooks', 'sending', process));
  }

  #laneOf(webhookId: string): Lane {
    const known = this.#lanes.get(webhookId);
    if (known !== undefined) return known;
    const lane: Lane = {
      ...{ webhookId, due: new Map<string, number>(), running: 0, elsewhere: 0 },
      ...{ isFailing: false, turn: 0 },
    };
    this.#lanes.set(webhookId, lane);
    return lane;
  }

  #firstDue({ due }: Lane): string | null {
    let first: string | null = null;
    let firstMs = this.#deps.clock.nowMs();
    for (const [id, dueMs] of due) {
      if (dueMs > firstMs || (dueMs === firstMs && first !== null)) continue;
      [first, firstMs] = [id, dueMs];
    }
    return first;
  }

  async #take(lane: Lane, id: string): Promise<ClaimedDelivery | null> {
    const { webhookId, due } = lane;
    try {
      const found = await this.#open(webhookId, id);
      const claimed = 'nextMs' in found ? null : await this.#rename(webhookId, id, found);
      if (claimed === null) {
        due.set(id, 'nextMs' in found ? found.nextMs : Number.POSITIVE_INFINITY);
        return null;
      }
      due.delete(id);
      lane.running++;
      this.#turns += 1;
      lane.turn = this.#turns;
      return claimed;
    } catch (error) {
      const isDamaged = error instanceof ListingVideoError && error.code === 'store_corrupt';
      due.set(id, this.#deps.clock.nowMs() + (isDamaged ? DAMAGED_MS : FAULT_MS));
      this.#lost.addWarning('a delivery cannot be sent', { delivery: id, webhook: webhookId, error });
      return null;
    }
  }

  /** Null if another process has it. */
  async #rename(
    webhookId: string,
    id: string,
    { delivery, webhook }: { readonly delivery: FullDelivery; readonly webhook: Webhook },
  ): Promise<ClaimedDelivery | null> {
    const { files, self, clock } = this.#deps;
    this.#held++;
    let isHeld = false;
    try {
      const owner = files.at('webhooks', 'sending', this.#self, 'owner.json');
      if (!(await files.has(owner))) await files.create(owner, self, false);
      const claim = files.at('webhooks', 'sending', this.#self, `${webhookId}.${id}.${clock.nowMs()}.json`);
      if (!(await files.move(this.#deliveries.pathOf('waiting', webhookId, id), claim))) return null;
      const now = await this.#deliveries.readAt(claim, 'waiting', webhookId, id);
      // Another process has tried it since it was read.
      isHeld = now?.attempts === delivery.attempts;
      if (isHeld) return { delivery, webhook, claim };
      await files.move(claim, this.#deliveries.pathOf('waiting', webhookId, id));
      return null;
    } finally {
      if (!isHeld) await this.#removeIfIdle();
    }
  }

  async #endHold(lane: Lane): Promise<void> {
    lane.running--;
    await this.#removeIfIdle();
  }

  async #removeIfIdle(): Promise<void> {
    this.#held--;
    const { files } = this.#deps;
    if (this.#held === 0) await files.remove(files.at('webhooks', 'sending', this.#self));
  }

  /** Reads a waiting delivery, and removes it if it must not be sent. */
  async #open(webhookId: string, id: string): Promise<Found> {
    const nowMs = this.#deps.clock.nowMs();
    const path = this.#deliveries.pathOf('waiting', webhookId, id);
    const delivery = await this.#deliveries.readAt(path, 'waiting', webhookId, id);
    const gone = { nextMs: Number.POSITIVE_INFINITY };
    if (delivery === null) return gone;
    const remove = async (): Promise<Found> => {
      await this.#deps.files.remove(path);
      return gone;
    };
    const { organizationId } = delivery;
    const webhook = await this.#webhooks
      .peek({ id: webhookId, organizationId })
      .catch(nullOn('store_corrupt'));
    if (webhook !== null && webhook.deletedAt !== null) return remove();
    const isOld = nowMs - Date.parse(delivery.createdAt) > KEEP_ENDED_MS;
    if (webhook === null && isOld) return remove();
    const dueMs = Date.parse(delivery.nextAttemptAt ?? delivery.createdAt);
    // Further away only after the clock was set back. What waits for a disabled webhook fails now.
    const isLater = dueMs > nowMs && dueMs <= nowMs + MAX_DELAY_MS;
    if (isLater && (webhook === null || webhook.disabledAt === null)) return { nextMs: dueMs };
    const end = await this.confirm(delivery);
    if (end === 'void' || (end === 'undecided' && isOld)) return remove();
    if (end === 'undecided') return { nextMs: nowMs + UNDECIDED_MS };
    return webhook === null ? { nextMs: nowMs + LOST_WEBHOOK_MS } : { delivery, webhook };
  }
}
