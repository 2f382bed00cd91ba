/** Organizations in a database. The default one is made at its first use. */
import { randomBytes } from 'node:crypto';
import {
  checkOrganizationName,
  DEFAULT_ORGANIZATION_ID,
  isOrganizationId,
  organizationNotFound,
} from '../../accounts/account-rules.ts';
import type { AccountStore, Organization } from '../../accounts/account-store.ts';
import { insertInto, sql } from '../sql.ts';
import type { PostgresAccountDeps } from './postgres-deps.ts';

type OrganizationRow = Omit<Organization, 'createdAt'> & { readonly createdAt: Date };

const COLUMNS = sql`id, name, balance, is_metered as "isMetered", created_at as "createdAt"`;

export function postgresOrganizations({
  database,
  audit,
  now,
}: PostgresAccountDeps): Pick<AccountStore, 'createOrganization' | 'getOrganization' | 'listOrganizations'> {
  let hasDefault = false;
  const ensureDefault = async (): Promise<void> => {
    if (hasDefault) return;
    const columns = { id: DEFAULT_ORGANIZATION_ID, name: 'default', created_at: now() };
    await database.query(sql`${insertInto('organizations', columns)} on conflict (id) do nothing`);
    hasDefault = true;
  };
  const getOrganization = async (id: string): Promise<Organization> => {
    if (!isOrganizationId(id)) throw organizationNotFound(id);
    if (id === DEFAULT_ORGANIZATION_ID) await ensureDefault();
    const [row] = await database.query<OrganizationRow>(
      sql`select ${COLUMNS} from listing_video.organizations where id = ${id}`,
    );
    if (row === undefined) throw organizationNotFound(id);
    return toOrganization(row);
  };
  return {
    getOrganization,
    async createOrganization({ name } = {}) {
      checkOrganizationName(name);
      const id = `org_${randomBytes(8).toString('hex')}`;
      await database.transaction(async (tx) => {
        const shown = name?.trim() || id;
        await tx.query(insertInto('organizations', { id, name: shown, created_at: now() }));
        await audit(tx, { event: 'organization.created', organization_id: id, name: shown });
      });
      return getOrganization(id);
    },
    async listOrganizations() {
      await ensureDefault();
      const rows = await database.query<OrganizationRow>(
        sql`select ${COLUMNS} from listing_video.organizations
         order by id <> ${DEFAULT_ORGANIZATION_ID}, created_at, id`,
      );
      return { data: rows.map(toOrganization), warnings: [] };
    },
  };
}

function toOrganization(row: OrganizationRow): Organization {
  return { ...row, createdAt: row.createdAt.toISOString() };
}
