/** `listing-video completion`: the script for a shell; and the hidden command that the scripts call at every Tab. */
import { Argument, Command } from 'commander';
import type { CommandRun } from '../command-run.ts';
import { addExamples, type CommandDefinition, startsWith } from '../define-command.ts';

/** See the file's head. */
export const completionCommand: CommandDefinition = (start) => {
  const command = new Command('completion')
    .summary('complete words in bash, zsh or fish')
    .description(
      'Prints a script that makes Tab complete commands, options, templates and tasks. Its first lines say where it goes.',
    )
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(['bash', 'zsh', 'fish']));
  addExamples(command, [
    ['listing-video completion bash', 'in ~/.bashrc: source <(listing-video completion bash)'],
    ['listing-video completion zsh', 'in ~/.zshrc: source <(listing-video completion zsh)'],
    ['listing-video completion fish', 'into ~/.config/fish/completions/listing-video.fish'],
  ]);
  return startsWith(command, start, printScript);
};

/** Not for people: its words are those up to the cursor. */
export const completeCommand: CommandDefinition = (start) =>
  startsWith(
    new Command('__complete').description('Words that fit at the cursor.').argument('[words...]'),
    start,
    printCandidates,
  );

async function printScript(run: CommandRun): Promise<number> {
  const { readShellScript } = await import('./shell-script.ts');
  const script = await readShellScript(run.args[0] as 'bash' | 'zsh' | 'fish');
  run.terminal.print(script.trimEnd());
  return 0;
}

async function printCandidates(run: CommandRun): Promise<number> {
  const [{ completeWords }, { completionSources }, { buildProgram }, { escapeText }] = await Promise.all([
    import('./complete-words.ts'),
    import('./completion-sources.ts'),
    import('../program.ts'),
    import('../terminal/escape-text.ts'),
  ]);
  const nothing = (): void => undefined;
  const program = buildProgram(run.host.version, async () => undefined, {
    out: nothing,
    err: nothing,
    columns: () => 80,
    onUsageError: nothing,
  });
  const { candidates, paths } = await completeWords(program, run.args, completionSources(run));
  for (const { word, about } of candidates) run.terminal.print(`${escapeText(word)}\t${escapeText(about)}`);
  run.terminal.print(`:${paths}`);
  return 0;
}
