/** `listing-video organization`: who owns tasks, and how many credits they have. */
import { InvalidArgumentError } from 'commander';
import { CliCommand } from '../define-command.ts';

const load = () => import('./manage-organizations.ts');

export const organizationCommand = (): CliCommand => {
  const create = new CliCommand('create', 'create an organization')
    .description(
      'Creates an organization. Its videos are free until you grant it credits for the first time.',
    )
    .option('--name <name>', 'set a name for people')
    .examples({
      'organization create --name "Harbor Homes"': 'let a new customer use the service',
    })
    .does(async () => (await load()).createOrganization);
  const list = new CliCommand('list', 'list all organizations')
    .alias('ls')
    .description('Lists the organizations and their balances.')
    .examples({ 'organization list': 'see every organization and its balance' })
    .does(async () => (await load()).listOrganizations);
  const show = new CliCommand('show', 'show one organization')
    .description('Shows an organization and its balance.')
    .option('--organization <id>', 'show this organization (default: org_default)')
    .settings('server', 'key')
    .examples({
      'organization show': 'see the balance of org_default',
      'organization show --organization org_0c1d2e3f40516273': 'see another balance',
      'organization show --server https://videos.example.com':
        "see the balance of your key's organization on a server",
    })
    .does(async () => (await load()).showOrganization);
  const grant = new CliCommand('grant', 'add credits')
    .description(
      'Adds credits, also while a server runs. One credit is one video. After its first grant an organization is metered: a task that it cannot pay for is refused.',
    )
    .argument('<credits>', 'how many, a whole number', parseCredits)
    .option('--organization <id>', 'grant to this organization (default: org_default)')
    .examples({
      'organization grant 500': 'pay for five hundred more videos',
      'organization grant 20 --organization org_0c1d2e3f40516273': 'grant to another organization',
    })
    .does(async () => (await load()).grantCredits);
  return (
    new CliCommand('organization', 'manage organizations and their credits')
      .description(
        'Manages the organizations that own the tasks of the API, and their credits. If the server has a database, set LISTING_VIDEO_DATABASE here, too.',
      )
      .subcommands(create, list, show, grant)
      // Only `show` works with a server.
      .hiddenSettings('server', 'key')
      .examples({ 'organization show': 'see the balance of org_default' })
  );
};

function parseCredits(value: string): string {
  // Digits only: `1e3` and `0x10` are more likely slips than intent.
  if (/^\d{1,10}$/.test(value) && Number(value) >= 1 && Number(value) <= 1_000_000_000) return value;
  throw new InvalidArgumentError('Expected a whole number from 1 to 1000000000.');
}
