/** The work of `organization create|list|show|grant`. */
import type { AccountStore, Organization } from '../../task/accounts/account-store.ts';
import type { BackendServer } from '../../wiring/backend.ts';
import { usageError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { warnOfUnreadable } from '../tasks/log-task.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { printResult } from '../terminal/print-json.ts';
import { printTable } from '../terminal/table.ts';
import { formatDay, openAccounts, toOffsetTime } from './open-accounts.ts';

/** Options of `organization create`. */
interface NewOrganizationOptions {
  readonly name?: string;
}

/** Options of `organization show` and `organization grant`. */
interface OrganizationOptions {
  readonly organization?: string;
}

/** `organization create`. */
export async function createOrganization(run: CommandRun<NewOrganizationOptions>): Promise<number> {
  const accounts = await openAccounts(run, 'organization create');
  const { name } = run.options;
  if (name?.trim() === '') throw usageError('--name is empty', '--name "Harbor Homes", or leave out --name');
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

/** Makes the balance right after the process that should have settled a task died, while no server runs. */
async function settleCrashedTasks(accounts: AccountStore): Promise<void> {
  // A read-only store can still be shown.
  await accounts.reconcile?.().catch(() => undefined);
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

function describeBalance({ balance, isMetered }: Organization): string {
  return isMetered ? String(balance) : 'unmetered';
}
