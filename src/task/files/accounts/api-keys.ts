/**
 * The API keys of a data folder. They are in the document of their organization, which `accounts/keys/<id>` names.
 *
 * `keys-required.json` in the data folder remembers that every request needs a key. It is beside `accounts`, so a
 * server whose accounts were lost still refuses requests without one. The program never removes it.
 */
import { nullOn } from '../../../platform/errors.ts';
import { stamp } from '../../accounts/account-deps.ts';
import { keyNotFound } from '../../accounts/account-rules.ts';
import type { AccountList, ApiKey, NewApiKey, NewKeyOptions } from '../../accounts/account-store.ts';
import { isKeyId, keyIdOf, makeApiKey, type StoredApiKey, withoutHash } from '../../accounts/api-key.ts';
import { KeyGate } from '../../accounts/key-gate.ts';
import { isWithinInterval } from '../../accounts/key-uses.ts';
import { byAge } from '../../webhooks/webhook-rules.ts';
import type { AuditLog } from './audit-log.ts';
import type { FileDeps } from './file-deps.ts';
import { type OrganizationDocument, validEntries } from './organization-document.ts';
import type { Organizations } from './organizations.ts';

/** For people who find `keys-required.json`. The program checks only that it exists. */
const REQUIRED = {
  schema_version: 1,
  about: 'This data folder has had API keys, so every request needs one.',
};

const MAX_CACHED = 10_000;

export class ApiKeys {
  readonly #deps: FileDeps;
  readonly #organizations: Organizations;
  readonly #audit: AuditLog;
  readonly gate: KeyGate;
  /** By id of the key: its organization, which never changes. */
  readonly #owners = new Map<string, string>();

  constructor(deps: FileDeps, organizations: Organizations, audit: AuditLog) {
    this.#deps = deps;
    this.#organizations = organizations;
    this.#audit = audit;
    this.gate = new KeyGate(deps.clock, {
      // A damaged key is answered like an unknown one.
      find: (id) => this.#findCached(id).catch(nullOn('store_corrupt')),
      areRequired: () => this.areRequired(),
      writeUse: (id) => this.#writeUse(id),
    });
  }

  /** Makes a key. Only the returned value contains its secret. @throws `usage`. */
  async create(options: NewKeyOptions): Promise<NewApiKey> {
    const { organizationId } = options;
    const { files, clock } = this.#deps;
    const { made, key, hash, change } = makeApiKey(options, clock);
    await this.#audit.record(change, async () => {
      // First: a key that exists must never be the only sign that keys are required.
      await files.create(this.#requiredPath, REQUIRED);
      await files.create(this.#pathOf(made.id), { organizationId });
      await this.#organizations.change(organizationId, ({ keys }) => void keys.push({ ...made, hash }));
    });
    this.gate.requireKeys();
    return { ...made, key };
  }

  /** Oldest first. */
  async list(organizationId: string | undefined): Promise<AccountList<ApiKey>> {
    const { data, warnings } = await this.export(organizationId);
    return { data: data.map(withoutHash), warnings };
  }

  /** The keys with their hashes, oldest first. */
  async export(organizationId?: string): Promise<AccountList<StoredApiKey>> {
    const found = await this.#organizations.each((document) => this.#validOf(document));
    const data = found.data.flatMap((each) => each.data);
    return {
      data: data.filter((key) => [undefined, key.organizationId].includes(organizationId)).sort(byAge),
      warnings: [...found.warnings, ...found.data.flatMap((each) => each.warnings)],
    };
  }

  /** @throws `key_not_found`, `store_corrupt`. */
  async revoke(idOrKey: string): Promise<ApiKey> {
    const id = keyIdOf(idOrKey) ?? idOrKey;
    const owner = await this.#ownerOf(id);
    const document = owner === null ? null : await this.#organizations.find(owner);
    const found = document === null ? null : this.#keyIn(document, id);
    if (found === null) throw keyNotFound(id);
    const revokedAt = found.revokedAt ?? stamp(this.#deps.clock);
    if (found.revokedAt === null) {
      const change = { event: 'key.revoked', key_id: id, organization_id: found.organizationId } as const;
      await this.#audit.record(change, () => this.#change(found, { revokedAt }));
    }
    return { ...withoutHash(found), revokedAt };
  }

  areRequired(): Promise<boolean> {
    return this.#deps.files.has(this.#requiredPath);
  }

  /** True if keys are required and there is none, also none that is damaged or revoked. */
  async areLost(): Promise<boolean> {
    const { files } = this.#deps;
    return (await files.names(files.at('accounts', 'keys'))).length === 0 && (await this.areRequired());
  }

  /** Another server of this data folder can have written a use that this process did not see. */
  async #writeUse(id: string): Promise<void> {
    const key = await this.#findCached(id);
    if (key !== null) await this.#change(key, { lastUsedAt: stamp(this.#deps.clock) });
  }

  async #change({ id, organizationId }: StoredApiKey, to: Partial<ApiKey>): Promise<void> {
    await this.#organizations.change(organizationId, (document) => {
      const { keys } = document;
      const key = this.#keyIn(document, id);
      if (key === null || key.revokedAt !== null) return;
      const usedMs = Date.parse(key.lastUsedAt ?? '');
      if (to.lastUsedAt && isWithinInterval(usedMs, Date.parse(to.lastUsedAt))) return;
      keys[keys.indexOf(key)] = { ...key, ...to };
    });
  }

  async #findCached(id: string): Promise<StoredApiKey | null> {
    const owner = await this.#ownerOf(id);
    const document = owner === null ? null : await this.#organizations.findCached(owner);
    return document === null ? null : this.#keyIn(document, id);
  }

  async #ownerOf(id: string): Promise<string | null> {
    const known = this.#owners.get(id);
    if (known !== undefined || !isKeyId(id)) return known ?? null;
    const found = (await this.#deps.files.read(this.#pathOf(id))) as { organizationId?: unknown } | null;
    if (typeof found?.organizationId !== 'string') return null;
    // Only existing keys are kept, so that guesses cost no memory.
    if (this.#owners.size >= MAX_CACHED) this.#owners.clear();
    this.#owners.set(id, found.organizationId);
    return found.organizationId;
  }

  #keyIn(document: OrganizationDocument, id: string): StoredApiKey | null {
    return this.#validOf(document).data.find((key) => key.id === id) ?? null;
  }

  #validOf(document: OrganizationDocument) {
    return validEntries(document, 'keys', this.#organizations.pathOf(document.id));
  }

  get #requiredPath(): string {
    return this.#deps.files.at('keys-required.json');
  }

  #pathOf(id: string): string {
    return this.#deps.files.at('accounts', 'keys', `${id}.json`);
  }
}
