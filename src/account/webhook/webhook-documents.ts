/**
 * The documents of webhooks, `organizations/<id>/webhooks/<webhook>.json`, with the secrets that sign their messages.
 *
 * A deleted webhook leaves a document without secrets until a server has removed its deliveries. Otherwise the loss of the
 * folder `accounts` would look like the deletion of all webhooks.
 */
import { randomBytes } from 'node:crypto';
import { documentCorrupt } from '../../disk/json-document.ts';
import { ListingVideoError, nullOn } from '../../errors.ts';
import { type AccountDeps, stamp } from '../account-options.ts';
import type { StoragePath } from '../account-storage.ts';
import type { AccountList } from '../account-store.ts';
import type { AuditedChange, AuditLog } from '../audit-log.ts';
import { type Organizations, organizationPath } from '../organizations.ts';
import { readEach } from '../read-each.ts';
import { newSecret } from './sign-message.ts';
import {
  MAX_WEBHOOKS,
  type NewWebhook,
  OLD_SECRET_MS,
  WEBHOOK_EVENTS,
  type Webhook,
  type WebhookEvent,
} from './webhook.ts';
import type { NewWebhookOptions } from './webhook-store.ts';
import { requireWebhookUrl } from './webhook-url.ts';

interface StoredSecret {
  readonly secret: string;
  /** Null: for ever. */
  readonly expiresAt: string | null;
}

interface WebhookDocument extends Webhook {
  /** The newest first. */
  readonly secrets: readonly StoredSecret[];
  readonly deletedAt: string | null;
}

/** Identifies a webhook in the storage. */
export type WebhookKey = Pick<Webhook, 'id' | 'organizationId'>;

export class WebhookDocuments {
  readonly #deps: Pick<AccountDeps, 'storage' | 'clock'>;
  readonly #organizations: Organizations;
  readonly #audit: AuditLog;

  constructor(deps: Pick<AccountDeps, 'storage' | 'clock'>, organizations: Organizations, audit: AuditLog) {
    this.#deps = deps;
    this.#organizations = organizations;
    this.#audit = audit;
  }

  /** See `WebhookStore.createWebhook`. */
  async create({ organizationId, url, events = WEBHOOK_EVENTS }: NewWebhookOptions): Promise<NewWebhook> {
    await this.#organizations.get(organizationId);
    requireWebhookUrl(url);
    const { data, warnings } = await this.#ofOrganization(organizationId);
    if (data.length + warnings.length >= MAX_WEBHOOKS) {
      throw new ListingVideoError(
        'usage',
        `the organization ${organizationId} has ${MAX_WEBHOOKS} webhooks, and more are not allowed`,
        { hint: 'delete one that is not needed with `listing-video webhooks delete`' },
      );
    }
    const secret = newSecret();
    const document: WebhookDocument = {
      id: `wh_${randomBytes(8).toString('hex')}`,
      organizationId,
      url,
      events: WEBHOOK_EVENTS.filter((event) => events.includes(event)),
      createdAt: stamp(this.#deps.clock),
      disabledAt: null,
      secrets: [{ secret, expiresAt: null }],
      deletedAt: null,
    };
    const change = { ...auditOf('webhook.created', document), url_host: new URL(url).host } as const;
    await this.#audit.record(change, () => this.#deps.storage.replace(pathOf(document), document));
    return { ...toWebhook(document), secret };
  }

  /** Oldest first. */
  async list(organizationId: string | undefined): Promise<AccountList<Webhook>> {
    if (organizationId !== undefined) await this.#organizations.get(organizationId);
    const owners = organizationId === undefined ? await this.#organizations.ids() : [organizationId];
    const lists = await Promise.all(owners.map((owner) => this.#ofOrganization(owner)));
    const data = lists.flatMap((list) => list.data.map(toWebhook));
    return { data: data.sort(byAge), warnings: lists.flatMap((list) => list.warnings) };
  }

  /**
   * The webhooks that want an event.
   *
   * @throws `store_unwritable` for one that cannot be read now: its event would be lost. One that is damaged is left out.
   */
  async wanting(organizationId: string, event: WebhookEvent): Promise<readonly Webhook[]> {
    const found = await Promise.all(
      (await this.#idsOf(organizationId)).map((id) =>
        this.#read({ id, organizationId }).catch(nullIfDamaged),
      ),
    );
    return found.filter(
      (webhook) => webhook !== null && isInUse(webhook) && webhook.events.includes(event),
    ) as readonly WebhookDocument[];
  }

  async get(id: string): Promise<Webhook> {
    return toWebhook(await this.#find(id));
  }

  /** The webhook; null if it is deleted or lost. @throws `store_corrupt`. */
  async peek(key: WebhookKey): Promise<(Webhook & { readonly isDeleted: boolean }) | null> {
    const document = await this.#read(key);
    return document && { ...toWebhook(document), isDeleted: document.deletedAt !== null };
  }

  async rotate(id: string): Promise<NewWebhook> {
    const document = await this.#find(id);
    const [current] = document.secrets;
    const secret = newSecret();
    const expiresAt = new Date(this.#deps.clock.nowMs() + OLD_SECRET_MS).toISOString();
    const secrets = [{ secret, expiresAt: null }, ...(current ? [{ ...current, expiresAt }] : [])];
    await this.#change(document, { secrets }, auditOf('webhook.secret_rotated', document));
    return { ...toWebhook(document), secret };
  }

  async signingSecrets(id: string): Promise<readonly string[]> {
    const nowMs = this.#deps.clock.nowMs();
    const { secrets } = await this.#find(id);
    const isValid = ({ expiresAt }: StoredSecret) => expiresAt === null || Date.parse(expiresAt) > nowMs;
    return secrets.filter(isValid).map(({ secret }) => secret);
  }

  async disable(id: string): Promise<void> {
    const document = await this.#find(id);
    if (document.disabledAt !== null) return;
    const change = { ...auditOf('webhook.disabled', document), reason: 'HTTP 410' } as const;
    await this.#change(document, { disabledAt: stamp(this.#deps.clock) }, change);
  }

  async remove(id: string): Promise<Webhook> {
    const document = await this.#find(id);
    const deleted = { deletedAt: stamp(this.#deps.clock), secrets: [] };
    await this.#change(document, deleted, auditOf('webhook.deleted', document));
    return toWebhook(document);
  }

  /** Removes the document of a deleted webhook. */
  async forget(key: WebhookKey): Promise<void> {
    await this.#deps.storage.remove(pathOf(key));
  }

  /** Deleted webhooks whose documents are left. */
  async deleted(): Promise<readonly (WebhookKey & { readonly deletedAt: string })[]> {
    const found: (WebhookKey & { readonly deletedAt: string })[] = [];
    for (const organizationId of await this.#organizations.ids()) {
      for (const id of await this.#idsOf(organizationId)) {
        const key = { id, organizationId };
        const document = await this.#read(key).catch(nullOn('store_corrupt'));
        const deletedAt = document?.deletedAt ?? null;
        if (deletedAt !== null) found.push({ ...key, deletedAt });
      }
    }
    return found;
  }

  async #change(
    document: WebhookDocument,
    change: Partial<WebhookDocument>,
    audited: AuditedChange,
  ): Promise<void> {
    const next = { ...document, ...change };
    await this.#audit.record(audited, () => this.#deps.storage.replace(pathOf(document), next));
  }

  async #ofOrganization(organizationId: string): Promise<AccountList<WebhookDocument>> {
    return readEach(await this.#idsOf(organizationId), async (id) => {
      const document = await this.#read({ id, organizationId });
      return document?.deletedAt === null ? document : null;
    });
  }

  async #idsOf(organizationId: string): Promise<string[]> {
    const names = await this.#deps.storage.names([...organizationPath(organizationId), 'webhooks']);
    return names.map((name) => name.replace(/\.json$/, '')).filter(isWebhookId);
  }

  /** @throws `webhook_not_found`. */
  async #find(id: string): Promise<WebhookDocument> {
    if (isWebhookId(id)) {
      for (const organizationId of await this.#organizations.ids()) {
        const document = await this.#read({ id, organizationId });
        if (document?.deletedAt === null) return document;
      }
    }
    throw webhookNotFound(id);
  }

  async #read(key: WebhookKey): Promise<WebhookDocument | null> {
    const { storage } = this.#deps;
    const document = await storage.read(pathOf(key));
    if (document === null || isWebhookDocument(document, key)) return document;
    throw documentCorrupt(storage.describe(pathOf(key)), 'it is no webhook of that id');
  }
}

/** True for text in the format of our ids. Nothing else becomes part of a path. */
export function isWebhookId(text: string): boolean {
  return /^wh_[0-9a-f]{16}$/.test(text);
}

/** The error for an id that names no webhook. */
function webhookNotFound(id: string): ListingVideoError {
  // The argument can be a secret: it must not get into a message or a log.
  const shown = id.slice(0, id.startsWith('whsec_') ? 6 : 80);
  return new ListingVideoError('webhook_not_found', `no such webhook: ${shown}`, {
    hint: '`listing-video webhooks list` shows the ids',
    context: { id: shown },
  });
}

function isInUse({ deletedAt, disabledAt }: WebhookDocument): boolean {
  return deletedAt === null && disabledAt === null;
}

function pathOf({ id, organizationId }: WebhookKey): StoragePath {
  return [...organizationPath(organizationId), 'webhooks', `${id}.json`];
}

function isWebhookDocument(value: object, { id, organizationId }: WebhookKey): value is WebhookDocument {
  const webhook = value as Partial<WebhookDocument>;
  const isTime = (time: unknown) => time === null || typeof time === 'string';
  return (
    webhook.id === id &&
    webhook.organizationId === organizationId &&
    typeof webhook.url === 'string' &&
    URL.canParse(webhook.url) &&
    Array.isArray(webhook.events) &&
    typeof webhook.createdAt === 'string' &&
    isTime(webhook.disabledAt) &&
    isTime(webhook.deletedAt) &&
    Array.isArray(webhook.secrets) &&
    webhook.secrets.every((each) => typeof each?.secret === 'string' && isTime(each.expiresAt))
  );
}

function toWebhook(document: WebhookDocument): Webhook {
  const { id, organizationId, url, events, createdAt, disabledAt } = document;
  return { id, organizationId, url, events, createdAt, disabledAt };
}

function auditOf<Event extends string>(event: Event, { id, organizationId }: WebhookKey) {
  return { event, webhook_id: id, organization_id: organizationId };
}

function byAge(a: Webhook, b: Webhook): number {
  return a.createdAt + a.id < b.createdAt + b.id ? -1 : 1;
}

/** Null for a document that is damaged. A file that cannot be opened or read has a cause. */
function nullIfDamaged(error: unknown): null {
  if (error instanceof ListingVideoError && error.code === 'store_corrupt') {
    if (error.cause === undefined) return null;
    const { message, hint, context } = error;
    throw new ListingVideoError('store_unwritable', message, { cause: error, hint, context });
  }
  throw error;
}
