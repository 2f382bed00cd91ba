/** How servers share the deliveries of one store: each is claimed before it is sent. Types and constants only. */
import type { FullDelivery, Webhook } from './webhook.ts';
import type { DeliveryChange } from './webhook-store.ts';

/** Requests of one webhook at a time, over all servers; one, if its receiver fails. */
export const MAX_PER_WEBHOOK = 4;
/** After this time another server can take a delivery. */
export const CLAIM_MS = 30_000;
/**
 * An attempt takes 10 seconds at most and is not begun later than this after its claim, so it ends within the claim.
 */
export const LAST_START_MS = 15_000;
/** How soon a delivery is tried again that could not be read or sent because of a fault of this machine. */
export const FAULT_MS = 60_000;
/** As {@link FAULT_MS}, for a damaged one: a backup can bring it back. */
export const DAMAGED_MS = 3_600_000;

/** A delivery that this process alone can send now. */
export interface ClaimedDelivery {
  readonly delivery: FullDelivery;
  readonly webhook: Webhook;
  /** Names the claim. */
  readonly claim: string;
}

/** Any number of processes can use it at the same time. */
export interface DeliveryClaims {
  /**
   * Takes due deliveries, first those of the webhooks that waited longest for their turn.
   *
   * @param room - Most deliveries; 1 or more.
   * @param isFailing - Of the webhooks whose last attempt failed, or of all others.
   */
  claim(room: number, isFailing: boolean): Promise<readonly ClaimedDelivery[]>;
  /**
   * Stores what an attempt changed, unless another process has taken the delivery since.
   *
   * @param delayMs - Until the next attempt.
   */
  finish(claimed: ClaimedDelivery, change: DeliveryChange, delayMs: number): Promise<void>;
  /** Gives it back unsent. It is due after `delayMs`. */
  release(claimed: ClaimedDelivery, delayMs: number): Promise<void>;
  /** Removes old deliveries, and those of deleted webhooks. */
  upkeep(): Promise<void>;
}
