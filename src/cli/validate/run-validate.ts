/**
 * The work of `validate`: the rules of a listing, then those of the batch, then what the opening of a task would
 * refuse.
 */
import pLimit from 'p-limit';
import type { CommandRun } from '../command-run.ts';
import type { CreateOptions } from '../create/create-options.ts';
import { readTaskOptions } from '../create/task-options.ts';
import { exitCodeOfListings } from '../exit-code.ts';
import { collectInputs } from '../listings/collect-inputs.ts';
import { formatValidation } from '../listings/format-validation.ts';
import {
  detailOf,
  type InvalidListing,
  type ReadyListing,
  type ValidListing,
  warningsOf,
} from '../listings/listing-result.ts';
import { type PlacedWarning, placeWarnings } from '../listings/place-findings.ts';
import { readContext, readListings, textOf } from '../listings/read-listing.ts';
import { toInvalid, validateBatch } from '../listings/validate-batch.ts';
import { printJson } from '../terminal/print-json.ts';

export async function runValidate(run: CommandRun): Promise<number> {
  const { output, terminal } = run;
  const results = await validateAll(run);
  const validCount = results.filter(({ kind }) => kind === 'ready').length;
  if (output.json) {
    const files = results.map((result) => ({
      file: result.source.file,
      valid: result.kind === 'ready',
      detail: detailOf(result),
      warnings: warningsOf(result.source),
    }));
    printJson(terminal, { valid: validCount === results.length, files });
  } else {
    const frameColumns = terminal.stdoutIsTty ? terminal.columns : null;
    for (const result of results) {
      // With --quiet only violations are worth a line.
      if (result.kind === 'ready' && output.quiet) continue;
      const lines = await formatValidation(result, terminal.styles.out, { frameColumns });
      for (const line of lines) terminal.print(line);
    }
    if (results.length > 1) run.info(`${validCount} of ${results.length} listings are valid`);
  }
  if (run.host.env.GITHUB_ACTIONS === 'true') {
    const { toAnnotations } = await import('../listings/github-annotations.ts');
    const { cwd } = await run.host.machine();
    const places = { cwd, workspace: run.host.env.GITHUB_WORKSPACE };
    for (const line of toAnnotations(results, places)) terminal.command(line);
  }
  return exitCodeOfListings(results, { isBatch: true, isInterrupted: false, isRendered: false });
}

async function validateAll(run: CommandRun): Promise<(InvalidListing | ReadyListing)[]> {
  const context = await readContext(run);
  const settings = await run.settings();
  const results = await readListings(await collectInputs(run.args, context.cwd, context), context);
  // Without a valid listing there is nothing to open the store for.
  if (!results.some(({ kind }) => kind === 'valid'))
    return results.filter((result) => result.kind === 'invalid');
  const backend = await run.backend();
  // A server that cannot be asked counts as one without.
  const server = settings.server === undefined ? null : await askServer(run, results, settings.server);
  const options = await readTaskOptions(run.options as CreateOptions, settings, context);
  const templateIds = await backend.templateIds();
  const rules = { options, out: settings.out, templateIds, server, isOnlyCheck: true };
  const batch = await validateBatch(results, rules);
  const limit = pLimit(settings.concurrency);
  return Promise.all(batch.map((result) => limit(() => checkOne(run, result))));
}

/** The server, if it cannot read files that the listings name. */
async function askServer(
  run: CommandRun,
  results: readonly (InvalidListing | ValidListing)[],
  server: string,
): Promise<string | null> {
  const { serverWithoutFiles } = await import('../listings/server-without-files.ts');
  return serverWithoutFiles(run.backend, results).catch(() => server);
}

async function checkOne(
  run: CommandRun,
  result: InvalidListing | ReadyListing,
): Promise<InvalidListing | ReadyListing> {
  if (result.kind === 'invalid') return result;
  run.signal.throwIfAborted();
  const { violations, warnings } = await (await run.backend()).check(result.payload, run.signal);
  if (violations.length === 0 && warnings.length === 0) return result;
  const text = await textOf(result.source);
  const all = [...result.source.warnings, ...placeWarnings(warnings, text)].sort(byPlace);
  const source = { ...result.source, text, warnings: all };
  if (violations.length === 0) return { ...result, source };
  return toInvalid({ source, listing: result.payload.listing }, violations);
}

/** In the order of the file; those without a place come first. */
function byPlace({ place: a }: PlacedWarning, { place: b }: PlacedWarning): number {
  return (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0);
}
