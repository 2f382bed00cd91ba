/**
 * Ids of deliveries: `dlv_`, the time, and a tail of 12 hex digits. A later delivery has a greater id. Pure, except for
 * random tails.
 */
import { createHash, randomBytes } from 'node:crypto';
import { ListingVideoError } from '../../platform/errors.ts';

export function deliveryId(timeMs: number, tail: string): string {
  return `dlv_${Math.max(0, timeMs).toString(16).padStart(12, '0')}${tail}`;
}

/** The tail of the delivery of an end: the same one for each attempt to store it. */
export function endTail(webhookId: string, taskId: string, retries: number): string {
  return createHash('sha256').update(`${webhookId} ${taskId} ${retries}`).digest('hex').slice(0, 12);
}

export function randomTail(): string {
  return randomBytes(6).toString('hex');
}

/** True for text in the format of our ids. */
export function isDeliveryId(text: string): boolean {
  return /^dlv_[0-9a-f]{24}$/.test(text);
}

/** The part after the time. */
export function tailOf(id: string): string {
  return id.slice(16);
}

/** In milliseconds since 1970. */
export function timeOf(id: string): number {
  return Number.parseInt(id.slice(4, 16), 16);
}

/** Header `webhook-id` of the message about an end: the same for every attempt and redelivery. */
export function messageIdOf({ id, retries }: { readonly id: string; readonly retries: number }): string {
  return `msg_${id.replaceAll('-', '')}_${retries}`;
}

export function deliveryNotFound(id: string): ListingVideoError {
  return new ListingVideoError('delivery_not_found', `no such delivery: ${id.slice(0, 80)}`, {
    hint: '`listing-video webhooks deliveries` shows the ids',
    context: { id: id.slice(0, 80) },
  });
}
