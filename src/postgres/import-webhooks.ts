/** Takes the webhooks of a data folder over into a database. */
import type { ExportedWebhook } from '../task/files/webhooks/export-webhooks.ts';
import type { Queries } from '../task/postgres/database.ts';
import type { ImportCount } from './import-accounts.ts';
import { insertDelivery } from '../task/postgres/webhooks/insert-delivery.ts';

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
  for (const webhook of exported) {
    const added = await addWebhook(tx, webhook);
    webhooks += added.webhooks;
    deliveries += added.deliveries;
  }
  const count = async (table: string, ids: readonly string[], imported: number): Promise<ImportCount> => {
    const [row] = await tx.query<{ count: number }>(
      `select count(*) as count from listing_video.${table} where id = any($1)`,
      [ids],
    );
    return { found: ids.length, imported, present: row?.count ?? 0 };
  };
  const deliveryIds = exported.flatMap((webhook) => webhook.deliveries.map(({ id }) => id));
  return {
    webhooks: await count(
      'webhooks',
      exported.map(({ id }) => id),
      webhooks,
    ),
    deliveries: await count('webhook_deliveries', deliveryIds, deliveries),
  };
}

async function addWebhook(tx: Queries, webhook: ExportedWebhook) {
  const { id, organizationId, url, events, secrets, createdAt, disabledAt } = webhook;
  const webhooks = await tx.query(
    `insert into listing_video.webhooks (id, organization_id, url, events, secrets, created_at, disabled_at)
     select $1, organizations.id, $3, $4::text[], $5::json, $6, $7 from listing_video.organizations where id = $2
     on conflict (id) do nothing returning id`,
    [id, organizationId, url, events, JSON.stringify(secrets), createdAt, disabledAt],
  );
  let deliveries = 0;
  for (const delivery of webhook.deliveries) {
    if (await insertDelivery(tx, delivery, delivery.nextAttemptAt)) deliveries += 1;
  }
  return { webhooks: webhooks.length, deliveries };
}
