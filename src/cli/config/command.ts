/** `listing-video config`: shows the settings with their sources, and saves defaults. */
import { CliCommand } from '../define-command.ts';

const load = () => import('./manage-config.ts');

export const configCommand = (): CliCommand => {
  const list = new CliCommand('list', 'list every setting')
    .alias('ls')
    .description(
      'Lists every setting with its value and its source: a flag, an environment variable, project (the project file), config (config.json) or default. Each value is written as `config set` takes it.',
    )
    .examples({ 'config list': 'see the settings of this machine' })
    .does(async () => (await load()).listSettings);
  const get = new CliCommand('get', 'print one setting')
    .alias('show')
    .description('Prints the current value of one setting.')
    .argument('<setting>', 'such as cache-size')
    .examples({ 'config get out': 'print the folder of results' })
    .does(async () => (await load()).printSetting);
  const set = new CliCommand('set', 'save a default')
    .description(
      'Saves a default in config.json. A flag, an environment variable or a project file overrides it.',
    )
    .argument('<setting>', 'such as cache-size')
    .argument('<value>', 'value of the flag with that name')
    .examples({
      'config set cache-size 5GB': 'set the cache size',
      'config set quality high': 'always render in high quality',
    })
    .does(async () => (await load()).saveSetting);
  const unset = new CliCommand('unset', 'remove a saved default')
    .description('Removes a default from config.json. The built-in default applies again.')
    .argument('<setting>', 'such as cache-size')
    .examples({ 'config unset quality': 'use the built-in default again' })
    .does(async () => (await load()).removeSetting);
  const where = new CliCommand('path', 'print the path of config.json')
    .description(
      'Prints the path of the file with the saved defaults, also when it does not exist yet. With --json also the project file that is used here.',
    )
    .examples({ 'config path': 'find the file to edit' })
    .does(async () => (await load()).printPath);
  return new CliCommand('config', 'show settings and save defaults')
    .description(
      'Shows settings and saves defaults. A flag overrides an environment variable, which overrides the project file (listing-video.config.json in this folder or above), which overrides config.json, which overrides the default.',
    )
    .subcommands(list, get, set, unset, where)
    .examples({ 'config list': 'see the settings of this machine' });
};
