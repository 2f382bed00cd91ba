/** `listing-video organization`: who owns tasks, and how many credits they have. The work is in `./manage-accounts.ts`. */
import { Command, InvalidArgumentError } from 'commander';
import { addExamples, addSettings, type CommandDefinition, startsWith } from '../define-command.ts';

/** Options of `organization create`. */
export interface NewOrganizationOptions {
  readonly name?: string;
}

/** Options of `organization show` and `organization grant`. */
export interface OrganizationOptions {
  readonly organization?: string;
}

/** Defines the command. */
export const organizationCommand: CommandDefinition = (start) => {
  const create = new Command('create')
    .summary('create an organization')
    .description(
      'Creates an organization. Its videos are free until you grant it credits for the first time.',
    )
    .option('--name <name>', 'set a name for people');
  addExamples(create, [
    ['listing-video organization create --name "Harbour Homes"', 'let a new customer use the service'],
  ]);
  const list = new Command('list')
    .summary('list all organizations')
    .description('Lists the organizations and their balances.');
  addExamples(list, [['listing-video organization list', 'see every organization and its balance']]);
  const show = new Command('show')
    .summary('show one organization')
    .description('Shows an organization and its balance.')
    .option('--organization <id>', 'show this organization (default: org_default)');
  addExamples(show, [
    ['listing-video organization show', 'see the balance of org_default'],
    ['listing-video organization show --organization org_0c1d2e3f40516273', 'see another balance'],
  ]);
  const grant = new Command('grant')
    .summary('add credits')
    .description(
      'Adds credits, also while a server runs. One credit is one video. After its first grant an organization is metered: a task that it cannot pay for is refused.',
    )
    .argument('<credits>', 'how many, a whole number', parseCredits)
    .option('--organization <id>', 'grant to this organization (default: org_default)');
  addExamples(grant, [
    ['listing-video organization grant 500', 'pay for five hundred more videos'],
    [
      'listing-video organization grant 20 --organization org_0c1d2e3f40516273',
      'grant to another organization',
    ],
  ]);
  const load = () => import('./manage-accounts.ts');
  const command = new Command('organization')
    .summary('manage organizations and their credits')
    .description('Manages the organizations that own the tasks of the API, and their credits.')
    .addCommand(
      startsWith<NewOrganizationOptions>(create, start, async (run) =>
        (await load()).createOrganization(run),
      ),
    )
    .addCommand(startsWith(list, start, async (run) => (await load()).listOrganizations(run)))
    .addCommand(
      startsWith<OrganizationOptions>(show, start, async (run) => (await load()).showOrganization(run)),
    )
    .addCommand(
      startsWith<OrganizationOptions>(grant, start, async (run) => (await load()).grantCredits(run)),
    );
  addSettings(command, ['server', 'key']);
  return addExamples(command, [
    ['listing-video organization show', 'see the balance of org_default'],
    [
      'listing-video organization show --server https://videos.example.com',
      "see the balance of your key's organization on a server",
    ],
  ]);
};

function parseCredits(value: string): string {
  // Digits only: `1e3` and `0x10` are more likely slips than intent.
  if (/^\d{1,10}$/.test(value) && Number(value) <= 1_000_000_000) return value;
  throw new InvalidArgumentError('Expected a whole number from 0 to 1000000000.');
}
