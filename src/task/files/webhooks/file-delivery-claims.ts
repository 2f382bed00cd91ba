/**
 * The claims of the processes of one machine that send deliveries: a claim puts the sender and the end of the claim
 * into the name of the file. `webhooks/senders/<sender>.json` says which process that is: if it died, its claims end at
 * once.
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
import { type FullDelivery, KEEP_ENDED_MS } from '../../webhooks/webhook.ts';
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
  /** The due ones that nobody has claimed, as last listed. */
  due: DeliveryFile[];
  /** Requests under way in this process, and in others when they were last listed. */
  running: number;
  elsewhere: number;
  /** The last attempt failed. */
  isFailing: boolean;
  /** When its files could not be changed, in milliseconds since 1970. */
  faultMs: number;
  /** Number of its last turn. The lowest comes first. */
  turn: number;
}

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
    const hasDue = [...this.#lanes.values()].some((lane) => lane.due.length > 0);
    if (isListOld || !hasDue) await this.#list();
    const taken: ClaimedDelivery[] = [];
    const lanes = [...this.#lanes.values()].filter((lane) => lane.isFailing === isFailing);
    for (const lane of lanes.sort((a, b) => a.turn - b.turn)) {
      const limit = isFailing ? 1 : MAX_PER_WEBHOOK;
      while (taken.length < room && lane.running + lane.elsewhere < limit) {
        const file = lane.due.shift();
        if (file === undefined) break;
        const claimed = await this.#take(lane, file).catch((error: unknown) => {
          this.#warn(file, error);
          lane.faultMs = this.#deps.clock.nowMs();
          lane.due = [];
          return null;
        });
        if (claimed !== null) taken.push(claimed);
      }
    }
    return taken;
  }

  async finish({ delivery, claim }: ClaimedDelivery, change: DeliveryChange): Promise<void> {
    const { files } = this.#deps;
    const { webhookId, id } = delivery;
    const next = changedDelivery(delivery, change);
    // Otherwise another process has taken it.
    if (await files.has(claim)) {
      await files.replace(claim, next);
      const { path } = this.#deliveries.at(
        next.state,
        webhookId,
        id,
        Date.parse(next.nextAttemptAt ?? '') || 0,
      );
      await files.move(claim, path);
      await files.flush(path);
    }
    const lane = this.#laneOf(webhookId);
    lane.isFailing = next.state !== 'succeeded';
    // The webhook is disabled: what waits for it fails now.
    if (change.attempt?.status === 410) {
      for (const file of await this.#deliveries.files('waiting', webhookId))
        if (file.sender === null) await this.#leave(file, 0);
      this.#listedMs = Number.NEGATIVE_INFINITY;
    }
    lane.running--;
    this.#held.delete(claim);
  }

  async release({ delivery: { webhookId, id }, claim }: ClaimedDelivery, delayMs: number): Promise<void> {
    this.#laneOf(webhookId).running--;
    this.#held.delete(claim);
    const dueMs = this.#deps.clock.nowMs() + delayMs;
    await this.#deps.files.move(claim, this.#deliveries.at('waiting', webhookId, id, dueMs).path);
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

  /** Lists what is due, also what processes that died or are silent have claimed. */
  async #list(): Promise<void> {
    const { files, clock } = this.#deps;
    const nowMs = clock.nowMs();
    this.#listedMs = nowMs;
    const senders = await this.#senders();
    const found = new Set(await this.#deliveries.webhookIds('waiting'));
    for (const [webhookId, lane] of this.#lanes) {
      lane.elsewhere = 0;
      lane.due = [];
      if (!found.has(webhookId) && lane.running === 0) this.#lanes.delete(webhookId);
    }
    const busy = new Set<string>();
    for (const webhookId of found) {
      const lane = this.#laneOf(webhookId);
      const waiting = await this.#deliveries.files('waiting', webhookId);
      for (const file of waiting) {
        const { path, dueMs, sender } = file;
        if (this.#held.has(path)) continue;
        // Further away only after the clock was set back.
        const longestMs = sender === null ? MAX_DELAY_MS : CLAIM_MS;
        const isDue = dueMs <= nowMs || dueMs > nowMs + longestMs;
        if (isDue || (sender !== null && senders.get(nameOf(sender)) === 'dead')) {
          lane.due.push(file);
        } else if (sender !== null) {
          busy.add(nameOf(sender));
          lane.elsewhere++;
        }
      }
      if (waiting.length === 0) await files.removeEmptyFolder(files.at('webhooks', 'waiting', webhookId));
      if (Math.abs(nowMs - lane.faultMs) < FAULT_MS) lane.due = [];
      lane.due.sort((a, b) => a.dueMs - b.dueMs || (a.id < b.id ? -1 : 1));
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

  #laneOf(webhookId: string): Lane {
    const known = this.#lanes.get(webhookId);
    if (known !== undefined) return known;
    const lane: Lane = {
      webhookId,
      due: [],
      running: 0,
      elsewhere: 0,
      isFailing: false,
      faultMs: Number.NEGATIVE_INFINITY,
      turn: 0,
    };
    this.#lanes.set(webhookId, lane);
    return lane;
  }

  /** Claims a delivery, and gives it back or removes it if it cannot be sent now. */
  async #take(lane: Lane, file: DeliveryFile): Promise<ClaimedDelivery | null> {
    const { files, self, clock } = this.#deps;
    if (!this.#isNamed) await files.create(files.at('webhooks', 'senders', nameOf(this.#self)), self, false);
    this.#isNamed = true;
    const { webhookId, id } = file;
    const claim = this.#deliveries.at('waiting', webhookId, id, clock.nowMs() + CLAIM_MS, this.#self);
    // Otherwise another process was first.
    if (!(await files.move(file.path, claim.path))) return null;
    const found = await this.#open(claim).catch((error: unknown) => {
      this.#warn(file, error);
      return error instanceof ListingVideoError && error.code === 'store_corrupt' ? DAMAGED_MS : FAULT_MS;
    });
    if (typeof found === 'number') await this.#leave(claim, clock.nowMs() + found);
    if (found === null || typeof found === 'number') return null;
    this.#held.add(claim.path);
    lane.running++;
    this.#turns += 1;
    lane.turn = this.#turns;
    return { ...found, claim: claim.path };
  }

  async #leave({ path, webhookId, id }: DeliveryFile, dueMs: number): Promise<void> {
    await this.#deps.files.move(path, this.#deliveries.at('waiting', webhookId, id, dueMs).path);
  }

  #warn({ id, webhookId }: DeliveryFile, error: unknown): void {
    this.#lost.addWarning('a delivery cannot be sent', { delivery: id, webhook: webhookId, error });
  }

  /**
   * Reads a delivery that this process has claimed, and removes it if it must not be sent.
   *
   * @returns What to send; milliseconds until the next look; null if it is gone.
   */
  async #open(claim: DeliveryFile): Promise<Omit<ClaimedDelivery, 'claim'> | number | null> {
    const { files, clock } = this.#deps;
    const nowMs = clock.nowMs();
    const { webhookId, id } = claim;
    const delivery = await this.#deliveries.read(claim);
    if (delivery === null) return null;
    if (delivery.state !== 'waiting') {
      // A process stored the result of its attempt before it died.
      await files.move(claim.path, this.#deliveries.at(delivery.state, webhookId, id).path);
      return null;
    }
    const remove = async (): Promise<null> => {
      await files.remove(claim.path);
      return null;
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
    if (isLater && (webhook === null || webhook.disabledAt === null)) return dueMs - nowMs;
    const end = await this.confirm(delivery);
    if (end === 'void' || (end === 'undecided' && isOld)) return remove();
    if (end === 'undecided') return UNDECIDED_MS;
    return webhook === null ? LOST_WEBHOOK_MS : { delivery, webhook };
  }
}

function nameOf(sender: string): string {
  return `${sender}.json`;
}
