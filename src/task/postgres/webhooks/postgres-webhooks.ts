/** Webhooks in a database, with the secrets that sign their messages. */
import { randomBytes } from 'node:crypto';
import { stamp } from '../../accounts/account-deps.ts';
import type { AccountStore } from '../../accounts/account-store.ts';
import { newSecret } from '../../webhooks/sign-message.ts';
import { MAX_WEBHOOKS, type NewWebhook, WEBHOOK_EVENTS, type Webhook } from '../../webhooks/webhook.ts';
import {
  auditOf,
  isWebhookId,
  rotatedSecrets,
  tooManyWebhooks,
  validSecrets,
  webhookNotFound,
} from '../../webhooks/webhook-rules.ts';
import type { NewWebhookOptions } from '../../webhooks/webhook-store.ts';
import { requireWebhookUrl } from '../../webhooks/webhook-url.ts';
import type { PostgresAccountDeps } from '../accounts/postgres-deps.ts';
import type { Queries } from '../database.ts';
import { all, insertInto, raw, sql } from '../sql.ts';
import { makeJobsDue } from './delivery-jobs.ts';
import { toWebhook, WEBHOOK_COLUMNS, type WebhookRow } from './webhook-row.ts';

export class PostgresWebhooks {
  readonly #deps: PostgresAccountDeps;
  readonly #getOrganization: AccountStore['getOrganization'];

  constructor(deps: PostgresAccountDeps, getOrganization: AccountStore['getOrganization']) {
    this.#deps = deps;
    this.#getOrganization = getOrganization;
  }

  /** See `WebhookStore.createWebhook`. */
  async create({ organizationId, url, events = WEBHOOK_EVENTS }: NewWebhookOptions): Promise<NewWebhook> {
    await this.#getOrganization(organizationId);
    requireWebhookUrl(url);
    const secret = newSecret();
    return this.#deps.database.transaction(async (tx) => {
      // Two at once must not both be the last one that is allowed.
      await tx.query(
        sql`select 1 from listing_video.organizations where id = ${organizationId} for no key update`,
      );
      const [existing] = await tx.query<{ count: number }>(
        sql`select count(*) as count from listing_video.webhooks
         where organization_id = ${organizationId} and deleted_at is null`,
      );
      if ((existing?.count ?? 0) >= MAX_WEBHOOKS) throw tooManyWebhooks(organizationId);
      const [row] = await tx.query<WebhookRow>(
        sql`${insertInto('webhooks', {
          id: `wh_${randomBytes(8).toString('hex')}`,
          organization_id: organizationId,
          url,
          events: WEBHOOK_EVENTS.filter((event) => events.includes(event)),
          secrets: JSON.stringify([{ secret, expiresAt: null }]),
          created_at: stamp(this.#deps.clock),
        })} returning ${raw(WEBHOOK_COLUMNS)}`,
      );
      const webhook = toWebhook(row!);
      const change = { ...auditOf('webhook.created', webhook), url_host: new URL(url).host } as const;
      await this.#deps.audit(tx, change);
      return { ...webhook, secret };
    });
  }

  /** Oldest first. */
  async list(organizationId: string | undefined): Promise<Webhook[]> {
    if (organizationId !== undefined) await this.#getOrganization(organizationId);
    const conditions = [sql`deleted_at is null`];
    if (organizationId !== undefined) conditions.push(sql`organization_id = ${organizationId}`);
    const rows = await this.#deps.database.query<WebhookRow>(
      sql`select ${raw(WEBHOOK_COLUMNS)} from listing_video.webhooks where ${all(conditions)} order by created_at, id`,
    );
    return rows.map(toWebhook);
  }

  async get(id: string): Promise<Webhook> {
    return toWebhook(await find(this.#deps.database, id));
  }

  async signingSecrets(id: string): Promise<readonly string[]> {
    return validSecrets((await find(this.#deps.database, id)).secrets, this.#deps.clock.nowMs());
  }

  rotate(id: string): Promise<NewWebhook> {
    return this.#deps.database.transaction(async (tx) => {
      const row = await find(tx, id, 'for no key update');
      const secret = newSecret();
      const secrets = rotatedSecrets(row.secrets, secret, this.#deps.clock.nowMs());
      await tx.query(
        sql`update listing_video.webhooks set secrets = ${JSON.stringify(secrets)} where id = ${id}`,
      );
      const webhook = toWebhook(row);
      await this.#deps.audit(tx, auditOf('webhook.secret_rotated', webhook));
      return { ...webhook, secret };
    });
  }

  async disable(id: string): Promise<void> {
    await this.#deps.database.transaction(async (tx) => {
      const webhook = toWebhook(await find(tx, id, 'for no key update'));
      if (webhook.disabledAt !== null) return;
      await tx.query(
        sql`update listing_video.webhooks set disabled_at = ${stamp(this.#deps.clock)} where id = ${id}`,
      );
      // The server that gets them sees that the webhook is disabled, and fails them.
      await makeJobsDue(tx, sql`webhook_id = ${id} and state = 'waiting'`);
      await this.#deps.audit(tx, { ...auditOf('webhook.disabled', webhook), reason: 'HTTP 410' });
    });
  }

  remove(id: string): Promise<Webhook> {
    return this.#deps.database.transaction(async (tx) => {
      const webhook = toWebhook(await find(tx, id, 'for no key update'));
      const deletedAt = stamp(this.#deps.clock);
      await tx.query(
        sql`update listing_video.webhooks set deleted_at = ${deletedAt}, secrets = '[]' where id = ${id}`,
      );
      await this.#deps.audit(tx, auditOf('webhook.deleted', webhook));
      return webhook;
    });
  }
}

/** @throws `webhook_not_found`. */
async function find(queries: Queries, id: string, lock = ''): Promise<WebhookRow> {
  const [row] = isWebhookId(id)
    ? await queries.query<WebhookRow>(
        sql`select ${raw(WEBHOOK_COLUMNS)} from listing_video.webhooks
         where id = ${id} and deleted_at is null ${raw(lock)}`,
      )
    : [];
  if (row === undefined) throw webhookNotFound(id);
  return row;
}
