/** Reads all webhooks and deliveries of a data folder, for a database that takes them over. Changes nothing. */
import type { AccountStoreOptions } from '../../accounts/account-deps.ts';
import type { StoreWarning } from '../../task-store.ts';
import { timeOf } from '../../webhooks/delivery-id.ts';
import { LostEvents } from '../../webhooks/lost-events.ts';
import { type FullDelivery, KEEP_ENDED_MS } from '../../webhooks/webhook.ts';
import { toFileDeps } from '../accounts/file-deps.ts';
import type { StoredWebhook } from '../accounts/organization-document.ts';
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
 * The webhooks of a data folder whose tasks nobody runs. Left out are deliveries of ends that never became visible, and
 * those that are too old to be kept.
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
  for (const webhook of data) {
    const files = [...(await deliveries.find({ webhookId: webhook.id })).values()];
    const read = await deliveries.readAll(files.filter(({ id }) => timeOf(id) >= oldestMs));
    problems.push(...read.warnings);
    const kept: FullDelivery[] = [];
    for (const delivery of read.data) {
      const isKept = delivery.state !== 'waiting' || (await claims.confirm(delivery)) === 'visible';
      if (isKept) kept.push(delivery);
    }
    webhooks.push({ ...webhook, deliveries: kept });
  }
  return { webhooks, warnings: problems };
}
