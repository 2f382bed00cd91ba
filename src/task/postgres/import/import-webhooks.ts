/** Takes the webhooks of a data folder over into a database. */
import type { ExportedWebhook } from '../../files/webhooks/export-webhooks.ts';
import type { Queries } from '../database.ts';
import { insertDelivery } from '../webhooks/postgres-deliveries.ts';
import { addRow, countOf, type ImportCount, idsOf } from './import-accounts.ts';

export interface WebhookImport {
  readonly webhooks: ImportCount;
  readonly deliveries: ImportCount;
}

/** @param tx - Has the organizations. */
export async function importWebhooks(
  tx: Queries,
  exported: readonly ExportedWebhook[],
): Promise<WebhookImport> {
  let [webhooks, deliveries] = [0, 0];
  for (const { id, organizationId, url, events, secrets, createdAt, disabledAt, ...webhook } of exported) {
    const row = { id, organizationId, url, events, createdAt, disabledAt, secrets: JSON.stringify(secrets) };
    webhooks += await addRow(tx, 'webhooks', row);
    for (const delivery of webhook.deliveries) {
      if (await insertDelivery(tx, delivery, delivery.nextAttemptAt)) deliveries += 1;
    }
  }
  const found = exported.flatMap((webhook) => idsOf(webhook.deliveries));
  return {
    webhooks: await countOf(tx, 'webhooks', idsOf(exported), { imported: webhooks }),
    deliveries: await countOf(tx, 'webhook_deliveries', found, { imported: deliveries }),
  };
}
