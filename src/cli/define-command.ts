/** Builds commander commands from our table of settings, with examples at the end of each help. */
import { type Command, Option } from 'commander';
import { SETTINGS, type SettingName, type SettingRow } from '../settings/setting-table.ts';
import type { CommandWork } from './command-run.ts';

/** Called when the words of the command line have chosen a command. */
export type StartCommand = <Options>(
  command: Command,
  work: CommandWork<Options>,
  isNdjson: boolean,
) => Promise<void>;

/** Makes one command; `start` is what its action calls. */
export type CommandDefinition = (start: StartCommand) => Command;

/** An option whose words and default come from a setting's row. */
export function settingOption(name: SettingName): Option[] {
  const { flag, kind, help, defaultText, env, canBeNone }: SettingRow<never> = SETTINGS[name] as never;
  if (kind.placeholder === null) {
    return [new Option(flag, help), new Option(flag.replace('--', '--no-')).hideHelp()];
  }
  const option = new Option(`${flag} ${kind.placeholder}`, `${help} (default: ${defaultText}; env: ${env})`);
  const none = canBeNone
    ? [new Option(flag.replace('--', '--no-'), `without ${env} and the saved default`)]
    : [];
  return [kind.isList ? option.argParser(collectWords) : option, ...none];
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

/** A command line that a test parses, with what it is for. */
export type Example = readonly [line: string, does: string];

const EXAMPLES = new WeakMap<Command, readonly Example[]>();

/** The examples of a command, for the manual. */
export function examplesOf(command: Command): readonly Example[] {
  return EXAMPLES.get(command) ?? [];
}

/** Adds examples to the help of a command. */
export function addExamples(command: Command, examples: readonly Example[]): Command {
  EXAMPLES.set(command, examples);
  const lines = examples.flatMap(([line, does]) => [`  # ${does}`, `  $ ${line}`]);
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

/**
 * Sets the work that `start` gets when the command is chosen. `Options` are the options that the command declares.
 *
 * @param isNdjson - With `--json` the command prints a document per line.
 */
export function startsWith<Options>(
  command: Command,
  start: StartCommand,
  work: CommandWork<Options>,
  isNdjson = false,
): Command {
  return command.action((...given: unknown[]) => start(given.at(-1) as Command, work, isNdjson));
}
