/** Makes the manual page from the commands; the build runs it. */
import type { Command, Option } from 'commander';
import { SETTING_NAMES, SETTINGS } from '../platform/settings/setting-table.ts';
import { examplesOf } from './define-command.ts';
import { TOPICS } from './help-topics.ts';
import { allCommands, buildProgram, EXIT_CODES } from './program.ts';

/** The text of `listing-video.1` in the man macros of roff (man(7)). */
export function formatManual(version: string): string {
  const nothing = (): void => undefined;
  const program = buildProgram(version, async () => undefined, {
    out: nothing,
    err: nothing,
    columns: () => 80,
    onUsageError: nothing,
  });
  const help = program.createHelp();
  const commands = allCommands(program).filter((command) => !command.name().startsWith('__'));
  const lines = [
    `.TH LISTING-VIDEO 1 "" "listing-video ${roff(version)}" "User Commands"`,
    '.SH NAME',
    'listing-video \\- render real-estate listings as videos',
    '.SH SYNOPSIS',
    '.B listing-video',
    '.I command',
    '[options]',
    '.SH DESCRIPTION',
    roff(program.description()),
    'Results go to standard output, everything else to standard error.',
    '.SH OPTIONS',
    'Every command has these.',
    ...help.visibleOptions(program).flatMap(optionLines),
    '.SH COMMANDS',
    ...commands.slice(1).flatMap(commandLines),
    '.SH GUIDES',
    '\\fBlisting-video help\\fR and one of these topics prints a guide.',
    ...Object.entries(TOPICS).flatMap(([topic, about]) => ['.TP', `.B ${roff(topic)}`, roff(about)]),
    '.SH ENVIRONMENT',
    'A flag overrides its variable, the variable the project file, that the saved default, and that the built-in one.',
    ...SETTING_NAMES.flatMap((name) => ['.TP', `.B ${SETTINGS[name].env}`, roff(SETTINGS[name].help)]),
    ...['.TP', '.B NO_COLOR', 'disables colors'],
    ...['.TP', '.B FORCE_COLOR', 'forces colors, also into files and pipes'],
    ...['.TP', '.B CI', 'disables moving lines and prompts'],
    '.SH FILES',
    'Tasks, cache and config.json are in the data folder; \\fBlisting-video config path\\fR prints its path.',
    '.SH EXIT STATUS',
    ...exitLines(),
    '.SH EXAMPLES',
    ...commands.flatMap((command) => examplesOf(command).flatMap(exampleLines)),
  ];
  return `${lines.join('\n')}\n`;
}

function commandLines(command: Command): string[] {
  const help = command.createHelp();
  const usage = help
    .commandUsage(command)
    .replace(/\[options\] |\[command\]/g, '')
    .trim();
  // The subcommands describe their group better.
  const about = command.commands.length > 0 ? command.summary() : command.description();
  const options = help.visibleOptions(command).filter(({ long }) => long !== '--help');
  return [
    `.SS ${roff(usage)}`,
    roff(about.replace(/\n/g, ' ')),
    ...help
      .visibleArguments(command)
      .flatMap((argument) => ['.TP', `.I ${roff(argument.name())}`, roff(argument.description)]),
    ...options.flatMap(optionLines),
  ];
}

function optionLines({ flags, description }: Option): string[] {
  return ['.TP', `.B ${roff(flags)}`, roff(description)];
}

function exampleLines([line, does]: readonly [string, string]): string[] {
  return ['.PP', roff(does), '.RS', '.EX', roff(line), '.EE', '.RE'];
}

function exitLines(): string[] {
  const text = EXIT_CODES.split('\n').slice(1).join('\n');
  return [...text.matchAll(/^ {2}(\d+) +((?:.|\n(?! {2}\d))*)/gm)].flatMap(([, code = '', words = '']) => [
    '.TP',
    `.B ${code}`,
    roff(words.replace(/\s+/g, ' ')),
  ]);
}

/** Escapes text for roff: backslashes, requests at the start of a line, and hyphens, which stay copyable. */
function roff(text: string): string {
  return text
    .replace(/\\/g, '\\e')
    .replace(/-/g, '\\-')
    .replace(/^([.'])/gm, '\\&$1');
}
