/** Joins the parts of a webhook store in PostgreSQL, and the claims of the servers that send. */
import type { AccountStoreOptions } from '../../accounts/account-deps.ts';
import type { DeliveryClaims } from '../../webhooks/delivery-claims.ts';
import { LostEvents } from '../../webhooks/lost-events.ts';
import { webhookDisabled } from '../../webhooks/webhook-rules.ts';
import type { WebhookStore } from '../../webhooks/webhook-store.ts';
import { toPostgresDeps } from '../accounts/postgres-deps.ts';
import { postgresOrganizations } from '../accounts/postgres-organizations.ts';
import type { Database } from '../database.ts';
import {
  addDeliveries,
  countWaiting,
  findDelivery,
  listDeliveries,
  repeatDelivery,
} from './postgres-deliveries.ts';
import { PostgresDeliveryClaims } from './postgres-delivery-claims.ts';
import { PostgresWebhooks } from './postgres-webhooks.ts';

export interface PostgresWebhookOptions extends Pick<AccountStoreOptions, 'clock' | 'program'> {
  /** With the schema of this version; see `requireSchema`. */
  readonly database: Database;
}

/** The webhooks in a database. Their task store has `taskDeliveries` as part of its `onChange`. */
export function openPostgresWebhooks(options: PostgresWebhookOptions): {
  readonly store: WebhookStore;
  readonly claims: DeliveryClaims;
  /** Of the ends that this process stored. */
  readonly lost: LostEvents;
} {
  const { database } = options;
  const deps = toPostgresDeps(options);
  const lost = new LostEvents();
  const webhooks = new PostgresWebhooks(deps, postgresOrganizations(deps).getOrganization);
  const store: WebhookStore = {
    createWebhook: (webhook) => webhooks.create(webhook),
    listWebhooks: async (organizationId) => ({ data: await webhooks.list(organizationId), warnings: [] }),
    getWebhook: (id) => webhooks.get(id),
    deleteWebhook: (id) => webhooks.remove(id),
    rotateSecret: (id) => webhooks.rotate(id),
    signingSecrets: (id) => webhooks.signingSecrets(id),
    disableWebhook: (id) => webhooks.disable(id),
    addDeliveries: (task) => addDeliveries(database, task, lost),
    listDeliveries: async (query) => {
      if (query.webhookId !== undefined) await webhooks.get(query.webhookId);
      return listDeliveries(database, query);
    },
    redeliver: async (id) => {
      const delivery = await findDelivery(database, id);
      const webhook = await webhooks.get(delivery.webhookId);
      if (webhook.disabledAt !== null) throw webhookDisabled(webhook.id);
      return repeatDelivery(database, delivery, deps.clock);
    },
    countWaiting: () => countWaiting(database),
  };
  return { store, claims: new PostgresDeliveryClaims(database), lost };
}
