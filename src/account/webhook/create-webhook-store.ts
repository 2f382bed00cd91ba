/** Joins the parts of a webhook store over any storage. */
import { ListingVideoError } from '../../platform/errors.ts';
import { type AccountStoreOptions, toAccountDeps } from '../account-options.ts';
import type { AccountStorages } from '../account-storage.ts';
import { AuditLog } from '../audit-log.ts';
import { createFileAccountStorages, type FileAccountStorageOptions } from '../file-account-storage.ts';
import { Organizations } from '../organizations.ts';
import { endEvent } from '../../task/webhooks/delivery-change.ts';
import { DeliveryDocuments } from '../../task/files/webhooks/delivery-files.ts';
import { DeliveryQueue } from './delivery-queue.ts';
import { LostEvents } from '../../task/webhooks/lost-events.ts';
import { WebhookDocuments } from './webhook-documents.ts';
import type { WebhookStore } from '../../task/webhooks/webhook-store.ts';

/** A webhook store, and the queue of its waiting deliveries for a server that sends them. */
export interface OpenedWebhooks {
  readonly store: WebhookStore;
  readonly queue: DeliveryQueue;
}

/** The webhooks of a data folder, shared by every process of this machine. Touches no file until it is used. */
export function openFileWebhooks(options: FileAccountStorageOptions & AccountStoreOptions): OpenedWebhooks {
  return openWebhooks(createFileAccountStorages(options), options);
}

/** The webhooks in any storages; tests keep theirs in memory. */
export function openWebhooks(storages: AccountStorages, options: AccountStoreOptions): OpenedWebhooks {
  const deps = toAccountDeps(storages, options);
  const audit = new AuditLog(deps);
  const webhooks = new WebhookDocuments(deps, new Organizations(deps, audit), audit);
  const deliveries = new DeliveryDocuments(deps);
  const lost = new LostEvents();
  const store = createStore(webhooks, deliveries, lost);
  return { store, queue: new DeliveryQueue(deps, webhooks, deliveries, lost) };
}

function createStore(
  webhooks: WebhookDocuments,
  deliveries: DeliveryDocuments,
  lost: LostEvents,
): WebhookStore {
  return {
    createWebhook: (options) => webhooks.create(options),
    listWebhooks: (organizationId) => webhooks.list(organizationId),
    getWebhook: (id) => webhooks.get(id),
    deleteWebhook: (id) => webhooks.remove(id),
    rotateSecret: (id) => webhooks.rotate(id),
    signingSecrets: (id) => webhooks.signingSecrets(id),
    disableWebhook: (id) => webhooks.disable(id),
    addDeliveries: async (task) => {
      const { organizationId } = task;
      if (organizationId === null) return;
      const event = endEvent(task);
      const wanting = await webhooks.wanting(organizationId, event, (error) =>
        lost.addUnknown({ taskId: task.id, error }),
      );
      const added = await Promise.allSettled(wanting.map((webhook) => deliveries.add(webhook, event, task)));
      for (const result of added) {
        if (result.status === 'rejected') throw result.reason;
        if (result.value.state === 'failed') lost.addGivenUp(result.value);
      }
    },
    listDeliveries: async (query) => {
      if (query.webhookId !== undefined) await webhooks.get(query.webhookId);
      return deliveries.list(query);
    },
    redeliver: async (id) => {
      const delivery = await deliveries.find(id);
      const webhook = await webhooks.get(delivery.webhookId);
      if (webhook.disabledAt !== null) throw webhookDisabled(webhook.id);
      return deliveries.repeat(delivery);
    },
    countWaiting: () => deliveries.countWaiting(),
  };
}

/** The error for a message to a webhook that is disabled. */
export function webhookDisabled(id: string): ListingVideoError {
  return new ListingVideoError(
    'usage',
    `the webhook ${id} is disabled, because its receiver answered 410 Gone`,
    {
      hint: 'make a new one with `listing-video webhooks create`',
      context: { id },
    },
  );
}
