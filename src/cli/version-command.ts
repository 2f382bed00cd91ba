/** `listing-video version`: the same as `--version`, and a JSON document with `--json`. */
import { CliCommand } from './define-command.ts';

export const versionCommand = (): CliCommand =>
  new CliCommand('version', 'print the version')
    .description('Prints the version. The same as --version.')
    .examples({ version: 'print the version', 'version --json': 'print it as JSON' })
    .does(async () => async (run) => {
      const { printResult } = await import('./terminal/print-json.ts');
      return printResult(run, { version: run.host.version }, () => run.terminal.print(run.host.version));
    });
