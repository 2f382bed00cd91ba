/** The work of `organization create|list|show|grant` and `keys create|list|revoke`. */
import type { AccountStore, ApiKey, Organization } from '../../account/account-store.ts';
import type { BackendServer } from '../../wiring/backend.ts';
import { usageError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { requireLocal } from '../require-local.ts';
import { warnOfUnreadable } from '../tasks/warn-of-unreadable.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { printJson } from '../terminal/print-json.ts';
import { type Column, formatTable } from '../terminal/table.ts';

/** `organization create`. */
export async function createOrganization(run: CommandRun): Promise<number> {
  await requireLocal(run, 'organization create');
  const accounts = await openAccounts(run);
  const { name } = run.options as { name?: string };
  const organization = await accounts.createOrganization(name === undefined ? {} : { name });
  if (printOrganizationJson(run, organization)) return 0;
  run.terminal.print(organization.id);
  run.info(`a key for it: listing-video keys create --organization ${organization.id}`);
  run.info(`credits for it: listing-video organization grant <credits> --organization ${organization.id}`);
  return 0;
}

/** `organization list`. */
export async function listOrganizations(run: CommandRun): Promise<number> {
  await requireLocal(run, 'organization list');
  const accounts = await openAccounts(run);
  await settleWhatCrashed(accounts);
  const { data: organizations, warnings } = await accounts.listOrganizations();
  warnOfUnreadable(run, warnings);
  if (run.output.json) {
    printJson(run.terminal, { data: organizations.map(toOrganizationDocument), has_more: false });
    return 0;
  }
  printTable(run, organizations, [
    { title: 'ID', text: ({ id }) => id },
    { title: 'BALANCE', text: describeBalance, align: 'right' },
    { title: 'CREATED', text: ({ createdAt }) => formatDay(createdAt) },
    { title: 'NAME', text: ({ name }) => escapeText(name), shrinks: true },
  ]);
  return 0;
}

/** `organization show`. */
export async function showOrganization(run: CommandRun): Promise<number> {
  const { server } = await run.backend();
  if (server !== null) return showOwnOrganization(run, server);
  const accounts = await openAccounts(run);
  await settleWhatCrashed(accounts);
  const organization = await chosenOrganization(run, accounts);
  if (printOrganizationJson(run, organization)) return 0;
  const rows = [
    ['id', organization.id],
    ['name', escapeText(organization.name)],
    ['balance', describeBalance(organization)],
    ['created', organization.createdAt],
  ] as const;
  for (const [name, value] of rows) run.terminal.print(`${name.padEnd(9)} ${value}`);
  if (!organization.isMetered) run.info('its tasks are free until it is granted credits for the first time');
  return 0;
}

/** That of the key: the API tells of no other, and not what it is called. */
async function showOwnOrganization(run: CommandRun, server: BackendServer): Promise<number> {
  if (run.options.organization !== undefined) {
    throw usageError(
      `--organization: ${server.url} tells each key of its own organization only`,
      'leave it out, and use a key of that organization',
    );
  }
  const { id, balance } = await server.organization();
  if (run.output.json) {
    printJson(run.terminal, { id, balance });
    return 0;
  }
  run.terminal.print(`id        ${escapeText(id)}`);
  run.terminal.print(`balance   ${balance}`);
  return 0;
}

/** `organization grant`. */
export async function grantCredits(run: CommandRun): Promise<number> {
  await requireLocal(run, 'organization grant');
  const accounts = await openAccounts(run);
  const before = await chosenOrganization(run, accounts);
  const organization = await accounts.grant(before.id, Number(run.args[0]));
  if (printOrganizationJson(run, organization)) return 0;
  run.terminal.print(`the balance of ${organization.id} is ${organization.balance}`);
  if (!before.isMetered) run.info('it is metered from now on: a task that it cannot pay for is refused');
  return 0;
}

/** `keys create`. */
export async function createKey(run: CommandRun): Promise<number> {
  await requireLocal(run, 'keys create');
  const { organization, readOnly } = run.options as { organization?: string; readOnly?: boolean };
  // Not commander's to ask for: it would do so before it tells of a mistyped option.
  if (organization === undefined) {
    throw usageError('whose key shall it be?', 'say --organization org_default, which every home has');
  }
  const accounts = await openAccounts(run);
  const isFirst = !(await accounts.hasEverHadKeys());
  const made = await accounts.createKey({ organizationId: organization, readOnly: readOnly ?? false });
  if (run.output.json) {
    printJson(run.terminal, {
      id: made.id,
      key: made.key,
      organization_id: made.organizationId,
      read_only: made.readOnly,
      created_at: toOffsetTime(made.createdAt),
    });
    return 0;
  }
  run.terminal.print(made.key);
  run.info('keep it safe: it is shown this once, and cannot be shown again');
  if (isFirst) run.info('from now on a server of this home answers nobody without a key');
  return 0;
}

/** `keys list`. */
export async function listKeys(run: CommandRun): Promise<number> {
  await requireLocal(run, 'keys list');
  const accounts = await openAccounts(run);
  const { organization } = run.options as { organization?: string };
  if (organization !== undefined) await accounts.getOrganization(organization);
  const { data: keys, warnings } = await accounts.listKeys(organization);
  warnOfUnreadable(run, warnings);
  if (run.output.json) {
    printJson(run.terminal, { data: keys.map(toKeyDocument), has_more: false });
    return 0;
  }
  if (keys.length === 0) {
    run.info('no keys');
    return 0;
  }
  printTable(run, keys, [
    { title: 'ID', text: ({ id }) => id },
    { title: 'ORGANIZATION', text: ({ organizationId }) => organizationId },
    { title: 'MAY', text: ({ readOnly }) => (readOnly ? 'read' : 'read, create') },
    { title: 'CREATED', text: ({ createdAt }) => formatDay(createdAt) },
    { title: 'REVOKED', text: ({ revokedAt }) => (revokedAt === null ? '-' : formatDay(revokedAt)) },
  ]);
  return 0;
}

/** `keys revoke`. */
export async function revokeKey(run: CommandRun): Promise<number> {
  await requireLocal(run, 'keys revoke');
  const accounts = await openAccounts(run);
  const key = await accounts.revokeKey(run.args[0]!);
  if (run.output.json) printJson(run.terminal, toKeyDocument(key));
  else run.terminal.print(`${key.id} is revoked`);
  return 0;
}

async function openAccounts(run: CommandRun): Promise<AccountStore> {
  const { accounts } = await run.backend();
  return accounts();
}

/** So that the balance is right although the process that should have settled a task died, and no server runs. */
async function settleWhatCrashed(accounts: AccountStore): Promise<void> {
  // A store that may only be read still shows what it holds.
  await accounts.reconcile().catch(() => undefined);
}

async function chosenOrganization(run: CommandRun, accounts: AccountStore): Promise<Organization> {
  const { organization } = run.options as { organization?: string };
  return organization === undefined ? accounts.defaultOrganization() : accounts.getOrganization(organization);
}

function printOrganizationJson(run: CommandRun, organization: Organization): boolean {
  if (run.output.json) printJson(run.terminal, toOrganizationDocument(organization));
  return run.output.json;
}

function toOrganizationDocument({ id, balance, name, isMetered, createdAt }: Organization): object {
  return { id, balance, name, metered: isMetered, created_at: toOffsetTime(createdAt) };
}

function toKeyDocument({ id, organizationId, readOnly, createdAt, revokedAt }: ApiKey): object {
  return {
    id,
    organization_id: organizationId,
    read_only: readOnly,
    created_at: toOffsetTime(createdAt),
    revoked_at: revokedAt === null ? null : toOffsetTime(revokedAt),
  };
}

/** As the API writes times: with a numeric offset. */
function toOffsetTime(iso: string): string {
  return iso.replace(/Z$/, '+00:00');
}

function formatDay(iso: string): string {
  return iso.slice(0, 10);
}

function describeBalance({ balance, isMetered }: Organization): string {
  return isMetered ? String(balance) : 'unmetered';
}

function printTable<R>(run: CommandRun, rows: readonly R[], columns: readonly Column<R>[]): void {
  const width = run.terminal.stdoutIsTty ? run.terminal.columns : Number.POSITIVE_INFINITY;
  for (const line of formatTable(rows, columns, width)) run.terminal.print(line);
}
