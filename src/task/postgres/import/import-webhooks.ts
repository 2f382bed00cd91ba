/** Takes the webhooks of a data folder over into a database. */
import type { ExportedWebhook } from '../../files/webhooks/export-webhooks.ts';
import type { Queries } from '../database.ts';
import { sql } from '../sql.ts';
import { insertDelivery } from '../webhooks/insert-delivery.ts';
import { countOf, type ImportCount, idsOf } from './import-accounts.ts';

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
    const added = await tx.query(
      sql`insert into listing_video.webhooks (id, organization_id, url, events, secrets, created_at, disabled_at)
       select ${id}, organizations.id, ${url}, ${events}::text[], ${JSON.stringify(secrets)}::json, ${createdAt}, ${disabledAt}
       from listing_video.organizations where id = ${organizationId}
       on conflict (id) do nothing returning id`,
    );
    webhooks += added.length;
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
