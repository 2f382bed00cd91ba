/** What `organization` and `keys` share: the accounts of this machine, and how times are written. */
import type { AccountStore } from '../../account/account-store.ts';
import { requireLocal } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';

/** The accounts of this machine. @throws ListingVideoError `usage` for a `command` that is meant for a server. */
export async function openAccounts(run: CommandRun, command: string): Promise<AccountStore> {
  await requireLocal(run, command);
  const { accounts } = await run.backend();
  return accounts();
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
