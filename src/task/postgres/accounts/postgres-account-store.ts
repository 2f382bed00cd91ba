/** The accounts in PostgreSQL: real tables, and a transaction for every change. */
import { DEFAULT_ORGANIZATION_ID } from '../../accounts/account-rules.ts';
import type { AccountStore } from '../../accounts/account-store.ts';
import { postgresApiKeys } from './postgres-api-keys.ts';
import { postgresCredits } from './postgres-credits.ts';
import { type PostgresAccountOptions, toPostgresDeps } from './postgres-deps.ts';
import { postgresIdempotency } from './postgres-idempotency.ts';
import { postgresOrganizations } from './postgres-organizations.ts';

export function createPostgresAccountStore(options: PostgresAccountOptions): AccountStore {
  const deps = toPostgresDeps(options);
  const organizations = postgresOrganizations(deps);
  const { getOrganization } = organizations;
  const { idle, ...keys } = postgresApiKeys(deps, getOrganization);
  return {
    defaultOrganizationId: DEFAULT_ORGANIZATION_ID,
    ...organizations,
    defaultOrganization: () => getOrganization(DEFAULT_ORGANIZATION_ID),
    ...keys,
    ...postgresCredits(deps, getOrganization),
    ...postgresIdempotency(deps),
    close: idle,
  };
}
