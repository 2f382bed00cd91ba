/** Reads all webhooks and deliveries of a data folder, for a database that takes them over. Changes nothing. */
import type { StoreWarning } from '../../task-store.ts';
import { type AccountStoreOptions, toAccountDeps } from '../../../account/account-options.ts';
import { AuditLog } from '../../../account/audit-log.ts';
import { createFileAccountStorages } from '../../../account/file-account-storage.ts';
import { Organizations } from '../../../account/organizations.ts';
import { readEach } from '../../../account/read-each.ts';
import { DeliveryDocuments } from './delivery-files.ts';
import { timeOf } from '../../webhooks/delivery-id.ts';
import { DeliveryQueue } from '../../../account/webhook/delivery-queue.ts';
import { LostEvents } from '../../webhooks/lost-events.ts';
import { DELIVERY_STATES, type FullDelivery, KEEP_ENDED_MS } from '../../webhooks/webhook.ts';
import { type WebhookDocument, WebhookDocuments } from '../../../account/webhook/webhook-documents.ts';

/** A webhook with its secrets and its deliveries. */
export interface ExportedWebhook extends WebhookDocument {
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
  const deps = toAccountDeps(createFileAccountStorages(options), options);
  const audit = new AuditLog(deps);
  const documents = new WebhookDocuments(deps, new Organizations(deps, audit), audit);
  const deliveries = new DeliveryDocuments(deps);
  const queue = new DeliveryQueue(deps, documents, deliveries, new LostEvents());
  const oldestMs = deps.clock.nowMs() - KEEP_ENDED_MS;
  const { data, warnings } = await documents.export();
  const problems = [...warnings];
  const webhooks: ExportedWebhook[] = [];
  for (const webhook of data) {
    const found = new Map<string, FullDelivery>();
    for (const state of DELIVERY_STATES) {
      const ids = (await deliveries.ids(state, webhook.id)).filter((id) => timeOf(id) >= oldestMs);
      const read = await readEach(ids, async (id) => {
        const delivery = await deliveries.read(state, webhook.id, id);
        if (delivery === null || state !== 'waiting') return delivery;
        return (await queue.confirm(delivery)) === 'visible' ? delivery : null;
      });
      problems.push(...read.warnings);
      // After a crash a delivery can be in two states: the ended one is read last.
      for (const delivery of read.data) found.set(delivery.id, delivery);
    }
    webhooks.push({ ...webhook, deliveries: [...found.values()] });
  }
  return { webhooks, warnings: problems };
}
