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

const SELECT = sql`select id, name, balance, is_metered, created_at from listing_video.organizations`;

export function postgresOrganizations({
  database,
  audit,
  now,
}: PostgresAccountDeps): Pick<AccountStore, 'createOrganization' | 'getOrganization' | 'listOrganizations'> {
  let hasDefault = false;
  const ensureDefault = async (): Promise<void> => {
    if (hasDefault) return;
    const organization = { id: DEFAULT_ORGANIZATION_ID, name: 'default', createdAt: now() };
    await database.query(sql`${insertInto('organizations', organization)} on conflict (id) do nothing`);
    hasDefault = true;
  };
  const getOrganization = async (id: string): Promise<Organization> => {
    if (!isOrganizationId(id)) throw organizationNotFound(id);
    if (id === DEFAULT_ORGANIZATION_ID) await ensureDefault();
    const [organization] = await database.query<Organization>(sql`${SELECT} where id = ${id}`);
    if (organization === undefined) throw organizationNotFound(id);
    return organization;
  };
  return {
    getOrganization,
    async createOrganization({ name } = {}) {
      checkOrganizationName(name);
      const id = `org_${randomBytes(8).toString('hex')}`;
      const shown = name?.trim() || id;
      await database.transaction(async (tx) => {
        await tx.query(insertInto('organizations', { id, name: shown, createdAt: now() }));
        await audit(tx, { event: 'organization.created', organization_id: id, name: shown });
      });
      return getOrganization(id);
    },
    async listOrganizations() {
      await ensureDefault();
      const data = await database.query<Organization>(
        sql`${SELECT} order by id <> ${DEFAULT_ORGANIZATION_ID}, created_at, id`,
      );
      return { data, warnings: [] };
    },
  };
}
