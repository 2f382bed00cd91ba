/** The documents of organizations. Each is changed under its lock, and changes that come together share one write. */
import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { toStoreError } from '../../../platform/disk/disk-error.ts';
import { documentCorrupt } from '../../../platform/disk/json-document.ts';
import { changeLocked, type LastVersion } from '../../../platform/disk/locked-document.ts';
import { removeAbandoned } from '../../../platform/disk/owned-folder.ts';
import { ListingVideoError } from '../../../platform/errors.ts';
import { isRecent, stamp } from '../../accounts/account-deps.ts';
import {
  checkOrganizationName,
  DEFAULT_ORGANIZATION_ID,
  isOrganizationId,
  organizationNotFound,
} from '../../accounts/account-rules.ts';
import type { AccountList } from '../../accounts/account-store.ts';
import type { StoreWarning } from '../../task-store.ts';
import { earlierLayout } from '../earlier-layout.ts';
import type { AuditLog } from './audit-log.ts';
import type { FileDeps } from './file-deps.ts';
import { isOrganization, newOrganization, type OrganizationDocument } from './organization-document.ts';

const MAX_CACHED = 1_000;
/** With 5,000 open reservations, a document and its text take some 3 MB. */
const MAX_LAST = 50;

interface Change {
  readonly edit: (document: OrganizationDocument) => unknown;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

export class Organizations {
  readonly #deps: FileDeps;
  readonly #audit: AuditLog;
  readonly #cached = new Map<string, { readonly document: OrganizationDocument; readonly atMs: number }>();
  /** By organization: changes that wait for the lock. */
  readonly #changes = new Map<string, Change[]>();
  readonly #serving = new Map<string, Promise<void>>();
  readonly #last = new Map<string, LastVersion>();
  /** Documents that were valid. Changes keep them so. */
  readonly #checked = new WeakSet<object>();
  readonly #swept = new Set<string>();

  constructor(deps: FileDeps, audit: AuditLog) {
    this.#deps = deps;
    this.#audit = audit;
  }

  /** @throws `usage` for a name longer than 200 characters. */
  async create(name: string | undefined): Promise<OrganizationDocument> {
    const { files, clock } = this.#deps;
    checkOrganizationName(name);
    const id = `org_${randomBytes(8).toString('hex')}`;
    const document = newOrganization(id, name?.trim() || id, stamp(clock));
    const change = { event: 'organization.created', organization_id: id, name: document.name } as const;
    await this.#audit.record(change, () => files.create(this.pathOf(id), document));
    return document;
  }

  /** The document as it is now. @throws `organization_not_found`, `store_corrupt`. */
  async get(id: string): Promise<OrganizationDocument> {
    const document = await this.find(id);
    if (document !== null) return document;
    if (id !== DEFAULT_ORGANIZATION_ID) throw organizationNotFound(id);
    const made = this.#newDefault();
    // A read-only store has a default organization, too. Each call then returns a new creation time.
    const isCreated = await this.#deps.files.create(this.pathOf(id), made).catch(() => true);
    return isCreated ? made : ((await this.find(id)) ?? made);
  }

  /** As {@link find}, at most half a second old. For keys, which every request needs. */
  async findCached(id: string): Promise<OrganizationDocument | null> {
    const nowMs = this.#deps.clock.nowMs();
    const cached = this.#cached.get(id);
    if (cached !== undefined && isRecent(cached.atMs, nowMs)) return cached.document;
    const document = await this.find(id);
    if (this.#cached.size >= MAX_CACHED) this.#cached.clear();
    if (document !== null) this.#cached.set(id, { document, atMs: nowMs });
    return document;
  }

  /** The stored document; null if there is none, also for the default organization. @throws `store_corrupt`. */
  async find(id: string): Promise<OrganizationDocument | null> {
    if (!isOrganizationId(id)) return null;
    const document = await this.#deps.files.read(this.pathOf(id));
    return document === null ? null : this.#check(id, document);
  }

  /** All ids, the default one first, including those of damaged documents. */
  async ids(): Promise<string[]> {
    const { files } = this.#deps;
    const names = await files.names(files.at('accounts', 'organizations'));
    const others = names.filter((id) => isOrganizationId(id) && id !== DEFAULT_ORGANIZATION_ID);
    return [DEFAULT_ORGANIZATION_ID, ...others];
  }

  /** What `read` returns for each stored organization that is not damaged, and a warning for each other one. */
  async each<T>(
    read: (document: OrganizationDocument) => Promise<T> | T,
    ids?: readonly string[],
  ): Promise<AccountList<T>> {
    const all = ids ?? (await this.ids());
    return readEach(all, async (id) => {
      const document = await this.find(id);
      return document === null ? null : read(document);
    });
  }

  /**
   * Changes the document in place, durably, while no other process does.
   *
   * @param edit - Called again if another process ended the hold of the lock. If it throws, it must not have changed
   *   anything. Edits that wait for something run at once: what one reads before it waits can have changed after that.
   * @throws What `edit` throws, `organization_not_found`, `store_corrupt`.
   */
  change<T>(id: string, edit: (document: OrganizationDocument) => Promise<T> | T): Promise<T> {
    if (!isOrganizationId(id)) return Promise.reject(organizationNotFound(id));
    return new Promise<T>((resolve, reject) => {
      const waiting = this.#changes.get(id) ?? [];
      this.#changes.set(id, waiting);
      waiting.push({ edit, resolve, reject });
      if (!this.#serving.has(id)) this.#serving.set(id, this.#serveAll(id, waiting));
    });
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#serving.size > 0) await Promise.all(this.#serving.values());
  }

  pathOf(id: string): string {
    return this.#deps.files.at('accounts', 'organizations', id, 'organization.json');
  }

  async #serveAll(id: string, waiting: Change[]): Promise<void> {
    // Wait one microtask, so that calls of the same turn of the event loop share the first write.
    await Promise.resolve();
    if (!this.#swept.has(id)) {
      this.#swept.add(id);
      await removeAbandoned(dirname(this.pathOf(id)));
    }
    while (waiting.length > 0) {
      const batch = waiting.splice(0);
      try {
        for (const settle of await this.#serve(id, batch)) settle();
      } catch (error) {
        const reason = toStoreError(error, this.pathOf(id));
        for (const { reject } of batch) reject(reason);
      }
      this.#cached.delete(id);
    }
    // No `await` after the last check of `waiting`: a later call must find nothing here and start a new loop.
    this.#serving.delete(id);
    this.#changes.delete(id);
  }

  /** Makes the changes in one write. @returns Functions that tell each caller its result. */
  async #serve(id: string, batch: readonly Change[]): Promise<readonly (() => void)[]> {
    const { files, self, liveness } = this.#deps;
    let ends: (() => void)[] = [];
    const edit = async (found: object | null): Promise<object> => {
      const document = this.#forChange(id, found);
      const results = await Promise.allSettled(batch.map(async ({ edit }) => edit(document)));
      ends = results.map((result, index) => {
        const { resolve, reject } = batch[index]!;
        return () => (result.status === 'fulfilled' ? resolve(result.value as never) : reject(result.reason));
      });
      return document;
    };
    const last = this.#last.get(id) ?? { text: null, document: null };
    if (this.#last.size >= MAX_LAST) this.#last.clear();
    this.#last.set(id, last);
    await changeLocked(this.pathOf(id), edit, { durable: files.durable, self, liveness, last });
    return ends;
  }

  #forChange(id: string, found: object | null): OrganizationDocument {
    if (found !== null) return this.#check(id, found);
    if (id === DEFAULT_ORGANIZATION_ID) return this.#newDefault();
    throw organizationNotFound(id);
  }

  #newDefault(): OrganizationDocument {
    return newOrganization(DEFAULT_ORGANIZATION_ID, 'default', stamp(this.#deps.clock));
  }

  #check(id: string, document: object): OrganizationDocument {
    if (this.#checked.has(document) || isOrganization(document, id)) {
      this.#checked.add(document);
      return document as OrganizationDocument;
    }
    const { name, createdAt, version } = document as Partial<OrganizationDocument>;
    if (name !== undefined && createdAt !== undefined && version === undefined)
      throw earlierLayout(this.#deps.files.at());
    throw documentCorrupt(this.pathOf(id), 'it is no organization of that id');
  }
}

/**
 * Reads many documents. A damaged one becomes a warning and does not affect the others.
 *
 * @param read - Returns null to skip an id.
 * @throws The errors of `read`, except `store_corrupt`.
 */
export async function readEach<T>(
  ids: readonly string[],
  read: (id: string) => Promise<T | null>,
): Promise<AccountList<T>> {
  const data: T[] = [];
  const warnings: StoreWarning[] = [];
  const results = await Promise.allSettled(ids.map(read));
  for (const [index, result] of results.entries()) {
    if (result.status === 'rejected') warnings.push(toWarning(ids[index]!, result.reason));
    else if (result.value !== null) data.push(result.value);
  }
  return { data, warnings };
}

function toWarning(id: string, error: unknown): StoreWarning {
  if (!(error instanceof ListingVideoError) || error.code !== 'store_corrupt') throw error;
  return { id, path: String(error.context?.path ?? ''), message: error.message };
}
