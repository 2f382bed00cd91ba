/** `listing-video keys`: who may use the API. The work is in `./manage-accounts.ts`. */
import { Command } from 'commander';
import type { CommandRun } from '../command-run.ts';
import { addExamples, type CommandDefinition, settingOption, startsWith } from '../define-command.ts';

/** See the file's head. */
export const keysCommand: CommandDefinition = (start) => {
  const create = new Command('create')
    .summary('a new key')
    .description(
      'Makes a key and prints it, this once: only a hash of it is kept. From the first key on, a server answers nobody without one.',
    )
    .option('--organization <id>', 'whose tasks and credits it opens; it must be said')
    .option('--read-only', 'may look at tasks and results, not create any');
  addExamples(create, [
    ['listing-video keys create --organization org_default', 'a key for the program that submits listings'],
    ['listing-video keys create --organization org_default --read-only', 'one for a dashboard'],
  ]);
  const list = new Command('list')
    .summary('all keys')
    .description('Lists the keys, revoked ones included; never the secrets.')
    .option('--organization <id>', 'only those of this organization');
  addExamples(list, [['listing-video keys list', 'who may use the service']]);
  const revoke = new Command('revoke')
    .summary('end a key')
    .description('Ends a key. A running server refuses it within a second.')
    .argument('<id>', 'id of the key, as in the list');
  addExamples(revoke, [['listing-video keys revoke 0c1d2e3f40516273', 'it was seen by somebody']]);
  const command = new Command('keys')
    .summary('keys to the API')
    .description('Keys that clients of the API send as `Authorization: Bearer …`.')
    .addCommand(startsWith(create, start, work('createKey')))
    .addCommand(startsWith(list, start, work('listKeys')))
    .addCommand(startsWith(revoke, start, work('revokeKey')));
  // Only to be refused in words, or set aside: keys are made where the store is.
  for (const option of settingOption('server')) command.addOption(option.hideHelp());
  return addExamples(command, [['listing-video keys list', 'who may use the service']]);
};

function work(name: keyof typeof import('./manage-accounts.ts')) {
  return async (run: CommandRun): Promise<number> => {
    const accounts = await import('./manage-accounts.ts');
    return accounts[name](run);
  };
}
