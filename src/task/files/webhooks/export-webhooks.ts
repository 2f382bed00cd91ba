/** Reads all webhooks and deliveries of a data folder, for a database that takes them over. Changes nothing. */
import type { AccountStoreOptions } from '../../accounts/account-deps.ts';
import type { StoreWarning } from '../../task-store.ts';
import { timeOf } from '../../webhooks/delivery-id.ts';
import { LostEvents } from '../../webhooks/lost-events.ts';
import { DELIVERY_STATES, type FullDelivery, KEEP_ENDED_MS } from '../../webhooks/webhook.ts';
import { toFileDeps } from '../accounts/file-deps.ts';
import type { StoredWebhook } from '../accounts/organization-document.ts';
import { readEach } from '../accounts/organizations.ts';
import { DeliveryFiles } from './delivery-files.ts';
import { FileDeliveryClaims } from './file-delivery-claims.ts';
import { OrganizationWebhooks } from './organization-webhooks.ts';

/** A webhook with its secrets and its deliveries. */
export interface ExportedWebhook extends StoredWebhook {
  readonly deliveries: readonly FullDelivery[];
}

export interface ExportedWebhooks {
  readonly webhooks: readonly ExportedWebhook[];
  /** Webhooks and deliveries that cannot be read. */
  readonly warnings: readonly StoreWarning[];
}

/**
 * The webhooks of a data folder whose tasks nobody runs. Left out are deliveries of ends that never became visible, and those
 * that are too old to be kept.
 */
export async function exportWebhooks(
  options: AccountStoreOptions & { readonly home: string },
): Promise<ExportedWebhooks> {
  const deps = toFileDeps(options);
  const owners = new OrganizationWebhooks(deps);
  const deliveries = new DeliveryFiles(deps);
  const claims = new FileDeliveryClaims(deps, owners, deliveries, new LostEvents());
  const oldestMs = deps.clock.nowMs() - KEEP_ENDED_MS;
  const { data, warnings } = await owners.export();
  const problems = [...warnings];
  const webhooks: ExportedWebhook[] = [];
  const sending = await deliveries.sending();
  for (const webhook of data) {
    const found = new Map<string, FullDelivery>();
    const ofWebhook = sending.filter(({ webhookId }) => webhookId === webhook.id).map(({ id }) => id);
    for (const state of DELIVERY_STATES) {
      const all = await deliveries.ids(state, webhook.id);
      const ids = (state === 'waiting' ? [...all, ...ofWebhook] : all).filter((id) => timeOf(id) >= oldestMs);
      const read = await readEach(ids, async (id) => {
        const delivery = await deliveries.read(state, webhook.id, id);
        if (delivery === null || state !== 'waiting') return delivery;
        return (await claims.confirm(delivery)) === 'visible' ? delivery : null;
      });
      problems.push(...read.warnings);
      // After a crash a delivery can be in two states: the ended one is read last.
      for (const delivery of read.data) found.set(delivery.id, delivery);
    }
    webhooks.push({ ...webhook, deliveries: [...found.values()] });
  }
  return { webhooks, warnings: problems };
}
