/** The webhooks of a data folder. They are in the document of their organization. */
import { ListingVideoError } from '../../../platform/errors.ts';
import { stamp } from '../../accounts/account-deps.ts';
import type { AccountList } from '../../accounts/account-store.ts';
import { newSecret } from '../../webhooks/sign-message.ts';
import { MAX_WEBHOOKS, type NewWebhook, type Webhook, type WebhookEvent } from '../../webhooks/webhook.ts';
import {
  auditOf,
  byAge,
  isWebhookId,
  makeWebhook,
  rotatedSecrets,
  tooManyWebhooks,
  validSecrets,
  webhookNotFound,
} from '../../webhooks/webhook-rules.ts';
import type { NewWebhookOptions } from '../../webhooks/webhook-store.ts';
import { AuditLog } from '../accounts/audit-log.ts';
import type { FileDeps } from '../accounts/file-deps.ts';
import {
  type OrganizationDocument,
  type StoredWebhook,
  validEntries,
} from '../accounts/organization-document.ts';
import { Organizations } from '../accounts/organizations.ts';

export class OrganizationWebhooks {
  readonly #deps: FileDeps;
  readonly #organizations: Organizations;
  readonly #audit: AuditLog;
  /** By id of the webhook. */
  readonly #owners = new Map<string, string>();

  constructor(deps: FileDeps) {
    this.#deps = deps;
    this.#audit = new AuditLog(deps);
    this.#organizations = new Organizations(deps, this.#audit);
  }

  /** See `WebhookStore.createWebhook`. */
  async create(options: NewWebhookOptions): Promise<NewWebhook> {
    const { organizationId } = options;
    const requireRoom = ({ webhooks }: OrganizationDocument) => {
      const existing = webhooks.filter((each) => each?.deletedAt == null);
      if (existing.length >= MAX_WEBHOOKS) throw tooManyWebhooks(organizationId);
    };
    const found = await this.#organizations.get(organizationId);
    const { webhook, secret, secrets, change } = makeWebhook(options, this.#deps.clock);
    requireRoom(found);
    await this.#audit.record(change, () =>
      this.#organizations.change(organizationId, (document) => {
        requireRoom(document);
        document.webhooks.push({ ...webhook, deletedAt: null, secrets });
      }),
    );
    return { ...webhook, secret };
  }

  /** Oldest first. */
  async list(organizationId: string | undefined): Promise<AccountList<Webhook>> {
    if (organizationId !== undefined) await this.#organizations.get(organizationId);
    const { data, warnings } = await this.export(organizationId);
    return { data: data.map(toWebhook), warnings };
  }

  /** With their secrets, oldest first; also the deleted ones, if asked. */
  async export(organizationId?: string, withDeleted = false): Promise<AccountList<StoredWebhook>> {
    const ids = organizationId === undefined ? undefined : [organizationId];
    const found = await this.#organizations.each((document) => this.#validOf(document), ids);
    const data = found.data.flatMap((each) => each.data);
    return {
      data: data.filter(({ deletedAt }) => withDeleted || deletedAt === null).sort(byAge),
      warnings: [...found.warnings, ...found.data.flatMap((each) => each.warnings)],
    };
  }

  /**
   * The webhooks that want an event.
   *
   * @param onDamaged - Called for one that is damaged and therefore left out.
   * @throws `store_unwritable` if they cannot be read now: the event would be lost.
   */
  async wanting(
    organizationId: string,
    event: WebhookEvent,
    onDamaged: (error: unknown) => void,
  ): Promise<readonly Webhook[]> {
    const document = await this.#organizations.find(organizationId).catch((error: unknown) => {
      throwIfUnreadable(error);
      onDamaged(error);
      return null;
    });
    if (document === null) return [];
    const { data, warnings } = this.#validOf(document);
    for (const { message } of warnings) onDamaged(new Error(message));
    return data.filter(
      ({ deletedAt, disabledAt, events }) =>
        deletedAt === null && disabledAt === null && events.includes(event),
    );
  }

  async get(id: string): Promise<Webhook> {
    return toWebhook(await this.#find(id));
  }

  /** The webhook; null if it is lost. @throws `store_corrupt`. */
  async peek(key: Pick<Webhook, 'id' | 'organizationId'>): Promise<StoredWebhook | null> {
    const document = await this.#organizations.find(key.organizationId);
    return document === null ? null : this.#webhookIn(document, key.id);
  }

  async rotate(id: string): Promise<NewWebhook> {
    const webhook = await this.#find(id);
    const secret = newSecret();
    const nowMs = this.#deps.clock.nowMs();
    await this.#audit.record(auditOf('webhook.secret_rotated', webhook), () =>
      this.#change(webhook, ({ secrets }) => ({ secrets: rotatedSecrets(secrets, secret, nowMs) })),
    );
    return { ...toWebhook(webhook), secret };
  }

  async signingSecrets(id: string): Promise<readonly string[]> {
    return validSecrets((await this.#find(id)).secrets, this.#deps.clock.nowMs());
  }

  async disable(id: string): Promise<void> {
    const webhook = await this.#find(id);
    if (webhook.disabledAt !== null) return;
    const change = { ...auditOf('webhook.disabled', webhook), reason: 'HTTP 410' } as const;
    const disabledAt = stamp(this.#deps.clock);
    await this.#audit.record(change, () => this.#change(webhook, () => ({ disabledAt })));
  }

  async remove(id: string): Promise<Webhook> {
    const webhook = await this.#find(id);
    const deletedAt = stamp(this.#deps.clock);
    await this.#audit.record(auditOf('webhook.deleted', webhook), () =>
      this.#change(webhook, () => ({ deletedAt, secrets: [] })),
    );
    return toWebhook(webhook);
  }

  /** Removes what is left of a deleted webhook. */
  async forget({ id, organizationId }: StoredWebhook): Promise<void> {
    await this.#organizations.change(organizationId, ({ webhooks }) => {
      const place = webhooks.findIndex((each) => each?.id === id);
      if (place >= 0) webhooks.splice(place, 1);
    });
  }

  /** Changes a webhook, unless it was deleted meanwhile. */
  async #change(
    { id, organizationId }: StoredWebhook,
    edit: (webhook: StoredWebhook) => Partial<StoredWebhook>,
  ): Promise<void> {
    await this.#organizations.change(organizationId, (document) => {
      const webhook = this.#webhookIn(document, id);
      if (webhook?.deletedAt !== null) return;
      document.webhooks[document.webhooks.indexOf(webhook)] = { ...webhook, ...edit(webhook) };
    });
  }

  /** @throws `webhook_not_found`. */
  async #find(id: string): Promise<StoredWebhook> {
    if (!isWebhookId(id)) throw webhookNotFound(id);
    let damage: unknown = null;
    // Each message looks for its webhook: the organization where it was last found comes first.
    for (const organizationId of new Set([
      this.#owners.get(id) ?? '',
      ...(await this.#organizations.ids()),
    ])) {
      const webhook = await this.peek({ id, organizationId }).catch((error: unknown) => {
        // It hides no webhook of another organization.
        damage ??= error;
        return null;
      });
      if (webhook?.deletedAt !== null) continue;
      this.#owners.set(id, organizationId);
      return webhook;
    }
    throw damage ?? webhookNotFound(id);
  }

  #webhookIn(document: OrganizationDocument, id: string): StoredWebhook | null {
    return this.#validOf(document).data.find((webhook) => webhook.id === id) ?? null;
  }

  #validOf(document: OrganizationDocument) {
    return validEntries(document, 'webhooks', this.#organizations.pathOf(document.id));
  }
}

function toWebhook({ secrets: _, deletedAt: __, ...webhook }: StoredWebhook): Webhook {
  return webhook;
}

/** Throws any error but that of a damaged document. A file that cannot be opened or read has a cause. */
function throwIfUnreadable(error: unknown): void {
  if (!(error instanceof ListingVideoError) || error.code !== 'store_corrupt') throw error;
  if (error.cause === undefined) return;
  const hint = 'make the file readable for this user, or put it back from a backup';
  // Logs have the message only.
  const message = `${error.message}; no task of its organization can end: ${hint}`;
  throw new ListingVideoError('store_unwritable', message, { cause: error, hint, context: error.context });
}
