/** `listing-video completion`: the script for a shell, and the hidden command that the scripts call at every Tab. */
import { readFile } from 'node:fs/promises';
import { Argument } from 'commander';
import { codeFile } from '../../platform/program-files.ts';
import { requireText } from '../cli-error.ts';
import { CliCommand } from '../define-command.ts';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'];
/** Of a script, where it differs from the name of the shell. */
const EXTENSIONS: Readonly<Record<string, string>> = { powershell: 'ps1' };

export const completionCommand = (): CliCommand =>
  new CliCommand('completion', 'complete words in bash, zsh, fish or PowerShell')
    .description(
      'Prints a script that makes Tab complete commands, options, templates and tasks. Its first lines say how to load it.',
    )
    .addArgument(new Argument('<shell>', 'bash, zsh, fish or powershell').choices(SHELLS))
    .examples({
      'completion bash': 'add to ~/.bashrc: source <(listing-video completion bash)',
      'completion zsh': 'add to ~/.zshrc: source <(listing-video completion zsh)',
      'completion fish': 'save as ~/.config/fish/completions/listing-video.fish',
      'completion powershell':
        'add to $PROFILE: listing-video completion powershell | Out-String | Invoke-Expression',
    })
    .does(async () => async (run) => {
      requireText(run, 'completion');
      const { args, terminal } = run;
      // Each script passes the words up to the cursor to `__complete` unchanged, never through `eval`: Tab must not run
      // what is typed.
      const script = await readFile(
        codeFile(`cli/completion/listing-video.${EXTENSIONS[args[0]!] ?? args[0]}`),
        'utf8',
      );
      terminal.print(script.trimEnd());
      return 0;
    });

/**
 * Defines `__complete`, which the scripts call with the words up to the cursor. It prints a line per word,
 * `word<TAB>about`, then `:files`, `:folders` or `:none`.
 */
export function completeCommand(): CliCommand {
  const command = new CliCommand('__complete', '')
    .description('Print the words that fit at the cursor.')
    .argument('[words...]')
    .option('--empty-word', 'the cursor is after a space');
  return command.does<{ emptyWord?: boolean }>(async () => async (run) => {
    const [{ completeWords }, { completionSources }, { escapeText }] = await Promise.all([
      import('./complete-words.ts'),
      import('./completion-sources.ts'),
      import('../terminal/escape-text.ts'),
    ]);
    // PowerShell passes no empty argument.
    const words = run.options.emptyWord === true ? [...run.args, ''] : run.args;
    const { candidates, paths } = await completeWords(command.parent!, words, completionSources(run));
    for (const { word, about } of candidates) run.terminal.print(`${escapeText(word)}\t${escapeText(about)}`);
    run.terminal.print(`:${paths}`);
    return 0;
  });
}
