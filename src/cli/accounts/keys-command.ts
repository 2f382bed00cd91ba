/** `listing-video keys`: makes, lists and revokes API keys. The work is in `./manage-keys.ts`. */
import { CliCommand } from '../define-command.ts';

const load = () => import('./manage-keys.ts');

export const keysCommand = (): CliCommand => {
  const create = new CliCommand('create', 'create an API key')
    .description(
      'Creates a key and prints it once: only its hash is stored. As soon as a first key exists, every request to the API needs one.',
    )
    .option(
      '--organization <id>',
      'set the organization that the key belongs to (default: the only one there is)',
    )
    .option('--read-only', 'allow reading tasks and results, not creating tasks')
    .option('--operator', 'also allow reading the metrics of the whole server')
    .option('--expires <span>', 'refuse the key after this time, such as 90d or 12h (default: never)')
    .examples({
      'keys create': 'create a key for a program that submits listings',
      'keys create --organization org_0c1d2e3f40516273 --expires 90d':
        'create a key that one of several organizations can use for 90 days',
      'keys create --read-only': 'create a key for a dashboard',
      'keys create --operator --read-only': 'create a key for a program that collects metrics',
    })
    .does(async () => (await load()).createKey);
  const list = new CliCommand('list', 'list all keys')
    .alias('ls')
    .description(
      'Lists the keys, also revoked and expired ones, without their secrets. The last use is shown at most a minute late.',
    )
    .option('--organization <id>', 'list only the keys of this organization')
    .examples({ 'keys list': 'see who can use the API' })
    .does(async () => (await load()).listKeys);
  const revoke = new CliCommand('revoke', 'revoke a key')
    .description('Revokes a key. A running server refuses it within a second.')
    .argument('<id>', 'id of the key, as in `keys list`')
    .examples({ 'keys revoke 0c1d2e3f40516273': 'revoke a leaked key' })
    .does(async () => (await load()).revokeKey);
  return (
    new CliCommand('keys', 'manage API keys')
      .description(
        'Manages the keys that API clients send as `Authorization: Bearer …`. If the server has a database, set LISTING_VIDEO_DATABASE here, too.',
      )
      .subcommands(create, list, revoke)
      // Keys are managed where the store is.
      .hiddenSettings('server')
      .examples({ 'keys list': 'see who can use the API' })
  );
};
