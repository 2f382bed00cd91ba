/** Joins the parts of a webhook store in PostgreSQL, and the claims of the servers that send. */
import type { AccountStoreOptions } from '../../accounts/account-deps.ts';
import { LostEvents } from '../../webhooks/lost-events.ts';
import type { OpenedWebhooks } from '../../webhooks/opened-webhooks.ts';
import { deliveryMethods } from '../../webhooks/stored-deliveries.ts';
import type { WebhookStore } from '../../webhooks/webhook-store.ts';
import { toPostgresDeps } from '../accounts/postgres-deps.ts';
import { postgresOrganizations } from '../accounts/postgres-organizations.ts';
import type { Database } from '../database.ts';
import { addDeliveries, postgresDeliveries } from './postgres-deliveries.ts';
import { postgresDeliveryRecords } from './postgres-delivery-records.ts';
import { postgresWebhooks } from './postgres-webhooks.ts';

export interface PostgresWebhookOptions extends Pick<AccountStoreOptions, 'clock' | 'program'> {
  /** With the schema of this version; see `requireSchema`. */
  readonly database: Database;
  /** Its address, for the queue. */
  readonly url: string;
}

/** The webhooks in a database. Their task store has `taskDeliveries` as part of its `onChange`. */
export function openPostgresWebhooks(options: PostgresWebhookOptions): OpenedWebhooks {
  const { database, url } = options;
  const deps = toPostgresDeps(options);
  const lost = new LostEvents();
  const webhooks = postgresWebhooks(deps, postgresOrganizations(deps).getOrganization);
  const store: WebhookStore = {
    ...webhooks,
    addDeliveries: (task) => addDeliveries(database, task, lost),
    ...deliveryMethods(postgresDeliveries(database), webhooks.getWebhook, deps.clock),
  };
  return {
    store,
    lost,
    async openSender(options) {
      const [{ DispatchedDeliveries }, { JobDeliveryQueue }] = await Promise.all([
        import('../../webhooks/dispatched-deliveries.ts'),
        import('./job-delivery-queue.ts'),
      ]);
      const { clock, logger } = options;
      const queue = new JobDeliveryQueue({ database, url, clock, logger });
      return new DispatchedDeliveries({ ...options, store, lost }, postgresDeliveryRecords(database), queue);
    },
  };
}
