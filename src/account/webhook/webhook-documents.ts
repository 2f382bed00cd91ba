/**
 * The documents of webhooks, `organizations/<id>/webhooks/<webhook>.json`, with the secrets that sign their messages.
 *
 * A deleted webhook leaves a document without secrets until a server has removed its deliveries. Otherwise the loss of the
 * folder `accounts` would look like the deletion of all webhooks.
 *
 * That a webhook is disabled or deleted is in files of their own, `<webhook>.disabled.json` and `<webhook>.deleted.json`, which
 * are only ever created: a process that replaces the document at the same time cannot undo them.
 */
import { randomBytes } from 'node:crypto';
import { documentCorrupt } from '../../platform/disk/json-document.ts';
import { ListingVideoError, nullOn } from '../../platform/errors.ts';
import { type AccountDeps, stamp } from '../account-options.ts';
import type { StoragePath } from '../account-storage.ts';
import type { AccountList } from '../../task/accounts/account-store.ts';
import type { AuditLog } from '../audit-log.ts';
import { type Organizations, organizationPath } from '../organizations.ts';
import { readEach } from '../read-each.ts';
import { newSecret } from '../../task/webhooks/sign-message.ts';
import {
  MAX_WEBHOOKS,
  type NewWebhook,
  OLD_SECRET_MS,
  WEBHOOK_EVENTS,
  type Webhook,
  type WebhookEvent,
} from '../../task/webhooks/webhook.ts';
import type { NewWebhookOptions } from '../../task/webhooks/webhook-store.ts';
import { requireWebhookUrl } from '../../task/webhooks/webhook-url.ts';

/** A secret that signs messages. */
export interface StoredSecret {
  readonly secret: string;
  /** Null: for ever. */
  readonly expiresAt: string | null;
}

/** What the file has. */
interface StoredWebhook extends Omit<Webhook, 'disabledAt'> {
  /** The newest first. */
  readonly secrets: readonly StoredSecret[];
}

/** A webhook with its secrets. */
export interface WebhookDocument extends StoredWebhook, Pick<Webhook, 'disabledAt'> {
  readonly deletedAt: string | null;
}

/** How the use of a webhook ended. */
type Ending = 'disabled' | 'deleted';

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
    if (data.length + warnings.length >= MAX_WEBHOOKS) throw tooManyWebhooks(organizationId);
    const secret = newSecret();
    const document: StoredWebhook = {
      id: `wh_${randomBytes(8).toString('hex')}`,
      organizationId,
      url,
      events: WEBHOOK_EVENTS.filter((event) => events.includes(event)),
      createdAt: stamp(this.#deps.clock),
      secrets: [{ secret, expiresAt: null }],
    };
    const change = { ...auditOf('webhook.created', document), url_host: new URL(url).host } as const;
    await this.#audit.record(change, () => this.#deps.storage.replace(pathOf(document), document));
    return { ...toWebhook({ ...document, disabledAt: null }), secret };
  }

  /** Oldest first. */
  async list(organizationId: string | undefined): Promise<AccountList<Webhook>> {
    if (organizationId !== undefined) await this.#organizations.get(organizationId);
    const owners = organizationId === undefined ? await this.#organizations.ids() : [organizationId];
    const { data, warnings } = await this.#ofAll(owners);
    return { data: data.map(toWebhook), warnings };
  }

  /**
   * The webhooks that want an event.
   *
   * @param onDamaged - Called for one that is damaged and therefore left out.
   * @throws `store_unwritable` for one that cannot be read now: its event would be lost.
   */
  async wanting(
    organizationId: string,
    event: WebhookEvent,
    onDamaged: (error: unknown) => void,
  ): Promise<readonly Webhook[]> {
    const found = await Promise.all(
      (await this.#idsOf(organizationId)).map((id) =>
        this.#read({ id, organizationId }).catch((error: unknown) => {
          throwIfUnreadable(error);
          onDamaged(error);
          return null;
        }),
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
    const secret = newSecret();
    const secrets = rotatedSecrets(document.secrets, secret, this.#deps.clock.nowMs());
    await this.#audit.record(auditOf('webhook.secret_rotated', document), () =>
      this.#write(document, secrets),
    );
    // Another process can have deleted it meanwhile.
    if ((await this.#read(document))?.deletedAt !== null) await this.#write(document, []);
    return { ...toWebhook(document), secret };
  }

  async signingSecrets(id: string): Promise<readonly string[]> {
    return validSecrets((await this.#find(id)).secrets, this.#deps.clock.nowMs());
  }

  async disable(id: string): Promise<void> {
    const document = await this.#find(id);
    if (document.disabledAt !== null) return;
    const change = { ...auditOf('webhook.disabled', document), reason: 'HTTP 410' } as const;
    await this.#audit.record(change, () => this.#end(document, 'disabled'));
  }

  async remove(id: string): Promise<Webhook> {
    const document = await this.#find(id);
    await this.#audit.record(auditOf('webhook.deleted', document), async () => {
      await this.#end(document, 'deleted');
      await this.#write(document, []);
    });
    return toWebhook(document);
  }

  /** All webhooks with their secrets, oldest first. */
  async export(): Promise<AccountList<WebhookDocument>> {
    return this.#ofAll(await this.#organizations.ids());
  }

  /** Removes the document of a deleted webhook. */
  async forget(key: WebhookKey): Promise<void> {
    const { storage } = this.#deps;
    // The mark goes last: without it the document would be in use again.
    await storage.remove(pathOf(key));
    for (const ending of ['disabled', 'deleted'] as const) await storage.remove(endingPathOf(key, ending));
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

  async #write(
    { id, organizationId, url, events, createdAt }: StoredWebhook,
    secrets: readonly StoredSecret[],
  ): Promise<void> {
    const next: StoredWebhook = { id, organizationId, url, events, createdAt, secrets };
    await this.#deps.storage.replace(pathOf(next), next);
  }

  /** Does nothing if it has ended so before. */
  async #end(key: WebhookKey, ending: Ending): Promise<void> {
    await this.#deps.storage.create(endingPathOf(key, ending), { at: stamp(this.#deps.clock) });
  }

  /** When its use ended so; null if it has not. */
  async #endedAt(key: WebhookKey, ending: Ending): Promise<string | null> {
    const { storage } = this.#deps;
    const path = endingPathOf(key, ending);
    const document = await storage.read(path);
    if (document === null) return null;
    const { at } = document as { at?: unknown };
    if (typeof at === 'string') return at;
    throw documentCorrupt(storage.describe(path), 'it has no time');
  }

  async #ofAll(owners: readonly string[]): Promise<AccountList<WebhookDocument>> {
    const lists = await Promise.all(owners.map((owner) => this.#ofOrganization(owner)));
    const data = lists.flatMap((list) => list.data).sort(byAge);
    return { data, warnings: lists.flatMap((list) => list.warnings) };
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
    if (document === null) return null;
    if (isStoredWebhook(document, key)) {
      const [disabledAt, deletedAt] = await Promise.all([
        this.#endedAt(key, 'disabled'),
        this.#endedAt(key, 'deleted'),
      ]);
      return { ...document, disabledAt, deletedAt };
    }
    throw documentCorrupt(storage.describe(pathOf(key)), 'it is no webhook of that id');
  }
}

/** True for text in the format of our ids. Nothing else becomes part of a path. */
export function isWebhookId(text: string): boolean {
  return /^wh_[0-9a-f]{16}$/.test(text);
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

/** The error for one webhook too many. */
export function tooManyWebhooks(organizationId: string): ListingVideoError {
  return new ListingVideoError(
    'usage',
    `the organization ${organizationId} has ${MAX_WEBHOOKS} webhooks, and more are not allowed`,
    { hint: 'delete one that is not needed with `listing-video webhooks delete`' },
  );
}

/** The error for an id that names no webhook. */
export function webhookNotFound(id: string): ListingVideoError {
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

function endingPathOf({ id, organizationId }: WebhookKey, ending: Ending): StoragePath {
  return [...organizationPath(organizationId), 'webhooks', `${id}.${ending}.json`];
}

function isStoredWebhook(value: object, { id, organizationId }: WebhookKey): value is StoredWebhook {
  const webhook = value as Partial<StoredWebhook>;
  const isTime = (time: unknown) => time === null || typeof time === 'string';
  return (
    webhook.id === id &&
    webhook.organizationId === organizationId &&
    typeof webhook.url === 'string' &&
    URL.canParse(webhook.url) &&
    Array.isArray(webhook.events) &&
    typeof webhook.createdAt === 'string' &&
    Array.isArray(webhook.secrets) &&
    webhook.secrets.every((each) => typeof each?.secret === 'string' && isTime(each.expiresAt))
  );
}

function toWebhook(document: Webhook): Webhook {
  const { id, organizationId, url, events, createdAt, disabledAt } = document;
  return { id, organizationId, url, events, createdAt, disabledAt };
}

function auditOf<Event extends string>(event: Event, { id, organizationId }: WebhookKey) {
  return { event, webhook_id: id, organization_id: organizationId };
}

function byAge(a: Webhook, b: Webhook): number {
  return a.createdAt + a.id < b.createdAt + b.id ? -1 : 1;
}

/** Throws any error but that of a damaged document. A file that cannot be opened or read has a cause. */
function throwIfUnreadable(error: unknown): void {
  if (!(error instanceof ListingVideoError) || error.code !== 'store_corrupt') throw error;
  if (error.cause === undefined) return;
  const hint =
    'make the file readable for this user, or remove it and make the webhook again with `listing-video webhooks create`';
  // Logs have the message only.
  const message = `${error.message}; no task of its organization can end: ${hint}`;
  throw new ListingVideoError('store_unwritable', message, { cause: error, hint, context: error.context });
}
