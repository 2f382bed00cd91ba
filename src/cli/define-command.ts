/** Builds commander commands from our table of settings, with examples at the end of each help. */
import { type Command, Option } from 'commander';
import { SETTINGS, type SettingName } from '../settings/setting-table.ts';
import type { CommandWork } from './command-run.ts';

/** Called when the words of the command line have chosen a command. */
export type StartCommand = (command: Command, work: CommandWork) => Promise<void>;

/** Makes one command; `start` is what its action calls. */
export type CommandDefinition = (start: StartCommand) => Command;

/** An option whose words and default come from a setting's row. */
export function settingOption(name: SettingName): Option[] {
  const { flag, kind, help, defaultText, env } = SETTINGS[name];
  if (kind.placeholder === null) {
    return [new Option(flag, help), new Option(flag.replace('--', '--no-')).hideHelp()];
  }
  const option = new Option(`${flag} ${kind.placeholder}`, `${help} (default: ${defaultText}; env: ${env})`);
  return [kind.isList ? option.argParser(collectWords) : option];
}

/** Gathers the words of an option that may be repeated. */
export function collectWords(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** Adds the options of these settings. */
export function addSettings(command: Command, names: readonly SettingName[]): Command {
  for (const name of names) for (const option of settingOption(name)) command.addOption(option);
  return command;
}

/** Adds examples, each a command line that a test parses, with what it is for. */
export function addExamples(
  command: Command,
  examples: readonly (readonly [line: string, does: string])[],
): Command {
  const lines = examples.flatMap(([line, does]) => [`  # ${does}`, `  $ ${line}`]);
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

/** Sets the action: `start` gets the command as parsed and the work to do. */
export function startsWith(command: Command, start: StartCommand, work: CommandWork): Command {
  return command.action((...given: unknown[]) => start(given.at(-1) as Command, work));
}
