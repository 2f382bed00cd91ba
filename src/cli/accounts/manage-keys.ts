/** The work of `keys create|list|revoke`. */

import { parseDurationMs } from '../../platform/settings/parse-duration.ts';
import type { ApiKey } from '../../task/accounts/account-store.ts';
import { usageError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { logWarning, warnOfUnreadable } from '../tasks/log-task.ts';
import { printResult } from '../terminal/print-json.ts';
import { printTable } from '../terminal/table.ts';
import { findOnlyOrganization, formatDay, openAccounts, toOffsetTime } from './open-accounts.ts';

/** Options of `keys list`. */
interface ListKeysOptions {
  readonly organization?: string;
}

/** Options of `keys create`. */
interface CreateKeyOptions extends ListKeysOptions {
  readonly readOnly?: boolean;
  readonly operator?: boolean;
  readonly expires?: string;
}

/** `keys create`. */
export async function createKey(run: CommandRun<CreateKeyOptions>): Promise<number> {
  const accounts = await openAccounts(run, 'keys create');
  const { readOnly = false, operator: isOperator = false, expires } = run.options;
  const expiresInMs = expires === undefined ? undefined : parseLife(expires);
  const organizationId = run.options.organization ?? (await findOnlyOrganization(accounts));
  const isFirst = !(await accounts.hasEverHadKeys());
  const made = await accounts.createKey({
    organizationId,
    readOnly,
    isOperator,
    ...(expiresInMs === undefined ? {} : { expiresInMs }),
  });
  const document = {
    id: made.id,
    key: made.key,
    organization_id: made.organizationId,
    read_only: made.readOnly,
    operator: made.isOperator,
    created_at: toOffsetTime(made.createdAt),
    expires_at: toOffsetTime(made.expiresAt),
  };
  return printResult(run, document, () => {
    run.terminal.print(made.key);
    run.info('store the key safely: it cannot be shown again');
    if (made.expiresAt !== null) run.info(`the key expires at ${made.expiresAt}`);
    if (isFirst) run.info('from now on, every request to a server with this data folder needs a key');
  });
}

/** `keys list`. */
export async function listKeys(run: CommandRun<ListKeysOptions>): Promise<number> {
  const accounts = await openAccounts(run, 'keys list');
  const { organization } = run.options;
  if (organization !== undefined) await accounts.getOrganization(organization);
  const { data: keys, warnings } = await accounts.listKeys(organization);
  warnOfUnreadable(run, warnings);
  if (await accounts.areKeysLost()) {
    logWarning(
      run,
      'this data folder has had keys, and they are lost: restore the folder accounts from a backup, or make a new key',
    );
  }
  const nowMs = run.host.nowMs();
  return printResult(run, { data: keys.map(toKeyDocument), has_more: false }, () => {
    if (keys.length === 0) return run.info('no keys');
    printTable(run.terminal, keys, [
      { title: 'ID', text: ({ id }) => id },
      { title: 'ORGANIZATION', text: ({ organizationId }) => organizationId },
      { title: 'MAY', text: describeRights },
      { title: 'CREATED', text: ({ createdAt }) => formatDay(createdAt) },
      { title: 'LAST USED', text: ({ lastUsedAt }) => formatDay(lastUsedAt) },
      { title: 'EXPIRES', text: ({ expiresAt }) => describeExpiry(expiresAt, nowMs) },
      { title: 'REVOKED', text: ({ revokedAt }) => formatDay(revokedAt) },
    ]);
  });
}

/** `keys revoke`. */
export async function revokeKey(run: CommandRun): Promise<number> {
  const accounts = await openAccounts(run, 'keys revoke');
  const key = await accounts.revokeKey(run.args[0]!);
  return printResult(run, toKeyDocument(key), () => run.terminal.print(`${key.id} is revoked`));
}

/** @throws ListingVideoError `usage`. */
function parseLife(text: string): number {
  const lifeMs = parseDurationMs(text);
  if (lifeMs !== null && lifeMs > 0) return lifeMs;
  throw usageError(
    `--expires: expected a time span above 0, such as 90d or 12h, found "${text}"`,
    '--expires 90d',
  );
}

function toKeyDocument(key: ApiKey): object {
  return {
    id: key.id,
    organization_id: key.organizationId,
    read_only: key.readOnly,
    operator: key.isOperator,
    created_at: toOffsetTime(key.createdAt),
    last_used_at: toOffsetTime(key.lastUsedAt),
    expires_at: toOffsetTime(key.expiresAt),
    revoked_at: toOffsetTime(key.revokedAt),
  };
}

function describeRights({ readOnly, isOperator }: ApiKey): string {
  return ['read', ...(readOnly ? [] : ['create']), ...(isOperator ? ['metrics'] : [])].join(', ');
}

function describeExpiry(expiresAt: string | null, nowMs: number): string {
  const hasExpired = expiresAt !== null && Date.parse(expiresAt) <= nowMs;
  return `${formatDay(expiresAt)}${hasExpired ? ' (expired)' : ''}`;
}
