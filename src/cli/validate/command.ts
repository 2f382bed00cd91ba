/** `listing-video validate`: validates listings by the rules of `create` and renders nothing. */
import type { CommandRun } from '../command-run.ts';
import { CliCommand } from '../define-command.ts';
import { exitCodeOfListings } from '../exit-code.ts';

/** Defines the command. */
export const validateCommand = (): CliCommand =>
  new CliCommand('validate', 'validate listings, render nothing')
    .description('Validates listings against the rules and prints every violation with its place.')
    .argument(
      '<listing...>',
      'listing files, folders or globs; - reads one from stdin, or one per line (NDJSON)',
    )
    .settings('untrusted')
    .examples({
      'validate listing.json': 'validate one listing',
      'validate listings/ "drafts/*.json"': 'validate several listings',
      'validate new.ndjson': 'validate one listing per line',
      'validate listings/ --untrusted': 'validate listings of strangers, such as a pull request',
      'validate --json - < listing.json': 'read from stdin, print JSON',
    })
    .does(async () => validate);

async function validate(run: CommandRun): Promise<number> {
  const [{ collectInputs }, { readListings }, { formatValidation }, { printJson }] = await Promise.all([
    import('../listings/collect-inputs.ts'),
    import('../listings/read-listing.ts'),
    import('../listings/format-validation.ts'),
    import('../terminal/print-json.ts'),
  ]);
  const { output, terminal } = run;
  const { cwd } = await run.host.machine();
  const settings = await run.settings();
  const inputs = await collectInputs(run.args, cwd, settings);
  const results = await readListings(run, inputs);
  const validCount = results.filter(({ kind }) => kind === 'valid').length;
  if (output.json) {
    const files = results.map((result) => ({
      file: result.source.file,
      valid: result.kind === 'valid',
      detail: result.kind === 'valid' ? [] : result.detail,
      warnings: result.source.warnings,
    }));
    printJson(terminal, { valid: validCount === results.length, files });
  } else {
    for (const result of results) {
      // With --quiet only violations are worth a line.
      if (result.kind === 'valid' && output.quiet) continue;
      const lines = await formatValidation(result, terminal.styles.out, terminal.stdoutIsTty);
      for (const line of lines) terminal.print(line);
    }
    if (results.length > 1) run.info(`${validCount} of ${results.length} listings are valid`);
  }
  return exitCodeOfListings(results, { isBatch: true, isInterrupted: false, isRendered: false });
}
