/** Sends a test message to a webhook now, so that its operator sees what comes back. */
import { randomBytes } from 'node:crypto';
import { type SendOptions, sendMessage } from './send-message.ts';
import type { Attempt } from './webhook.ts';
import { webhookDisabled } from './webhook-rules.ts';
import type { WebhookStore } from './webhook-store.ts';

/** Type of the test message. Receivers answer it like any other. */
export const TEST_EVENT = 'webhook.test';

/**
 * Sends it once. It is no delivery: nothing is stored.
 *
 * @throws `webhook_not_found`, `usage` if the webhook is disabled.
 */
export async function sendTest(
  store: Pick<WebhookStore, 'getWebhook' | 'signingSecrets'>,
  id: string,
  options: SendOptions,
  signal: AbortSignal,
): Promise<Attempt> {
  const { url, disabledAt } = await store.getWebhook(id);
  if (disabledAt !== null) throw webhookDisabled(id);
  const secrets = await store.signingSecrets(id);
  const timestamp = new Date(options.nowMs()).toISOString().replace(/Z$/, '+00:00');
  const body = JSON.stringify({ type: TEST_EVENT, timestamp, data: { webhook_id: id } });
  return sendMessage(
    { url, messageId: `msg_${randomBytes(16).toString('hex')}`, body, secrets },
    options,
    signal,
  );
}
