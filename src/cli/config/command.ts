/** `listing-video config`: shows the settings with their sources, and saves defaults. The work is in `./manage-config.ts`. */
import { Command } from 'commander';
import { addExamples, type CommandDefinition, startsWith } from '../define-command.ts';

/** Defines the command. */
export const configCommand: CommandDefinition = (start) => {
  const list = new Command('list')
    .summary('list every setting')
    .description('Lists every setting with its value and its source: flag, env, config or default.');
  addExamples(list, [['listing-video config list', 'see the settings of this machine']]);
  const get = new Command('get')
    .summary('print one setting')
    .description('Prints the current value of one setting.')
    .argument('<setting>', 'such as cache-size');
  addExamples(get, [['listing-video config get out', 'print the folder of results']]);
  const set = new Command('set')
    .summary('save a default')
    .description('Saves a default in config.json. A flag or an environment variable overrides it.')
    .argument('<setting>', 'such as cache-size')
    .argument('<value>', 'value of the flag with that name');
  addExamples(set, [
    ['listing-video config set cache-size 5GB', 'set the cache size'],
    ['listing-video config set quality high', 'always render in high quality'],
  ]);
  const unset = new Command('unset')
    .summary('remove a saved default')
    .description('Removes a default from config.json. The built-in default applies again.')
    .argument('<setting>', 'such as cache-size');
  addExamples(unset, [['listing-video config unset quality', 'use the built-in default again']]);
  const where = new Command('path')
    .summary('print the path of config.json')
    .description('Prints the path of the file with the saved defaults, also when it does not exist yet.');
  addExamples(where, [['listing-video config path', 'find the file to edit']]);
  const load = () => import('./manage-config.ts');
  const command = new Command('config')
    .summary('show settings and save defaults')
    .description(
      'A flag overrides an environment variable, which overrides config.json, which overrides the default.',
    )
    .addCommand(startsWith(list, start, async (run) => (await load()).listSettings(run)))
    .addCommand(startsWith(get, start, async (run) => (await load()).printSetting(run)))
    .addCommand(startsWith(set, start, async (run) => (await load()).saveSetting(run)))
    .addCommand(startsWith(unset, start, async (run) => (await load()).removeSetting(run)))
    .addCommand(startsWith(where, start, async (run) => (await load()).printPath(run)));
  return addExamples(command, [['listing-video config list', 'see the settings of this machine']]);
};
