/** `listing-video help`: the commands and topics, the help of one command, or the guide to one topic. */
import type { Command } from 'commander';
import { nearestHint, requireText, usageError } from './cli-error.ts';
import type { CommandRun } from './command-run.ts';
import { CliCommand, childCalled } from './define-command.ts';
import { HELP_WORDS, helpWordFor, readGuide } from './help-topics.ts';

/** `serve` and `templates` are both: the guide comes first, the options after it. */
export const helpCommand = (): CliCommand => {
  const command = new CliCommand('help', 'print a guide, or the help of a command')
    .description('Prints the guide to a topic, or the help of a command. Without a word, lists both.')
    .argument('[topic-or-command...]', 'what to explain')
    .examples({
      help: 'list commands and topics',
      'help batch': 'read the guide to batches',
      'help tasks list': 'print the help of a command',
    });
  return command.does(async () => (run) => printHelp(run, command.parent!));
};

async function printHelp(run: CommandRun, program: Command): Promise<number> {
  requireText(run, 'help');
  const { args, terminal } = run;
  const word = helpWordFor(args);
  if (word !== undefined) {
    const { formatGuide } = await import('./format-guide.ts');
    const { columns, stdoutIsTty, styles } = terminal;
    terminal.print(formatGuide(await readGuide(word), stdoutIsTty ? columns : 80, styles.out));
    if (!program.commands.some((command) => command.name() === word)) return 0;
    terminal.print('');
  }
  commandAt(program, args).outputHelp();
  return 0;
}

/** @throws ListingVideoError `usage` with the nearest command or topic. */
function commandAt(program: Command, words: readonly string[]): Command {
  let command = program;
  for (const word of words) {
    const children = command.commands.map((child) => child.name());
    const next = childCalled(command, word);
    if (!next) {
      const names = command === program ? [...children, ...Object.keys(HELP_WORDS)] : children;
      throw usageError(
        `unknown command or topic '${word}'`,
        nearestHint(word, names, 'listing-video --help'),
      );
    }
    command = next;
  }
  return command;
}
