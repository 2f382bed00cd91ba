/** `listing-video cache`: its options and examples. The work is in `./manage-cache.ts`. */
import { Option } from 'commander';
import { CliCommand } from '../define-command.ts';
import { KIND_NAMES } from './kind-names.ts';

const load = () => import('./manage-cache.ts');

export const cacheCommand = (): CliCommand => {
  const show = new CliCommand('show', 'show what the cache contains')
    .description(
      'Shows the size of the cache by kind, its limit, and how much the running tasks use. `cache` alone does the same.',
    )
    .settings('cacheSize')
    .examples({ 'cache show --json': 'print the sizes as JSON' })
    .does(async () => (await load()).showCache);
  const clear = new CliCommand('clear', 'remove what no running task uses')
    .description('Removes the entries that no running task uses. The next runs make again what they need.')
    .addOption(
      new Option('--kind <kinds...>', `remove only these: ${KIND_NAMES.join(', ')}`).choices(KIND_NAMES),
    )
    .option('--dry-run', 'remove nothing, and print what would be freed')
    .examples({
      'cache clear': 'free the space',
      'cache clear --kind photos': 'remove the decoded photos only',
      'cache clear --dry-run': 'see how much would be freed',
    })
    .does(async () => (await load()).clearCacheOf);
  return new CliCommand('cache', 'show the cache, or clear it')
    .description(
      'The cache keeps decoded photos, rendered scenes, audio and stills, so that the next run is fast. It stays within ' +
        '--cache-size, and you can clear it at any time.',
    )
    .defaultSubcommand(show)
    .subcommands(clear)
    .examples({
      cache: 'see what takes the space',
      'cache clear --kind photos': 'remove the decoded photos only',
    });
};
