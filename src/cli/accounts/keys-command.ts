/** `listing-video keys`: makes, lists and revokes API keys. The work is in `./manage-accounts.ts`. */
import { Command } from 'commander';
import { addExamples, type CommandDefinition, settingOption, startsWith } from '../define-command.ts';

/** Options of `keys create` and `keys list`. */
export interface KeyOptions {
  readonly organization?: string;
  readonly readOnly?: boolean;
}

/** Defines the command. */
export const keysCommand: CommandDefinition = (start) => {
  const create = new Command('create')
    .summary('create an API key')
    .description(
      'Creates a key and prints it once: only its hash is stored. As soon as a first key exists, every request to the server needs one.',
    )
    .option('--organization <id>', 'set the organization that the key belongs to (required)')
    .option('--read-only', 'allow reading tasks and results, not creating tasks');
  addExamples(create, [
    [
      'listing-video keys create --organization org_default',
      'create a key for a program that submits listings',
    ],
    ['listing-video keys create --organization org_default --read-only', 'create a key for a dashboard'],
  ]);
  const list = new Command('list')
    .summary('list all keys')
    .description('Lists the keys, also revoked ones, without their secrets.')
    .option('--organization <id>', 'list only the keys of this organization');
  addExamples(list, [['listing-video keys list', 'see who can use the API']]);
  const revoke = new Command('revoke')
    .summary('revoke a key')
    .description('Revokes a key. A running server refuses it within a second.')
    .argument('<id>', 'id of the key, as in `keys list`');
  addExamples(revoke, [['listing-video keys revoke 0c1d2e3f40516273', 'revoke a leaked key']]);
  const load = () => import('./manage-accounts.ts');
  const command = new Command('keys')
    .summary('manage API keys')
    .description('Manages the keys that API clients send as `Authorization: Bearer …`.')
    .addCommand(startsWith<KeyOptions>(create, start, async (run) => (await load()).createKey(run)))
    .addCommand(startsWith<KeyOptions>(list, start, async (run) => (await load()).listKeys(run)))
    .addCommand(startsWith(revoke, start, async (run) => (await load()).revokeKey(run)));
  // Hidden: keys are managed where the store is. The flags refuse or lift a server set elsewhere.
  for (const option of settingOption('server')) command.addOption(option.hideHelp());
  return addExamples(command, [['listing-video keys list', 'see who can use the API']]);
};
