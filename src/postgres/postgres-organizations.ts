/** Organizations in a database. The default one is made at its first use. */
import { randomBytes } from 'node:crypto';
import { type AccountDeps, stamp } from '../account/account-options.ts';
import {
  checkOrganizationName,
  DEFAULT_ORGANIZATION_ID,
  isOrganizationId,
  organizationNotFound,
} from '../task/accounts/account-rules.ts';
import type { Organization } from '../task/accounts/account-store.ts';
import type { Database } from '../task/postgres/database.ts';
import type { PostgresAudit } from './postgres-audit.ts';

interface OrganizationRow {
  readonly id: string;
  readonly name: string;
  readonly balance: number;
  readonly is_metered: boolean;
  readonly created_at: Date;
}

const COLUMNS = 'id, name, balance, is_metered, created_at';

type OrganizationDeps = Pick<AccountDeps, 'clock'> & { readonly database: Database };

export class PostgresOrganizations {
  readonly #deps: OrganizationDeps;
  readonly #audit: PostgresAudit;
  #hasDefault = false;

  constructor(deps: OrganizationDeps, audit: PostgresAudit) {
    this.#deps = deps;
    this.#audit = audit;
  }

  /** @throws `usage` for a name longer than 200 characters. */
  async create(name: string | undefined): Promise<Organization> {
    checkOrganizationName(name);
    const id = `org_${randomBytes(8).toString('hex')}`;
    await this.#deps.database.transaction(async (tx) => {
      const shown = name?.trim() || id;
      await tx.query('insert into listing_video.organizations (id, name, created_at) values ($1, $2, $3)', [
        id,
        shown,
        stamp(this.#deps.clock),
      ]);
      await this.#audit.record(tx, { event: 'organization.created', organization_id: id, name: shown });
    });
    return this.get(id);
  }

  /** @throws `organization_not_found`. */
  async get(id: string): Promise<Organization> {
    if (!isOrganizationId(id)) throw organizationNotFound(id);
    if (id === DEFAULT_ORGANIZATION_ID) await this.#ensureDefault();
    const [row] = await this.#deps.database.query<OrganizationRow>(
      `select ${COLUMNS} from listing_video.organizations where id = $1`,
      [id],
    );
    if (row === undefined) throw organizationNotFound(id);
    return toOrganization(row);
  }

  /** The default one first, then the oldest. */
  async list(): Promise<Organization[]> {
    await this.#ensureDefault();
    const rows = await this.#deps.database.query<OrganizationRow>(
      `select ${COLUMNS} from listing_video.organizations order by id <> $1, created_at, id`,
      [DEFAULT_ORGANIZATION_ID],
    );
    return rows.map(toOrganization);
  }

  async #ensureDefault(): Promise<void> {
    if (this.#hasDefault) return;
    await this.#deps.database.query(
      `insert into listing_video.organizations (id, name, created_at) values ($1, 'default', $2)
       on conflict (id) do nothing`,
      [DEFAULT_ORGANIZATION_ID, stamp(this.#deps.clock)],
    );
    this.#hasDefault = true;
  }
}

function toOrganization(row: OrganizationRow): Organization {
  const { id, name, balance, is_metered: isMetered, created_at: createdAt } = row;
  return { id, name, balance, isMetered, createdAt: createdAt.toISOString() };
}
