/** The webhooks of a data folder, shared by every process of this machine. */
import type { AccountStoreOptions } from '../../accounts/account-deps.ts';
import { endEvent } from '../../webhooks/delivery-change.ts';
import type { DeliveryClaims } from '../../webhooks/delivery-claims.ts';
import { LostEvents } from '../../webhooks/lost-events.ts';
import type { OpenedWebhooks } from '../../webhooks/opened-webhooks.ts';
import { deliveryMethods } from '../../webhooks/stored-deliveries.ts';
import type { WebhookStore } from '../../webhooks/webhook-store.ts';
import { toFileDeps } from '../accounts/file-deps.ts';
import type { HomeFilesOptions } from '../accounts/home-files.ts';
import { DeliveryFiles } from './delivery-files.ts';
import { FileDeliveryClaims } from './file-delivery-claims.ts';
import { OrganizationWebhooks } from './organization-webhooks.ts';

const LOST =
  'the event of a task is lost for a webhook that is damaged: put its file back from a backup, or make the webhook ' +
  'again with `listing-video webhooks create`';

/** Touches no file until it is used. */
export function openFileWebhooks(
  options: HomeFilesOptions & AccountStoreOptions,
): OpenedWebhooks & { readonly claims: DeliveryClaims } {
  const deps = toFileDeps(options);
  const webhooks = new OrganizationWebhooks(deps);
  const deliveries = new DeliveryFiles(deps);
  const lost = new LostEvents();
  const store: WebhookStore = {
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
      const wanting = await webhooks.wanting(organizationId, endEvent(task), (error) =>
        lost.addWarning(LOST, { task: task.id, error }),
      );
      const added = await Promise.allSettled(wanting.map((webhook) => deliveries.addEnd(webhook, task)));
      for (const result of added) {
        if (result.status === 'rejected') throw result.reason;
        if (result.value.state === 'failed') lost.addGivenUp(result.value);
      }
    },
    ...deliveryMethods(deliveries, (id) => webhooks.get(id), deps.clock),
  };
  const claims = new FileDeliveryClaims(deps, webhooks, deliveries, lost);
  return {
    store,
    lost,
    claims,
    openSender: async (sender) => {
      const { DeliveryWorker } = await import('../../webhooks/delivery-worker.ts');
      return new DeliveryWorker({ ...sender, store, lost, claims });
    },
  };
}
