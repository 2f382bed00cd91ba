/** What every webhook store does with the deliveries that it keeps. */
import type { AccountDeps } from '../accounts/account-deps.ts';
import { repeatedDelivery, withoutTask } from './delivery-change.ts';
import type { FullDelivery } from './webhook.ts';
import { webhookDisabled } from './webhook-rules.ts';
import type { WebhookStore } from './webhook-store.ts';

export interface StoredDeliveries extends Pick<WebhookStore, 'listDeliveries' | 'countWaiting'> {
  /** @throws `delivery_not_found`. */
  get(id: string): Promise<FullDelivery>;
  /** Adds one that is due at once. */
  add(delivery: FullDelivery): Promise<unknown>;
}

export function deliveryMethods(
  deliveries: StoredDeliveries,
  getWebhook: WebhookStore['getWebhook'],
  clock: AccountDeps['clock'],
): Pick<WebhookStore, 'listDeliveries' | 'redeliver' | 'countWaiting'> {
  return {
    async listDeliveries(query) {
      if (query.webhookId !== undefined) await getWebhook(query.webhookId);
      return deliveries.listDeliveries(query);
    },
    async redeliver(id) {
      const delivery = await deliveries.get(id);
      const webhook = await getWebhook(delivery.webhookId);
      if (webhook.disabledAt !== null) throw webhookDisabled(webhook.id);
      const next = repeatedDelivery(delivery, clock.nowMs());
      await deliveries.add(next);
      return withoutTask(next);
    },
    countWaiting: () => deliveries.countWaiting(),
  };
}
