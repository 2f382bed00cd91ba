/** One attempt to send a delivery, and what follows from its answer. */

import { nextAttemptMs } from './retry-delay.ts';
import type { Message } from './send-message.ts';
import type { Attempt, FullDelivery, Webhook } from './webhook.ts';
import type { DeliveryChange, WebhookStore } from './webhook-store.ts';

/** RFC 9110, 15.5.11: the receiver is gone for good. */
const GONE = 410;

export interface AttemptDeps {
  readonly store: Pick<WebhookStore, 'signingSecrets' | 'disableWebhook'>;
  readonly send: (message: Message, signal: AbortSignal) => Promise<Attempt>;
  /** The JSON of the message. */
  readonly bodyOf: (delivery: FullDelivery) => string;
  readonly nowMs: () => number;
}

/**
 * Sends the message once. A receiver that answers 410 disables its webhook.
 *
 * @param number - Of this attempt, 1 for the first.
 * @throws The reason of `signal`.
 */
export async function attemptDelivery(
  delivery: FullDelivery,
  { id, url, disabledAt }: Webhook,
  { store, send, bodyOf, nowMs }: AttemptDeps,
  signal: AbortSignal,
  number: number = delivery.attempts + 1,
): Promise<DeliveryChange> {
  if (disabledAt !== null)
    return { state: 'failed', nextAttemptAt: null, problem: 'the webhook is disabled' };
  const secrets = await store.signingSecrets(id);
  const { messageId } = delivery;
  const attempt = await send({ url, messageId, body: bodyOf(delivery), secrets }, signal);
  if (isSuccess(attempt)) return { state: 'succeeded', nextAttemptAt: null, attempt };
  if (attempt.status === GONE) {
    await store.disableWebhook(id);
    return { state: 'failed', nextAttemptAt: null, attempt };
  }
  const nextMs = nextAttemptMs(number, nowMs());
  if (nextMs === null) return { state: 'failed', nextAttemptAt: null, attempt };
  return { state: 'waiting', nextAttemptAt: new Date(nextMs).toISOString(), attempt };
}

/** True for 2xx. */
export function isSuccess({ status }: Attempt): boolean {
  return status !== null && status >= 200 && status < 300;
}
