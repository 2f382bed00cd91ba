/** `listing-video validate`: judges listings as `create` would and renders nothing. */
import { Command } from 'commander';
import type { CommandRun } from '../command-run.ts';
import { addExamples, type CommandDefinition, startsWith } from '../define-command.ts';

/** See the file's head. */
export const validateCommand: CommandDefinition = (start) => {
  const command = new Command('validate')
    .summary('check listings, render nothing')
    .description('Checks listings against the rules and prints every violation with its place.')
    .argument(
      '<listing...>',
      'listing files, folders or globs; - reads one from stdin, or one per line (NDJSON)',
    );
  addExamples(command, [
    ['listing-video validate listing.json', 'one listing'],
    ['listing-video validate listings/ "drafts/*.json"', 'many'],
    ['listing-video validate new.ndjson', 'one per line'],
    ['listing-video validate --json - < listing.json', 'from stdin, for a program to read'],
  ]);
  return startsWith(command, start, validate);
};

async function validate(run: CommandRun): Promise<number> {
  const [{ collectInputs }, { readListings }, { formatValidation }, { printJson }] = await Promise.all([
    import('../listings/collect-inputs.ts'),
    import('../listings/read-listing.ts'),
    import('../listings/format-validation.ts'),
    import('../terminal/print-json.ts'),
  ]);
  const { cwd } = await run.host.machine();
  const inputs = await collectInputs(run.args, cwd);
  const verdicts = await readListings(inputs, { cwd, stdin: run.terminal.stdin, signal: run.signal });
  const documents: unknown[] = [];
  let invalid = 0;
  for (const verdict of verdicts) {
    if (verdict.listing === null) invalid += 1;
    if (run.output.json) {
      const { file, detail, warnings } = verdict;
      documents.push({ file, valid: verdict.listing !== null, detail, warnings });
    } else {
      const lines = await formatValidation(verdict, run.terminal.styles.out, run.terminal.stdoutIsTty);
      // A valid listing is no finding: with --quiet only violations are worth a line.
      if (verdict.listing === null || !run.output.quiet) for (const line of lines) run.terminal.print(line);
    }
  }
  if (run.output.json) printJson(run.terminal, { valid: invalid === 0, files: documents });
  else if (verdicts.length > 1)
    run.info(`${verdicts.length - invalid} of ${verdicts.length} listings are valid`);
  if (invalid === 0) return 0;
  return invalid === verdicts.length ? 2 : 1;
}
