/** `listing-video storage`: looks after the bucket of servers. The work is in `./prune-storage.ts`. */
import { CliCommand, settingOption } from '../define-command.ts';

export const storageCommand = (): CliCommand =>
  new CliCommand('storage', 'look after the bucket of servers')
    .description('Servers with --storage keep videos, uploads and a cache for all workers in a bucket.')
    .subcommands(prune())
    .examples({ 'storage prune': 'remove old entries of the cache from the bucket' });

function prune(): CliCommand {
  return new CliCommand('prune', 'remove old entries of the cache from the bucket')
    .description(
      'Removes entries of the cache that are too old, and then the oldest until the rest fits. For a bucket without rules that do it: run it ' +
        'every day. Videos and uploads stay. Workers make again what they miss.',
    )
    .addOptions(settingOption('storage', 'prune the cache of this bucket', 'none, but it is needed'))
    .option('--older-than <span>', 'remove entries that were stored longer ago than this, such as 2d', '14d')
    .option('--max-size <size>', 'remove the oldest entries until the rest has this size, such as 500GB')
    .option('--dry-run', 'remove nothing, and print what would be freed')
    .examples({
      'storage prune': 'remove entries of the cache that are older than 14 days',
      'storage prune --older-than 2d --max-size 500GB': 'keep less',
      'storage prune --dry-run': 'see how much would be freed',
    })
    .does(async () => (await import('./prune-storage.ts')).pruneStorage);
}
