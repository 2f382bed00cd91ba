/** `listing-video organization`: whom tasks belong to and what they may still cost. The work is in `./manage-accounts.ts`. */
import { Command, InvalidArgumentError } from 'commander';
import type { CommandRun } from '../command-run.ts';
import { addExamples, addSettings, type CommandDefinition, startsWith } from '../define-command.ts';

/** See the file's head. */
export const organizationCommand: CommandDefinition = (start) => {
  const create = new Command('create')
    .summary('a new organization')
    .description(
      'Makes an organization. Until it is granted credits for the first time, it pays for nothing.',
    )
    .option('--name <name>', 'what people call it');
  addExamples(create, [
    ['listing-video organization create --name "Harbour Homes"', 'somebody new may use the service'],
  ]);
  const list = new Command('list')
    .summary('all organizations')
    .description('Lists the organizations and their balances.');
  addExamples(list, [['listing-video organization list', 'who may use the service']]);
  const show = new Command('show')
    .summary('one organization')
    .description('Shows an organization and its balance.')
    .option('--organization <id>', 'which one (default: the one that every store has)');
  addExamples(show, [
    ['listing-video organization show', 'what is left'],
    ['listing-video organization show --organization org_0c1d2e3f40516273', 'of another one'],
  ]);
  const grant = new Command('grant')
    .summary('add credits')
    .description(
      'Adds credits, also while a server runs. One credit is one video. From the first grant on the organization is metered: a task it cannot pay for is refused.',
    )
    .argument('<credits>', 'how many, a whole number', parseCredits)
    .option('--organization <id>', 'to which one (default: the one that every store has)');
  addExamples(grant, [
    ['listing-video organization grant 500', 'five hundred more videos'],
    ['listing-video organization grant 20 --organization org_0c1d2e3f40516273', 'to another one'],
  ]);
  const command = new Command('organization')
    .summary('organizations and their credits')
    .description('Whom the tasks of the API belong to, and how many videos they may still make.')
    .addCommand(startsWith(create, start, work('createOrganization')))
    .addCommand(startsWith(list, start, work('listOrganizations')))
    .addCommand(startsWith(show, start, work('showOrganization')))
    .addCommand(startsWith(grant, start, work('grantCredits')));
  addSettings(command, ['server', 'key']);
  return addExamples(command, [
    ['listing-video organization show', 'what is left'],
    [
      'listing-video organization show --server https://videos.example.com',
      'what a server elsewhere says of the key',
    ],
  ]);
};

function work(name: keyof typeof import('./manage-accounts.ts')) {
  return async (run: CommandRun): Promise<number> => {
    const accounts = await import('./manage-accounts.ts');
    return accounts[name](run);
  };
}

function parseCredits(value: string): string {
  // Judged by its digits: `1e3` and `0x10` are more likely slips than wishes.
  if (/^\d{1,10}$/.test(value) && Number(value) <= 1_000_000_000) return value;
  throw new InvalidArgumentError('Expected a whole number from 0 to 1000000000.');
}
