/** What every webhook store makes and checks, and the errors with which it refuses. */
import { randomBytes } from 'node:crypto';
import { ListingVideoError } from '../../platform/errors.ts';
import { type AccountDeps, stamp } from '../accounts/account-deps.ts';
import { newSecret } from './sign-message.ts';
import { MAX_WEBHOOKS, OLD_SECRET_MS, WEBHOOK_EVENTS, type Webhook } from './webhook.ts';
import type { NewWebhookOptions } from './webhook-store.ts';
import { requireWebhookUrl } from './webhook-url.ts';

/** A secret that signs messages. */
export interface StoredSecret {
  readonly secret: string;
  /** Null: for ever. */
  readonly expiresAt: string | null;
}

/** True for text in the format of our ids. Nothing else becomes part of a path. */
export function isWebhookId(text: string): boolean {
  return /^wh_[0-9a-f]{16}$/.test(text);
}

/** A new webhook, its secret, and its line of the audit log. @throws `usage` for a wrong URL. */
export function makeWebhook(
  { organizationId, url, events = WEBHOOK_EVENTS }: NewWebhookOptions,
  clock: AccountDeps['clock'],
) {
  requireWebhookUrl(url);
  const webhook: Webhook = {
    id: `wh_${randomBytes(8).toString('hex')}`,
    organizationId,
    url,
    events: WEBHOOK_EVENTS.filter((event) => events.includes(event)),
    createdAt: stamp(clock),
    disabledAt: null,
  };
  const secret = newSecret();
  const stored: readonly StoredSecret[] = [{ secret, expiresAt: null }];
  const change = { ...auditOf('webhook.created', webhook), url_host: new URL(url).host } as const;
  return { webhook, secret, secrets: stored, change };
}

/** A new secret before the one that signs now, which expires. */
export function rotatedSecrets(
  [current]: readonly StoredSecret[],
  secret: string,
  nowMs: number,
): readonly StoredSecret[] {
  const expiresAt = new Date(nowMs + OLD_SECRET_MS).toISOString();
  return [{ secret, expiresAt: null }, ...(current ? [{ ...current, expiresAt }] : [])];
}

/** Those that sign a message now. */
export function validSecrets(secrets: readonly StoredSecret[], nowMs: number): string[] {
  const isValid = ({ expiresAt }: StoredSecret) => expiresAt === null || Date.parse(expiresAt) > nowMs;
  return secrets.filter(isValid).map(({ secret }) => secret);
}

export function tooManyWebhooks(organizationId: string): ListingVideoError {
  return new ListingVideoError(
    'usage',
    `the organization ${organizationId} has ${MAX_WEBHOOKS} webhooks, and more are not allowed`,
    { hint: 'delete one that is not needed with `listing-video webhooks delete`' },
  );
}

export function webhookNotFound(id: string): ListingVideoError {
  // The argument can be a secret: it must not get into a message or a log.
  const shown = id.slice(0, id.startsWith('whsec_') ? 6 : 80);
  return new ListingVideoError('webhook_not_found', `no such webhook: ${shown}`, {
    hint: '`listing-video webhooks list` shows the ids',
    context: { id: shown },
  });
}

export function webhookDisabled(id: string): ListingVideoError {
  return new ListingVideoError(
    'usage',
    `the webhook ${id} is disabled, because its receiver answered 410 Gone`,
    {
      hint: 'make a new one with `listing-video webhooks create`',
      context: { id },
    },
  );
}

/** The fields of an audit line about a webhook. */
export function auditOf<Event extends string>(
  event: Event,
  { id, organizationId }: Pick<Webhook, 'id' | 'organizationId'>,
) {
  return { event, webhook_id: id, organization_id: organizationId };
}

/** Oldest first. */
export function byAge(a: Pick<Webhook, 'id' | 'createdAt'>, b: Pick<Webhook, 'id' | 'createdAt'>): number {
  return a.createdAt + a.id < b.createdAt + b.id ? -1 : 1;
}
