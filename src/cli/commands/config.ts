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
  const where = new Command('path')
    .summary('where config.json lies')
    .description('Prints the path of the file with the saved defaults, whether it exists or not.');
  addExamples(where, [['listing-video config path', 'the file to edit']]);
  const command = new Command('config')
    .summary('see the settings and where they come from')
    .description('A flag wins over an environment variable, that over config.json, that over the default.')
    .addCommand(startsWith(list, start, listSettings))
    .addCommand(startsWith(where, start, printPath));
  return addExamples(command, [['listing-video config list', 'what is in force here']]);
};

async function listSettings(run: CommandRun): Promise<number> {
  const [{ SETTING_NAMES, SETTINGS }, resolved] = await Promise.all([
    import('../../settings/setting-table.ts'),
    run.resolvedSettings(),
  ]);
  const rows = SETTING_NAMES.map((name) => ({
    key: SETTINGS[name].configKey ?? SETTINGS[name].flag.slice(2),
    value: resolved[name].value ?? null,
    source: resolved[name].source,
    unit: SETTINGS[name].unit,
  }));
  if (run.output.json) {
    const { printJson } = await import('../print-json.ts');
    printJson(run.terminal, { data: rows, has_more: false });
    return 0;
  }
  const { formatTable } = await import('../table.ts');
  const { escapeText } = await import('../escape-text.ts');
  const lines = formatTable(
    rows,
    [
      { title: 'SETTING', text: (row) => row.key },
      {
        title: 'VALUE',
        text: (row) => (row.value === null ? '-' : escapeText(String(row.value))),
        shrinks: true,
      },
      { title: 'SOURCE', text: (row) => row.source },
      { title: 'UNIT', text: (row) => row.unit ?? '' },
    ],
    run.terminal.stdoutIsTty ? run.terminal.columns : Number.POSITIVE_INFINITY,
  );
  for (const line of lines) run.terminal.print(line);
  return 0;
}

async function printPath(run: CommandRun): Promise<number> {
  const { homeFolder } = await import('../load-settings.ts');
  const { configPath } = await import('../../settings/config-file.ts');
  const file = configPath(await homeFolder({ home: run.options.home }, run.host));
  if (run.output.json) {
    const { printJson } = await import('../print-json.ts');
    printJson(run.terminal, { path: file });
  } else {
    const { escapeText } = await import('../escape-text.ts');
    run.terminal.print(escapeText(file));
  }
  return 0;
}
