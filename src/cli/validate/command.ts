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
  const [{ collectInputs }, { readListings }, { detailOf, warningsOf }, { formatValidation }, { printJson }] =
    await Promise.all([
      import('../listings/collect-inputs.ts'),
      import('../listings/read-listing.ts'),
      import('../listings/listing-result.ts'),
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
      detail: detailOf(result),
      warnings: warningsOf(result.source),
    }));
    printJson(terminal, { valid: validCount === results.length, files });
  } else {
    const frameColumns = terminal.stdoutIsTty ? terminal.columns : null;
    for (const result of results) {
      // With --quiet only violations are worth a line.
      if (result.kind === 'valid' && output.quiet) continue;
      const lines = await formatValidation(result, terminal.styles.out, { frameColumns });
      for (const line of lines) terminal.print(line);
    }
    if (results.length > 1) run.info(`${validCount} of ${results.length} listings are valid`);
  }
  if (run.host.env.GITHUB_ACTIONS === 'true') {
    const { toAnnotations } = await import('../listings/github-annotations.ts');
    for (const line of await toAnnotations(run, results)) terminal.command(line);
  }
  return exitCodeOfListings(results, { isBatch: true, isInterrupted: false, isRendered: false });
}
