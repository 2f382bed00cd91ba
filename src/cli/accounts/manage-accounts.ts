/** The work of `organization create|list|show|grant` and `keys create|list|revoke`. */
import type { AccountStore, ApiKey, Organization } from '../../account/account-store.ts';
import type { BackendServer } from '../../wiring/backend.ts';
import { requireLocal, usageError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { warnOfUnreadable } from '../tasks/log-task.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { printResult } from '../terminal/print-json.ts';
import { printTable } from '../terminal/table.ts';

/** Options of `organization create`. */
interface NewOrganizationOptions {
  readonly name?: string;
}

/** Options of `organization show` and `organization grant`. */
interface OrganizationOptions {
  readonly organization?: string;
}

/** Options of `keys create` and `keys list`. */
interface KeyOptions {
  readonly organization?: string;
  readonly readOnly?: boolean;
}

/** `organization create`. */
export async function createOrganization(run: CommandRun<NewOrganizationOptions>): Promise<number> {
  const accounts = await openAccounts(run, 'organization create');
  const { name } = run.options;
  const organization = await accounts.createOrganization(name === undefined ? {} : { name });
  return printResult(run, toOrganizationDocument(organization), () => {
    run.terminal.print(organization.id);
    run.info(`create a key: listing-video keys create --organization ${organization.id}`);
    run.info(`add credits: listing-video organization grant <credits> --organization ${organization.id}`);
  });
}

/** `organization list`. */
export async function listOrganizations(run: CommandRun): Promise<number> {
  const accounts = await openAccounts(run, 'organization list');
  await settleCrashedTasks(accounts);
  const { data: organizations, warnings } = await accounts.listOrganizations();
  warnOfUnreadable(run, warnings);
  const document = { data: organizations.map(toOrganizationDocument), has_more: false };
  return printResult(run, document, () =>
    printTable(run.terminal, organizations, [
      { title: 'ID', text: ({ id }) => id },
      { title: 'BALANCE', text: describeBalance, align: 'right' },
      { title: 'CREATED', text: ({ createdAt }) => formatDay(createdAt) },
      { title: 'NAME', text: ({ name }) => escapeText(name), shrinks: true },
    ]),
  );
}

/** `organization show`. */
export async function showOrganization(run: CommandRun<OrganizationOptions>): Promise<number> {
  const backend = await run.backend();
  if (backend.server !== null) return showOwnOrganization(run, backend.server);
  const accounts = await backend.accounts();
  await settleCrashedTasks(accounts);
  const organization = await chosenOrganization(run, accounts);
  return printResult(run, toOrganizationDocument(organization), () => {
    run.terminal.print(`id        ${organization.id}`);
    run.terminal.print(`name      ${escapeText(organization.name)}`);
    run.terminal.print(`balance   ${describeBalance(organization)}`);
    run.terminal.print(`created   ${organization.createdAt}`);
    if (!organization.isMetered) run.info('its tasks are free until its first grant of credits');
  });
}

/** The organization of the key: the API shows no other one, and no name. */
async function showOwnOrganization(
  run: CommandRun<OrganizationOptions>,
  server: BackendServer,
): Promise<number> {
  if (run.options.organization !== undefined) {
    throw usageError(
      `--organization: ${server.url} shows a key only its own organization`,
      'leave out --organization, and use a key of that organization',
    );
  }
  const { id, balance } = await server.organization();
  return printResult(run, { id, balance }, () => {
    run.terminal.print(`id        ${escapeText(id)}`);
    run.terminal.print(`balance   ${balance}`);
  });
}

/** `organization grant`. */
export async function grantCredits(run: CommandRun<OrganizationOptions>): Promise<number> {
  const accounts = await openAccounts(run, 'organization grant');
  const before = await chosenOrganization(run, accounts);
  const organization = await accounts.grant(before.id, Number(run.args[0]));
  return printResult(run, toOrganizationDocument(organization), () => {
    run.terminal.print(`the balance of ${organization.id} is ${organization.balance}`);
    if (!before.isMetered)
      run.info('the organization is metered now: a task that it cannot pay for is refused');
  });
}

/** `keys create`. */
export async function createKey(run: CommandRun<KeyOptions>): Promise<number> {
  await requireLocal(run, 'keys create');
  const { organization, readOnly } = run.options;
  // Not a required option of commander: it would complain about it before a mistyped option.
  if (organization === undefined) {
    throw usageError('--organization is missing', '--organization org_default, which always exists');
  }
  const accounts = await openAccounts(run, 'keys create');
  const isFirst = !(await accounts.hasEverHadKeys());
  const made = await accounts.createKey({ organizationId: organization, readOnly: readOnly ?? false });
  const document = {
    id: made.id,
    key: made.key,
    organization_id: made.organizationId,
    read_only: made.readOnly,
    created_at: toOffsetTime(made.createdAt),
  };
  return printResult(run, document, () => {
    run.terminal.print(made.key);
    run.info('store the key safely: it cannot be shown again');
    if (isFirst) run.info('from now on, every request to a server with this data folder needs a key');
  });
}

/** `keys list`. */
export async function listKeys(run: CommandRun<KeyOptions>): Promise<number> {
  const accounts = await openAccounts(run, 'keys list');
  const { organization } = run.options;
  if (organization !== undefined) await accounts.getOrganization(organization);
  const { data: keys, warnings } = await accounts.listKeys(organization);
  warnOfUnreadable(run, warnings);
  return printResult(run, { data: keys.map(toKeyDocument), has_more: false }, () => {
    if (keys.length === 0) return run.info('no keys');
    printTable(run.terminal, keys, [
      { title: 'ID', text: ({ id }) => id },
      { title: 'ORGANIZATION', text: ({ organizationId }) => organizationId },
      { title: 'MAY', text: ({ readOnly }) => (readOnly ? 'read' : 'read, create') },
      { title: 'CREATED', text: ({ createdAt }) => formatDay(createdAt) },
      { title: 'REVOKED', text: ({ revokedAt }) => (revokedAt === null ? '-' : formatDay(revokedAt)) },
    ]);
  });
}

/** `keys revoke`. */
export async function revokeKey(run: CommandRun): Promise<number> {
  const accounts = await openAccounts(run, 'keys revoke');
  const key = await accounts.revokeKey(run.args[0]!);
  return printResult(run, toKeyDocument(key), () => run.terminal.print(`${key.id} is revoked`));
}

/** The accounts of this machine. @throws ListingVideoError `usage` for a `command` that is meant for a server. */
async function openAccounts(run: CommandRun, command: string): Promise<AccountStore> {
  await requireLocal(run, command);
  const { accounts } = await run.backend();
  return accounts();
}

/** Makes the balance right after the process that should have settled a task died, while no server runs. */
async function settleCrashedTasks(accounts: AccountStore): Promise<void> {
  // A read-only store can still be shown.
  await accounts.reconcile().catch(() => undefined);
}

function chosenOrganization(
  run: CommandRun<OrganizationOptions>,
  accounts: AccountStore,
): Promise<Organization> {
  const { organization } = run.options;
  return organization === undefined ? accounts.defaultOrganization() : accounts.getOrganization(organization);
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
