/** `listing-video config`: shows the settings with their sources, and saves defaults. */
import { Command } from 'commander';
import type { CommandRun } from '../command-run.ts';
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
  const command = new Command('config')
    .summary('show settings and save defaults')
    .description(
      'A flag overrides an environment variable, which overrides config.json, which overrides the default.',
    )
    .addCommand(startsWith(list, start, listSettings))
    .addCommand(startsWith(get, start, printSetting))
    .addCommand(startsWith(set, start, saveSetting))
    .addCommand(startsWith(unset, start, forgetSetting))
    .addCommand(startsWith(where, start, printPath));
  return addExamples(command, [['listing-video config list', 'see the settings of this machine']]);
};

async function listSettings(run: CommandRun): Promise<number> {
  const [{ SETTING_NAMES, SETTINGS, shownValue }, resolved] = await Promise.all([
    import('../../settings/setting-table.ts'),
    run.resolvedSettings(),
  ]);
  const rows = SETTING_NAMES.map((name) => ({
    key: SETTINGS[name].configKey ?? SETTINGS[name].flag.slice(2),
    value: shownValue(name, resolved[name].value ?? null),
    source: resolved[name].source,
    unit: SETTINGS[name].unit,
  }));
  if (run.output.json) {
    const { printJson } = await import('../terminal/print-json.ts');
    printJson(run.terminal, { data: rows, has_more: false });
    return 0;
  }
  const { printTable } = await import('../terminal/table.ts');
  const { escapeText } = await import('../terminal/escape-text.ts');
  printTable(run.terminal, rows, [
    { title: 'SETTING', text: (row) => row.key },
    { title: 'VALUE', text: (row) => escapeText(String(row.value ?? '')) || '-', shrinks: true },
    { title: 'SOURCE', text: (row) => row.source },
    { title: 'UNIT', text: (row) => row.unit ?? '', shrinks: true },
  ]);
  return 0;
}

async function printSetting(run: CommandRun): Promise<number> {
  const [{ settingCalled }, { SETTINGS, shownValue }, resolved] = await Promise.all([
    import('./find-setting.ts'),
    import('../../settings/setting-table.ts'),
    run.resolvedSettings(),
  ]);
  const name = settingCalled(run.args[0]!);
  const { source } = resolved[name];
  const value = shownValue(name, resolved[name].value);
  if (run.output.json) {
    const { printJson } = await import('../terminal/print-json.ts');
    printJson(run.terminal, { key: run.args[0], value: value ?? null, source, unit: SETTINGS[name].unit });
  } else {
    const { escapeText } = await import('../terminal/escape-text.ts');
    run.terminal.print(value === undefined ? '' : escapeText(String(value)));
  }
  return 0;
}

async function saveSetting(run: CommandRun): Promise<number> {
  const { toSavedValue } = await import('./find-setting.ts');
  const [key, text] = run.args as [string, string];
  const { cwd } = await run.host.machine();
  const value = toSavedValue(key, text, cwd);
  await requireExisting(key, value);
  return changeSetting(run, key, value);
}

/** A missing file or template would fail much later, when the cause is hard to find. */
async function requireExisting(key: string, value: unknown): Promise<void> {
  const [{ ListingVideoError }, { existsSync }] = await Promise.all([
    import('../../errors.ts'),
    import('node:fs'),
  ]);
  if (key === 'ffmpeg' && !existsSync(value as string)) {
    throw new ListingVideoError('setting_invalid', `--ffmpeg: no such file: ${value}`);
  }
  if (key !== 'template') return;
  const [{ listTemplates }, { nearestName }] = await Promise.all([
    import('../../template/load-template.ts'),
    import('../../nearest-name.ts'),
  ]);
  const ids = await listTemplates();
  if (ids.includes(value as string)) return;
  const near = nearestName(value as string, ids);
  throw new ListingVideoError('setting_invalid', `--template: no template is called "${value}"`, {
    hint: near === undefined ? `one of: ${ids.join(', ')}` : `did you mean ${near}?`,
  });
}

async function forgetSetting(run: CommandRun): Promise<number> {
  const { savedKey } = await import('./find-setting.ts');
  const key = run.args[0]!;
  savedKey(key);
  return changeSetting(run, key, undefined);
}

/** @param value - Undefined removes the default. */
async function changeSetting(run: CommandRun, key: string, value: unknown): Promise<number> {
  const [{ homeFolder, parseConfig }, { configPath, writeConfigValue }] = await Promise.all([
    import('../load-settings.ts'),
    import('../../settings/config-file.ts'),
  ]);
  const home = await homeFolder({ home: run.options.home }, run.host);
  await writeConfigValue(home, key, value, parseConfig);
  const [{ settingCalled }, { SETTINGS, shownValue }] = await Promise.all([
    import('./find-setting.ts'),
    import('../../settings/setting-table.ts'),
  ]);
  const name = settingCalled(key);
  const shown = shownValue(name, value);
  if (run.output.json) {
    const { printJson } = await import('../terminal/print-json.ts');
    printJson(run.terminal, { key, value: shown ?? null, path: configPath(home) });
    return 0;
  }
  const { escapeText } = await import('../terminal/escape-text.ts');
  const change = shown === undefined ? `${key} is no longer set` : `${key} = ${shown}, saved`;
  run.info(escapeText(`${change} in ${configPath(home)}`));
  const { env } = SETTINGS[name];
  const winner = shownValue(name, run.host.env[env]);
  if (winner) run.info(escapeText(`but ${env}=${winner} is set here and overrides it`));
  return 0;
}

async function printPath(run: CommandRun): Promise<number> {
  const { homeFolder } = await import('../load-settings.ts');
  const { configPath } = await import('../../settings/config-file.ts');
  const file = configPath(await homeFolder({ home: run.options.home }, run.host));
  if (run.output.json) {
    const { printJson } = await import('../terminal/print-json.ts');
    printJson(run.terminal, { path: file });
  } else {
    const { escapeText } = await import('../terminal/escape-text.ts');
    run.terminal.print(escapeText(file));
  }
  return 0;
}
