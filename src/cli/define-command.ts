/** Builds commands: options from the table of settings, and examples at the end of each help. */
import { type Command, Option } from 'commander';
import { SETTINGS, type SettingName, type SettingRow } from '../settings/setting-table.ts';
import type { CommandWork } from './command-run.ts';

/** Runs the command that the command line names. */
export type StartCommand = <Options>(
  command: Command,
  work: CommandWork<Options>,
  isNdjson: boolean,
) => Promise<void>;

/** Makes one command; `start` is what its action calls. */
export type CommandDefinition = (start: StartCommand) => Command;

/** The options of a setting: name, help and default come from its row. */
export function settingOption(name: SettingName): Option[] {
  const { flag, kind, help, defaultText, env, canBeNone }: SettingRow<never> = SETTINGS[name] as never;
  if (kind.placeholder === null) {
    return [new Option(flag, help), new Option(flag.replace('--', '--no-')).hideHelp()];
  }
  const option = new Option(`${flag} ${kind.placeholder}`, `${help} (default: ${defaultText}; env: ${env})`);
  const none = canBeNone
    ? [new Option(flag.replace('--', '--no-'), `ignore ${env} and the saved default`)]
    : [];
  return [kind.isList ? option.argParser(collectWords) : option, ...none];
}

/** Collects the values of an option that can be repeated. */
export function collectWords(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** Adds the options of these settings. */
export function addSettings(command: Command, names: readonly SettingName[]): Command {
  for (const name of names) for (const option of settingOption(name)) command.addOption(option);
  return command;
}

/** A command line, which a test parses, and what it does. */
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
