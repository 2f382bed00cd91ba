/** The documents of organizations, `organizations/<id>/organization.json`. Credits are in the ledger beside it. */
import { randomBytes } from 'node:crypto';
import { documentCorrupt } from '../platform/disk/json-document.ts';
import { type AccountDeps, isRecent, stamp } from './account-options.ts';
import {
  checkOrganizationName,
  DEFAULT_ORGANIZATION_ID,
  isOrganizationId,
  organizationNotFound,
} from '../task/accounts/account-rules.ts';
import type { StoragePath } from './account-storage.ts';
import type { AuditLog } from './audit-log.ts';

const MAX_CACHED = 1_000;

/** The stored document of an organization. */
export interface OrganizationDocument {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
}

/** Folder of an organization's files. @throws `organization_not_found` if the id has the wrong format. */
export function organizationPath(id: string): StoragePath {
  if (!isOrganizationId(id)) throw organizationNotFound(id);
  return ['organizations', id];
}

export class Organizations {
  readonly #deps: Pick<AccountDeps, 'storage' | 'clock'>;
  readonly #audit: AuditLog;
  readonly #cached = new Map<string, { readonly document: OrganizationDocument; readonly atMs: number }>();

  constructor(deps: Pick<AccountDeps, 'storage' | 'clock'>, audit: AuditLog) {
    this.#deps = deps;
    this.#audit = audit;
  }

  /** @throws `usage` for a name longer than 200 characters. */
  async create(name: string | undefined): Promise<OrganizationDocument> {
    const { storage, clock } = this.#deps;
    checkOrganizationName(name);
    for (;;) {
      const id = `org_${randomBytes(8).toString('hex')}`;
      const document = { id, name: name?.trim() || id, createdAt: stamp(clock) };
      const change = { event: 'organization.created', organization_id: id, name: document.name } as const;
      if (await this.#audit.record(change, () => storage.create(pathOf(id), document))) return document;
    }
  }

  /** @throws `organization_not_found`, `store_corrupt`. */
  async get(id: string): Promise<OrganizationDocument> {
    const nowMs = this.#deps.clock.nowMs();
    const cached = this.#cached.get(id);
    if (cached !== undefined && isRecent(cached.atMs, nowMs)) return cached.document;
    const document = isOrganizationId(id) ? await this.find(id) : null;
    if (document === null) throw organizationNotFound(id);
    if (this.#cached.size >= MAX_CACHED) this.#cached.clear();
    this.#cached.set(id, { document, atMs: nowMs });
    return document;
  }

  /** The document, or null if it does not exist; also that of the default organization is not made. @throws `store_corrupt`. */
  stored(id: string): Promise<OrganizationDocument | null> {
    return this.#read(id);
  }

  /** The document, or null if it does not exist. @throws `store_corrupt`. */
  async find(id: string): Promise<OrganizationDocument | null> {
    const document = await this.#read(id);
    return document === null && id === DEFAULT_ORGANIZATION_ID ? this.#makeDefault() : document;
  }

  /** All ids, the default one first, including those of damaged documents. */
  async ids(): Promise<string[]> {
    const names = await this.#deps.storage.names(['organizations']);
    const others = names.filter((id) => isOrganizationId(id) && id !== DEFAULT_ORGANIZATION_ID);
    return [DEFAULT_ORGANIZATION_ID, ...others];
  }

  async #read(id: string): Promise<OrganizationDocument | null> {
    const { storage } = this.#deps;
    const document = (await storage.read(pathOf(id))) as Partial<OrganizationDocument> | null;
    if (document === null) return null;
    const { name, createdAt } = document;
    if (document.id === id && typeof name === 'string' && typeof createdAt === 'string') {
      return { id, name, createdAt };
    }
    throw documentCorrupt(storage.describe(pathOf(id)), 'it is no organization of that id');
  }

  async #makeDefault(): Promise<OrganizationDocument> {
    const { storage, clock } = this.#deps;
    const document = { id: DEFAULT_ORGANIZATION_ID, name: 'default', createdAt: stamp(clock) };
    // A read-only store has a default organization, too. Each call then returns a new creation time.
    const isCreated = await storage.create(pathOf(document.id), document).catch(() => true);
    return isCreated ? document : ((await this.#read(document.id)) ?? document);
  }
}

function pathOf(id: string): StoragePath {
  return ['organizations', id, 'organization.json'];
}
