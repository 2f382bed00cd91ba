/**
 * The claims of the processes of one machine that send deliveries: each puts its name and the time into the name of the
 * file. `webhooks/senders/<sender>.json` says which process it is, so the claims of one that died end at once.
 */
import { randomBytes } from 'node:crypto';
import { readIdentity } from '../../../platform/disk/owned-folder.ts';
import type { Liveness } from '../../../platform/disk/process-identity.ts';
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
import type { DeliveryFile, DeliveryFiles } from './delivery-files.ts';
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
  /** The name of this process in claims. */
  readonly #self = randomBytes(8).toString('hex');
  readonly #lanes = new Map<string, Lane>();
  #listedMs = Number.NEGATIVE_INFINITY;
  #turns = 0;
  #isNamed = false;
  /** Claims of this process, which it does not end itself: it can have been suspended while it sent. */
  readonly #held = new Set<string>();

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
      const { path } = this.#deliveries.at(next.state, webhookId, id);
      await files.move(claim, path);
      await files.flush(path);
    }
    const lane = this.#laneOf(webhookId);
    lane.isFailing = next.state !== 'succeeded';
    // The webhook is disabled: what waits for it fails now.
    if (change.attempt?.status === 410) for (const other of lane.due.keys()) lane.due.set(other, 0);
    if (next.nextAttemptAt === null) lane.due.delete(id);
    else lane.due.set(id, Math.max(Date.parse(next.nextAttemptAt), clock.nowMs()));
    lane.running--;
    this.#held.delete(claim);
  }

  async release({ delivery: { webhookId, id }, claim }: ClaimedDelivery, delayMs: number): Promise<void> {
    const lane = this.#laneOf(webhookId);
    lane.due.set(id, this.#deps.clock.nowMs() + delayMs);
    lane.running--;
    this.#held.delete(claim);
    await this.#deps.files.move(claim, this.#deliveries.at('waiting', webhookId, id).path);
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

  /** Lists what waits, and ends the claims of processes that died or are silent. */
  async #list(): Promise<void> {
    const { files, clock } = this.#deps;
    this.#listedMs = clock.nowMs();
    const senders = await this.#senders();
    const found = new Set(await this.#deliveries.webhookIds('waiting'));
    for (const [webhookId, lane] of this.#lanes) {
      lane.elsewhere = 0;
      if (!found.has(webhookId) && lane.running === 0) this.#lanes.delete(webhookId);
    }
    const busy = new Set<string>();
    for (const webhookId of found) {
      const lane = this.#laneOf(webhookId);
      const ids: string[] = [];
      for (const file of await this.#deliveries.files('waiting', webhookId)) {
        const { id, claim } = file;
        // The distance, because the clock can be set back.
        const isEnded =
          claim !== null &&
          (senders.get(nameOf(claim.sender)) === 'dead' ||
            (!this.#held.has(file.path) && Math.abs(clock.nowMs() - claim.atMs) > CLAIM_MS));
        if (claim === null || isEnded) {
          if (claim !== null) await this.#endClaim(file);
          ids.push(id);
          continue;
        }
        busy.add(nameOf(claim.sender));
        if (claim.sender !== this.#self) lane.elsewhere++;
      }
      if (ids.length === 0) await files.removeEmptyFolder(files.at('webhooks', 'waiting', webhookId));
      this.#update(lane, ids);
    }
    for (const [name, state] of senders) {
      // One that cannot be checked and claims again needs no file: its claims end by their age.
      if (state !== 'alive' && !busy.has(name)) await files.remove(files.at('webhooks', 'senders', name));
    }
  }

  /** The files of processes that have sent, and whether these live. */
  async #senders(): Promise<ReadonlyMap<string, Liveness>> {
    const { files, liveness } = this.#deps;
    const states = new Map<string, Liveness>();
    for (const name of await files.names(files.at('webhooks', 'senders'))) {
      const owner = await readIdentity(files.at('webhooks', 'senders', name));
      states.set(name, owner === null ? 'unknown' : liveness(owner));
    }
    return states;
  }

  /** The process can have stored the result of its attempt before it died. */
  async #endClaim(file: DeliveryFile): Promise<void> {
    const delivery = await this.#deliveries.read(file).catch(nullOn('store_corrupt'));
    const { path } = this.#deliveries.at(delivery?.state ?? 'waiting', file.webhookId, file.id);
    await this.#deps.files.move(file.path, path);
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
    if (!this.#isNamed) await files.create(files.at('webhooks', 'senders', nameOf(this.#self)), self, false);
    this.#isNamed = true;
    const { path } = this.#deliveries.at('waiting', webhookId, id);
    const claim = { sender: this.#self, atMs: clock.nowMs() };
    const file = this.#deliveries.at('waiting', webhookId, id, claim);
    if (!(await files.move(path, file.path))) return null;
    const now = await this.#deliveries.read(file);
    if (now?.attempts === delivery.attempts) {
      this.#held.add(file.path);
      return { delivery, webhook, claim: file.path };
    }
    // Another process has tried it since it was read.
    await files.move(file.path, path);
    return null;
  }

  /** Reads a waiting delivery, and removes it if it must not be sent. */
  async #open(webhookId: string, id: string): Promise<Found> {
    const nowMs = this.#deps.clock.nowMs();
    const file = this.#deliveries.at('waiting', webhookId, id);
    const delivery = await this.#deliveries.read(file);
    const gone = { nextMs: Number.POSITIVE_INFINITY };
    if (delivery === null) return gone;
    const remove = async (): Promise<Found> => {
      await this.#deps.files.remove(file.path);
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

function nameOf(sender: string): string {
  return `${sender}.json`;
}
