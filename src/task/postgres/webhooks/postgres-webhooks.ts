/** Webhooks in a database, with the secrets that sign their messages. */
import { stamp } from '../../accounts/account-deps.ts';
import type { AccountStore } from '../../accounts/account-store.ts';
import { newSecret } from '../../webhooks/sign-message.ts';
import { MAX_WEBHOOKS, type Webhook } from '../../webhooks/webhook.ts';
import {
  auditOf,
  isWebhookId,
  makeWebhook,
  rotatedSecrets,
  type StoredSecret,
  tooManyWebhooks,
  validSecrets,
  webhookNotFound,
} from '../../webhooks/webhook-rules.ts';
import type { WebhookStore } from '../../webhooks/webhook-store.ts';
import type { PostgresAccountDeps } from '../accounts/postgres-deps.ts';
import type { Queries } from '../database.ts';
import { insertInto, sql } from '../sql.ts';
import { makeJobsDue } from './delivery-jobs.ts';

const SELECT = sql`select id, organization_id, url, events, created_at, disabled_at from listing_video.webhooks
  where deleted_at is null`;

type Methods =
  | 'createWebhook'
  | 'listWebhooks'
  | 'getWebhook'
  | 'deleteWebhook'
  | 'rotateSecret'
  | 'signingSecrets'
  | 'disableWebhook';

export function postgresWebhooks(
  { database, clock, audit }: PostgresAccountDeps,
  getOrganization: AccountStore['getOrganization'],
): Pick<WebhookStore, Methods> {
  /** Changes a webhook whose row is locked. */
  const change = <T>(id: string, edit: (tx: Queries, webhook: Webhook) => Promise<T>): Promise<T> =>
    database.transaction(async (tx) => edit(tx, await find(tx, id, sql`for no key update`)));

  return {
    async createWebhook(options) {
      const { organizationId } = options;
      await getOrganization(organizationId);
      const { webhook, secret, secrets, change } = makeWebhook(options, clock);
      await database.transaction(async (tx) => {
        // Two at once must not both be the last one that is allowed.
        await tx.query(
          sql`select 1 from listing_video.organizations where id = ${organizationId} for no key update`,
        );
        const existing = await tx.query(sql`${SELECT} and organization_id = ${organizationId}`);
        if (existing.length >= MAX_WEBHOOKS) throw tooManyWebhooks(organizationId);
        await tx.query(insertInto('webhooks', { ...webhook, secrets: JSON.stringify(secrets) }));
        await audit(tx, change);
      });
      return { ...webhook, secret };
    },
    async listWebhooks(organizationId) {
      if (organizationId !== undefined) await getOrganization(organizationId);
      const isOwn = organizationId === undefined ? sql`` : sql`and organization_id = ${organizationId}`;
      const data = await database.query<Webhook>(sql`${SELECT} ${isOwn} order by created_at, id`);
      return { data, warnings: [] };
    },
    getWebhook: (id) => find(database, id),
    signingSecrets: async (id) => validSecrets(await findSecrets(database, id), clock.nowMs()),
    rotateSecret: (id) =>
      change(id, async (tx, webhook) => {
        const secret = newSecret();
        const secrets = rotatedSecrets(await findSecrets(tx, id), secret, clock.nowMs());
        await tx.query(
          sql`update listing_video.webhooks set secrets = ${JSON.stringify(secrets)} where id = ${id}`,
        );
        await audit(tx, auditOf('webhook.secret_rotated', webhook));
        return { ...webhook, secret };
      }),
    disableWebhook: (id) =>
      change(id, async (tx, webhook) => {
        if (webhook.disabledAt !== null) return;
        await tx.query(sql`update listing_video.webhooks set disabled_at = ${stamp(clock)} where id = ${id}`);
        // The server that gets them sees that the webhook is disabled, and fails them.
        await makeJobsDue(tx, sql`webhook_id = ${id} and state = 'waiting'`);
        await audit(tx, { ...auditOf('webhook.disabled', webhook), reason: 'HTTP 410' });
      }),
    deleteWebhook: (id) =>
      change(id, async (tx, webhook) => {
        await tx.query(
          sql`update listing_video.webhooks set deleted_at = ${stamp(clock)}, secrets = '[]' where id = ${id}`,
        );
        await audit(tx, auditOf('webhook.deleted', webhook));
        return webhook;
      }),
  };
}

/** @throws `webhook_not_found`. */
async function find(queries: Queries, id: string, lock = sql``): Promise<Webhook> {
  const [webhook] = isWebhookId(id)
    ? await queries.query<Webhook>(sql`${SELECT} and id = ${id} ${lock}`)
    : [];
  if (webhook === undefined) throw webhookNotFound(id);
  return webhook;
}

/** @throws `webhook_not_found`. */
async function findSecrets(queries: Queries, id: string): Promise<readonly StoredSecret[]> {
  const [row] = await queries.query<{ secrets: readonly StoredSecret[] }>(
    sql`select secrets from listing_video.webhooks where id = ${id} and deleted_at is null`,
  );
  if (row === undefined) throw webhookNotFound(id);
  return row.secrets;
}
