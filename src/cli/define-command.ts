/** Builds commands: options from the table of settings, examples at the end of each help, and the work they start. */
import { type Argument, Command, InvalidArgumentError, Option } from 'commander';
import { SETTINGS, type SettingName, type SettingRow } from '../platform/settings/setting-table.ts';
import type { CommandWork } from './command-run.ts';
import {
  conflictingOptions,
  invalidValue,
  missingArgument,
  missingValue,
  unknownOption,
} from './usage-errors.ts';

export type StartCommand = <Options>(
  command: Command,
  work: CommandWork<Options>,
  isNdjson: boolean,
) => Promise<void>;

/** A command line, which a test parses, and what it does. */
export type Example = readonly [line: string, does: string];

export class CliCommand extends Command {
  exampleLines: readonly Example[] = [];
  /** Loads the work and hands it to `start`; null for a group, which has only subcommands. */
  begin: ((start: StartCommand) => Promise<void>) | null = null;

  /** @param summary - For the list of commands; the `description` is for the command's own help. */
  constructor(name: string, summary: string) {
    super(name);
    this.summary(summary);
  }

  // Commander calls the next five with what is wrong, and its types do not show them. A test has every message.

  unknownOption(flag: string): never {
    throw unknownOption(this, flag);
  }

  optionMissingArgument(option: Option): never {
    throw missingValue(this, option);
  }

  missingArgument(name: string): never {
    throw missingArgument(this, name);
  }

  _conflictingOption(option: Option, other: Option): never {
    throw conflictingOptions(option, other);
  }

  _callParseArg(target: Option | Argument, value: string, previous: unknown): unknown {
    try {
      return target.parseArg?.(value, previous as never);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      throw invalidValue(this, target, value, error.message);
    }
  }

  settings(...names: readonly SettingName[]): this {
    return this.addOptions(names.flatMap((name) => settingOption(name)));
  }

  /** Flags that the help leaves out: of a group that refuses a server set elsewhere, or lifts it. */
  hiddenSettings(...names: readonly SettingName[]): this {
    return this.addOptions(names.flatMap((name) => settingOption(name).map((option) => option.hideHelp())));
  }

  addOptions(options: readonly Option[]): this {
    for (const option of options) this.addOption(option);
    return this;
  }

  subcommands(...commands: readonly CliCommand[]): this {
    for (const command of commands) this.addCommand(command);
    return this;
  }

  /** Adds the command of a group that runs when no command is named, before the others. */
  defaultSubcommand(command: CliCommand): this {
    return this.addCommand(command, { isDefault: true });
  }

  /** Adds examples to the help. @param examples - A command line without the program's name, and what it does. */
  examples(examples: Readonly<Record<string, string>>): this {
    this.exampleLines = Object.entries(examples).map(([line, does]) => [`listing-video ${line}`, does]);
    const lines = this.exampleLines.flatMap(([line, does]) => [`  # ${does}`, `  $ ${line}`]);
    return this.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
  }

  /**
   * Sets the work, which is loaded when the command is chosen. `Options` are the options that the command declares.
   *
   * @param isNdjson - With `--json` the command prints a document per line.
   */
  does<Options>(load: () => Promise<CommandWork<Options>>, isNdjson = false): this {
    this.begin = async (start) => start(this, await load(), isNdjson);
    return this;
  }
}

/** The subcommand called `word`, by its name or by another name of it (`ls` for `list`). */
export function childCalled(command: Command, word: string): Command | undefined {
  return command.commands.find((child) => child.name() === word || child.aliases().includes(word)) as
    | Command
    | undefined;
}

export function examplesOf(command: Command): readonly Example[] {
  return command instanceof CliCommand ? command.exampleLines : [];
}

/**
 * The options of a setting: name, help and default come from its row.
 *
 * @param ownHelp - For a command that does something else with it.
 * @param ownDefault - For a command that has another default.
 */
export function settingOption(name: SettingName, ownHelp?: string, ownDefault?: string): Option[] {
  const row: SettingRow<never> = SETTINGS[name] as never;
  const { flag, shortFlag, kind, defaultText, env, canBeNone } = row;
  const help = `${ownHelp ?? row.help} (default: ${ownDefault ?? defaultText}; env: ${env})`;
  if (kind.placeholder === null)
    return [new Option(flag, help), new Option(flag.replace('--', '--no-')).hideHelp()];
  const option = new Option(
    `${shortFlag === undefined ? '' : `${shortFlag}, `}${flag} ${kind.placeholder}`,
    help,
  );
  const none = canBeNone
    ? [new Option(flag.replace('--', '--no-'), `ignore ${env} and the saved default`)]
    : [];
  return [kind.isList ? option.argParser(collectWords) : option, ...none];
}

export function collectWords(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

export function dataOption(): Option {
  return new Option('--data <key=value>', 'fill a data layer of the template; repeatable').argParser(
    collectWords,
  );
}
