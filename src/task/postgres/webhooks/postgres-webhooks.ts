/** Webhooks in a database, with the secrets that sign their messages. */
import { randomBytes } from 'node:crypto';
import { stamp } from '../../accounts/account-deps.ts';
import type { AccountStore } from '../../accounts/account-store.ts';
import { newSecret } from '../../webhooks/sign-message.ts';
import { MAX_WEBHOOKS, type NewWebhook, WEBHOOK_EVENTS, type Webhook } from '../../webhooks/webhook.ts';
import {
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
      await tx.query('select 1 from listing_video.organizations where id = $1 for no key update', [
        organizationId,
      ]);
      const [existing] = await tx.query<{ count: number }>(
        `select count(*) as count from listing_video.webhooks where organization_id = $1 and deleted_at is null`,
        [organizationId],
      );
      if ((existing?.count ?? 0) >= MAX_WEBHOOKS) throw tooManyWebhooks(organizationId);
      const [row] = await tx.query<WebhookRow>(
        `insert into listing_video.webhooks (id, organization_id, url, events, secrets, created_at)
         values ($1, $2, $3, $4, $5, $6) returning ${WEBHOOK_COLUMNS}`,
        [
          `wh_${randomBytes(8).toString('hex')}`,
          organizationId,
          url,
          WEBHOOK_EVENTS.filter((event) => events.includes(event)),
          JSON.stringify([{ secret, expiresAt: null }]),
          stamp(this.#deps.clock),
        ],
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
    const rows = await this.#deps.database.query<WebhookRow>(
      `select ${WEBHOOK_COLUMNS} from listing_video.webhooks
       where deleted_at is null ${organizationId === undefined ? '' : 'and organization_id = $1'}
       order by created_at, id`,
      organizationId === undefined ? [] : [organizationId],
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
      await tx.query('update listing_video.webhooks set secrets = $2 where id = $1', [
        id,
        JSON.stringify(secrets),
      ]);
      const webhook = toWebhook(row);
      await this.#deps.audit(tx, auditOf('webhook.secret_rotated', webhook));
      return { ...webhook, secret };
    });
  }

  async disable(id: string): Promise<void> {
    await this.#deps.database.transaction(async (tx) => {
      const webhook = toWebhook(await find(tx, id, 'for no key update'));
      if (webhook.disabledAt !== null) return;
      await tx.query('update listing_video.webhooks set disabled_at = $2 where id = $1', [
        id,
        stamp(this.#deps.clock),
      ]);
      // The next server that takes them sees that the webhook is disabled, and fails them.
      await tx.query(
        `update listing_video.webhook_deliveries set due_at = clock_timestamp()
         where webhook_id = $1 and state = 'waiting' and claim is null and due_at > clock_timestamp()`,
        [id],
      );
      await this.#deps.audit(tx, { ...auditOf('webhook.disabled', webhook), reason: 'HTTP 410' });
    });
  }

  remove(id: string): Promise<Webhook> {
    return this.#deps.database.transaction(async (tx) => {
      const webhook = toWebhook(await find(tx, id, 'for no key update'));
      await tx.query(`update listing_video.webhooks set deleted_at = $2, secrets = '[]' where id = $1`, [
        id,
        stamp(this.#deps.clock),
      ]);
      await this.#deps.audit(tx, auditOf('webhook.deleted', webhook));
      return webhook;
    });
  }
}

/** @throws `webhook_not_found`. */
async function find(queries: Queries, id: string, lock = ''): Promise<WebhookRow> {
  const [row] = isWebhookId(id)
    ? await queries.query<WebhookRow>(
        `select ${WEBHOOK_COLUMNS} from listing_video.webhooks where id = $1 and deleted_at is null ${lock}`,
        [id],
      )
    : [];
  if (row === undefined) throw webhookNotFound(id);
  return row;
}

function auditOf<Event extends string>(event: Event, { id, organizationId }: Webhook) {
  return { event, webhook_id: id, organization_id: organizationId };
}
