/** What `organization`, `keys` and `webhooks` share: the accounts of this machine, and how times are written. */
import type { AccountStore } from '../../task/accounts/account-store.ts';
import type { WebhookTools } from '../../wiring/backend.ts';
import { requireLocal, usageError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';

/** The accounts of this machine. @throws ListingVideoError `usage` for a `command` that is meant for a server. */
export async function openAccounts(run: CommandRun, command: string): Promise<AccountStore> {
  await requireLocal(run, command);
  const { accounts } = await run.backend();
  return accounts();
}

/** The webhooks of this machine. @throws ListingVideoError `usage` for a `command` that is meant for a server. */
export async function openWebhooks(run: CommandRun, command: string): Promise<WebhookTools> {
  await requireLocal(run, command);
  const backend = await run.backend();
  return backend.webhooks();
}

/** The id of the only organization. @throws ListingVideoError `usage` if there are several. */
export async function findOnlyOrganization(accounts: AccountStore): Promise<string> {
  const { data, warnings } = await accounts.listOrganizations();
  // An organization whose document is damaged exists, too.
  const count = data.length + warnings.length;
  if (count <= 1) return accounts.defaultOrganizationId;
  throw usageError(
    `--organization is missing: there are ${count} organizations`,
    '`listing-video organization list` shows their ids',
  );
}

/** As the API writes times: with a numeric offset. */
export function toOffsetTime(iso: string): string;
export function toOffsetTime(iso: string | null): string | null;
export function toOffsetTime(iso: string | null): string | null {
  return iso === null ? null : iso.replace(/Z$/, '+00:00');
}

/** The day of an ISO 8601 time; `-` for none. */
export function formatDay(iso: string | null): string {
  return iso === null ? '-' : iso.slice(0, 10);
}
