/** `listing-video config`: the settings, where each value comes from, and the saved defaults. */
import { Command } from 'commander';
import type { CommandRun } from '../command-run.ts';
import { addExamples, type CommandDefinition, startsWith } from '../define-command.ts';

/** See the file's head. */
export const configCommand: CommandDefinition = (start) => {
  const list = new Command('list')
    .summary('every setting, its value and where that comes from')
    .description('Lists every setting with its value and its source: flag, env, config or default.');
  addExamples(list, [['listing-video config list', 'what is in force here']]);
  const get = new Command('get')
    .summary('one setting')
    .description('Prints the value of one setting as it is in force here.')
    .argument('<setting>', 'such as cache-size');
  addExamples(get, [['listing-video config get out', 'where results go']]);
  const set = new Command('set')
    .summary('save a default')
    .description('Saves a default in config.json. A flag or an environment variable still wins over it.')
    .argument('<setting>', 'such as cache-size')
    .argument('<value>', 'what the flag of that name would take');
  addExamples(set, [
    ['listing-video config set cache-size 5GB', 'let the cache grow'],
    ['listing-video config set quality high', 'always the best looks'],
  ]);
  const unset = new Command('unset')
    .summary('forget a saved default')
    .description('Removes a default from config.json; the built-in one is in force again.')
    .argument('<setting>', 'such as cache-size');
  addExamples(unset, [['listing-video config unset quality', 'as if it had never been set']]);
  const where = new Command('path')
    .summary('where config.json lies')
    .description('Prints the path of the file with the saved defaults, whether it exists or not.');
  addExamples(where, [['listing-video config path', 'the file to edit']]);
  const command = new Command('config')
    .summary('see settings and save defaults')
    .description('A flag wins over an environment variable, that over config.json, that over the default.')
    .addCommand(startsWith(list, start, listSettings))
    .addCommand(startsWith(get, start, printSetting))
    .addCommand(startsWith(set, start, saveSetting))
    .addCommand(startsWith(unset, start, forgetSetting))
    .addCommand(startsWith(where, start, printPath));
  return addExamples(command, [['listing-video config list', 'what is in force here']]);
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
  const { formatTable } = await import('../terminal/table.ts');
  const { escapeText } = await import('../terminal/escape-text.ts');
  const lines = formatTable(
    rows,
    [
      { title: 'SETTING', text: (row) => row.key },
      {
        title: 'VALUE',
        text: (row) => escapeText(String(row.value ?? '')) || '-',
        shrinks: true,
      },
      { title: 'SOURCE', text: (row) => row.source },
      { title: 'UNIT', text: (row) => row.unit ?? '', shrinks: true },
    ],
    run.terminal.stdoutIsTty ? run.terminal.columns : Number.POSITIVE_INFINITY,
  );
  for (const line of lines) run.terminal.print(line);
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

/** A default is for later: what is not there now would fail when nobody remembers why. */
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

/** @param value - Undefined: forgotten. */
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
  if (winner) run.info(escapeText(`but ${env}=${winner} is set here and wins over it`));
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
