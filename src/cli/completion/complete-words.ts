/** Finds the words that fit at the cursor: commands, options and their values. Reads the words as commander does. */
import type { Argument, Command, Option } from 'commander';
import { SETTING_NAMES, SETTINGS } from '../../platform/settings/setting-table.ts';
import type { TaskState } from '../../task/task.ts';
import { FURTHER_FONTS } from '../../video/fonts/list-fonts.ts';
import { childCalled } from '../define-command.ts';
import { HELP_WORDS } from '../help-topics.ts';
import type { CompletionSources } from './completion-sources.ts';

export interface Candidate {
  /** The whole word, with the part already typed. */
  readonly word: string;
  readonly about: string;
}

/** The words that fit; with `paths` the shell adds files or folders. */
export interface Completion {
  readonly candidates: readonly Candidate[];
  readonly paths: 'files' | 'folders' | 'none';
}

const ALL_SETTINGS = SETTING_NAMES.map((name) => SETTINGS[name]);

const STATES_FOR: Readonly<Record<string, readonly TaskState[]>> = {
  watch: ['PENDING', 'RUNNING'],
  cancel: ['PENDING', 'RUNNING'],
  retry: ['FAILED'],
};

/**
 * @param words - After the program's name; the last is the one at the cursor, empty after a space.
 */
export async function completeWords(
  program: Command,
  words: readonly string[],
  sources: CompletionSources,
): Promise<Completion> {
  const partial = words.at(-1) ?? '';
  const place = walk(program, words.slice(0, -1));
  const { candidates, paths } = await candidatesAt(place, partial, sources);
  return { candidates: candidates.filter(({ word }) => word.startsWith(partial)), paths };
}

interface Place {
  readonly command: Command;
  readonly given: readonly string[];
  /** The option whose value comes next. */
  readonly awaiting: Option | null;
  /** After `--` no word is an option. */
  readonly isOver: boolean;
}

function walk(program: Command, words: readonly string[]): Place {
  let command = program;
  let given: string[] = [];
  let awaiting: Option | null = null;
  let isOver = false;
  for (const word of words) {
    if (awaiting !== null) awaiting = null;
    else if (isOver || !word.startsWith('-') || word === '-') {
      const child: Command | undefined = given.length > 0 || isOver ? undefined : childOf(command, word);
      if (child === undefined) given.push(word);
      else {
        command = child;
        given = [];
      }
    } else if (word === '--') isOver = true;
    else {
      const option = optionsOf(command).find(({ long, short }) => word === long || word === short);
      if (option?.required) awaiting = option;
    }
  }
  return { command, given, awaiting, isOver };
}

function childOf(command: Command, word: string): Command | undefined {
  // `tasks help list` completes as `tasks list` would: its words are commands all the way.
  if (word === 'help' && command.parent !== null && command.commands.length > 0) return command;
  return childCalled(command, word);
}

async function candidatesAt(
  { command, given, awaiting, isOver }: Place,
  partial: string,
  sources: CompletionSources,
): Promise<Completion> {
  if (awaiting !== null) return valuesOfOption(awaiting, sources);
  const assigned = isOver ? null : /^(--[\w-]+)=/.exec(partial);
  if (assigned !== null) {
    const option = optionsOf(command).find(({ long }) => long === assigned[1]);
    if (option === undefined) return NOTHING;
    const { candidates, paths } = await valuesOfOption(option, sources);
    return {
      candidates: candidates.map(({ word, about }) => ({ word: `${assigned[0]}${word}`, about })),
      paths,
    };
  }
  if (partial.startsWith('-') && partial !== '-' && !isOver) {
    const options = optionsOf(command).flatMap(({ long, description }) =>
      long === undefined ? [] : [{ word: long, about: firstClause(description) }],
    );
    return { candidates: options, paths: 'none' };
  }
  if (command.commands.length > 0) {
    if (given.length > 0) return NOTHING;
    const children = command.createHelp().visibleCommands(command);
    return {
      candidates: children.map((child) => ({
        word: child.name(),
        about: child.summary() || child.description(),
      })),
      paths: 'none',
    };
  }
  const last = command.registeredArguments.at(-1);
  const argument = command.registeredArguments[given.length] ?? (last?.variadic ? last : undefined);
  return argument === undefined ? NOTHING : valuesOfArgument(command, argument, given, sources);
}

const NOTHING: Completion = { candidates: [], paths: 'none' };

function optionsOf(command: Command): Option[] {
  const help = command.createHelp();
  help.showGlobalOptions = true;
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
}

async function valuesOfOption(option: Option, sources: CompletionSources): Promise<Completion> {
  if (option.long === '--template') return readable(sources.templates());
  if (option.long === '--organization') return readable(sources.organizations());
  if (option.long === '--starting-after') return readable(sources.tasks(null));
  const setting = ALL_SETTINGS.find(({ flag }) => flag === option.long);
  const choices = option.argChoices ?? setting?.kind.choices ?? [];
  if (choices.length > 0) return only(choices.map(plain));
  return { candidates: [], paths: pathsOf(option.flags) };
}

async function valuesOfArgument(
  command: Command,
  argument: Argument,
  given: readonly string[],
  sources: CompletionSources,
): Promise<Completion> {
  if (argument.argChoices) return only(argument.argChoices.map(plain));
  if (command.name() === 'help') return only(helpWords(command.parent!, given));
  if (argument.name() === 'setting') {
    const isChange = command.name() !== 'get';
    const offered = ALL_SETTINGS.filter(({ configKey }) => configKey !== null || !isChange);
    return only(offered.map(({ flag, help }) => ({ word: flag.slice(2), about: firstClause(help) })));
  }
  if (argument.name() === 'value') {
    const setting = ALL_SETTINGS.find(({ flag }) => flag === `--${given[0]}`);
    if (setting === SETTINGS.template) return readable(sources.templates());
    const isSwitch = setting?.kind.placeholder === null;
    const choices = setting?.kind.choices ?? (isSwitch ? ['true', 'false'] : []);
    if (choices.length > 0) return only(choices.map(plain));
    return { candidates: [], paths: pathsOf(setting?.kind.placeholder ?? '') };
  }
  if (argument.name() === 'font') {
    const fonts = FURTHER_FONTS.map(({ name, about }) => ({ word: name, about }));
    return only([...fonts, { word: 'all', about: 'all fonts' }]);
  }
  if (command.parent?.name() === 'tasks') return readable(sources.tasks(STATES_FOR[command.name()] ?? null));
  if (command.parent?.name() === 'templates') return readable(sources.templates());
  if (command.parent?.name() === 'keys') return readable(sources.keys());
  return { candidates: [], paths: ['listing', 'file'].includes(argument.name()) ? 'files' : 'none' };
}

/** Commands that follow `given`, and topics where nothing does. */
function helpWords(program: Command, given: readonly string[]): Candidate[] {
  const at = given.reduce<Command | undefined>(
    (command, word) => (command === undefined ? undefined : childCalled(command, word)),
    program,
  );
  const children = at?.createHelp().visibleCommands(at) ?? [];
  const commands = children.map((child) => ({ word: child.name(), about: child.summary() }));
  const topics = Object.entries(HELP_WORDS).map(([word, about]) => ({ word, about }));
  return at === program
    ? [...topics, ...commands.filter(({ word }) => !Object.hasOwn(HELP_WORDS, word))]
    : commands;
}

function only(candidates: readonly Candidate[]): Completion {
  return { candidates, paths: 'none' };
}

/** Data that cannot be read is left out: Tab never fails. */
function readable(words: Promise<readonly Candidate[]>): Promise<Completion> {
  return words.then(only, () => NOTHING);
}

function plain(word: string): Candidate {
  return { word, about: '' };
}

function pathsOf(placeholder: string): Completion['paths'] {
  if (/<dir>/.test(placeholder)) return 'folders';
  return /<file>/.test(placeholder) ? 'files' : 'none';
}

/** Up to the first bracket or colon: a shell shows one line. */
function firstClause(text: string): string {
  return text.split(/ \(|[:;]/)[0]!;
}
