/** The work of `create`: reads and validates all inputs first, then runs each ready listing as a task. */
import path from 'node:path';
import { templatesDirsOf } from '../../platform/settings/setting-table.ts';
import { toListingVideoError, usageError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { exitCodeOfListings } from '../exit-code.ts';
import { collectInputs } from '../listings/collect-inputs.ts';
import { logValidation } from '../listings/format-validation.ts';
import type { InvalidListing, ListingResult, ReadyListing } from '../listings/listing-result.ts';
import { readListings } from '../listings/read-listing.ts';
import { invalidListingError, isUnreadable, validateBatch } from '../listings/validate-batch.ts';
import { requireTemplatesDir } from '../templates/find-template.ts';
import { type BatchEvents, createBatchEvents } from './batch-events.ts';
import type { CreateOptions } from './create-options.ts';
import { fitForServer } from './server-options.ts';
import type { LiveManifest } from './reporters/manifest-file.ts';
import { manifestName } from './reporters/manifest.ts';
import { type EventFile, openEventFile } from './open-event-file.ts';
import { prepareFile } from './prepare-file.ts';
import { printBatch } from './print-batch.ts';
import { printDryRuns } from './print-dry-run.ts';
import { reportBatch } from './report-batch.ts';
import { runBatch } from './run-batch.ts';
import { pickShard } from './shard.ts';
import { parseData, readTaskOptions } from './task-options.ts';

/** Runs the command; returns its exit code. */
export async function runCreate(run: CommandRun<CreateOptions>): Promise<number> {
  if (run.options.watch !== true) return createOnce(run);
  await fitForServer(run);
  const { watchListings } = await import('./watch-listings.ts');
  return watchListings(run, () => createOnce(run));
}

async function createOnce(run: CommandRun<CreateOptions>): Promise<number> {
  let file: EventFile | null = null;
  const events = createBatchEvents(run, (line) => {
    file?.write(line);
    if (run.options.events === 'ndjson') run.terminal.stderr.write(`${line}\n`);
  });
  const results: ListingResult[] = [];
  try {
    file = await openEvents(run);
    const exitCode = await createAll(run, events, results);
    events.finished(exitCode, results, null);
    return exitCode;
  } catch (thrown) {
    const error = toListingVideoError(thrown);
    const { code, message, hint } = error;
    const facts = { code, message, ...(hint === undefined ? {} : { hint }) };
    events.finished(error.exitCode, results, facts);
    throw thrown;
  } finally {
    await file?.close();
  }
}

/** @param results - Empty; gets the results as soon as all listings have ended. */
async function createAll(
  run: CommandRun<CreateOptions>,
  events: BatchEvents,
  results: ListingResult[],
): Promise<number> {
  const { dryRun: isDryRun, shard = null, failFast: isFailFast = false, events: format } = run.options;
  const report = await pathOf(run, run.options.report ?? run.options.reportJunit);
  if (isDryRun && (report !== null || run.options.eventsFile !== undefined || format !== undefined)) {
    throw usageError(
      '--dry-run makes no tasks to report on',
      'leave out --report and --events, or use --json',
    );
  }
  const server = await fitForServer(run);
  if (report !== null) await prepareFile(report, '--report');
  const all = await validateAll(run, server);
  if (server === null) await inBatch(run, all, () => requireKnownData(run, all));
  const isBatch = all.length > 1 || shard !== null;
  const listings = shard === null ? all : pickShard(all, shard);
  await logFindings(run, listings, isBatch);
  if (isDryRun) return printDryRuns(run, listings, isBatch);
  const startedMs = run.host.nowMs();
  events.started(listings.length, shard);
  if (listings.length === 0) run.info('this shard has no listings');
  const manifest = isBatch ? await openManifest(run, listings, startedMs) : null;
  const onChange = (index: number, result: ListingResult | 'running') => manifest?.change(index, result);
  try {
    results.push(...(await runBatch(run, { listings, isFailFast, isBatch, events, onChange })));
  } catch (thrown) {
    await finishFailed(manifest, listings, thrown);
    throw thrown;
  }
  const exit = { isBatch, isInterrupted: run.signal.aborted, isRendered: true };
  const mayAnnotate = format === undefined;
  const facts = { exit, startedMs, manifest, report, mayAnnotate };
  const writeErrors = await reportBatch(run, results, facts);
  const [only] = results;
  if (!isBatch && only) {
    if (only.kind === 'invalid') throw invalidListingError(only, only.listing && server);
    if (only.kind === 'rejected') throw invalidListingError(only, server);
    if (only.kind === 'failed') throw only.error;
  }
  if (run.output.json) printBatch(run, results, isBatch);
  return exitCodeOfListings(results, { ...exit, writeErrors });
}

/** The listings of all words, validated together: also those of other shards, since their folders must differ. */
async function validateAll(
  run: CommandRun<CreateOptions>,
  server: string | null,
): Promise<(InvalidListing | ReadyListing)[]> {
  const settings = await run.settings();
  const { source } = (await run.resolvedSettings()).templatesDir;
  // A saved folder can be away while nothing of it is used.
  if (source === 'flag') await requireTemplatesDir(run);
  const { cwd } = await run.host.machine();
  await requireTwoRatios(run);
  const options = await readTaskOptions(run);
  const inputs = await collectInputs(run.args, cwd, settings);
  const results = await readListings(run, inputs);
  return inBatch(run, results, async () => {
    const serverWithout =
      server === null
        ? null
        : await (await import('../listings/server-without-files.ts')).serverWithoutFiles(run, results);
    // Invalid listings are reported whatever the state of the store, so only valid ones open it.
    const isUsed = results.some(({ kind }) => kind === 'valid');
    const templateIds = isUsed ? await (await run.backend()).templateIds() : [];
    return validateBatch(results, { options, out: settings.out, templateIds, server: serverWithout });
  });
}

/** @throws ListingVideoError `usage` for a `--data` key that no template of these listings has. */
async function requireKnownData(
  run: CommandRun<CreateOptions>,
  listings: readonly (InvalidListing | ReadyListing)[],
): Promise<void> {
  const data = parseData(run.options.data);
  if (data === undefined) return;
  const settings = await run.settings();
  const { requireDataLayers } = await import('../templates/require-data-layers.ts');
  await requireDataLayers(data, {
    agents: listings.flatMap((each) => (each.kind === 'ready' ? each.payload.listing.agents : [])),
    templateId: settings.template,
    templatesDirs: templatesDirsOf(settings),
  });
}

/** What ends a batch before its first listing, such as an unknown template, is in the manifest, instead of the last run's results. */
async function inBatch<T>(
  run: CommandRun<CreateOptions>,
  results: readonly ListingResult[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const { shard = null, dryRun: isDryRun } = run.options;
    const isBatch = results.length > 1 || shard !== null;
    if (isBatch && !isDryRun) {
      const listings = shard === null ? results : pickShard(results, shard);
      // A manifest of another program stays, and the first error says more.
      const manifest = await openManifest(run, listings, run.host.nowMs()).catch(() => null);
      await finishFailed(manifest, listings, thrown);
    }
    throw thrown;
  }
}

/** @throws ListingVideoError `usage` for a manifest.json of somebody else. */
async function openManifest(
  run: CommandRun<CreateOptions>,
  listings: readonly ListingResult[],
  startedMs: number,
): Promise<LiveManifest> {
  const { requireOwnManifest, startManifest } = await import('./reporters/manifest-file.ts');
  const { out } = await run.settings();
  const { shard = null } = run.options;
  await requireOwnManifest(path.join(out, manifestName(shard)));
  return startManifest(run, listings, { out, shard, startedMs });
}

/** The error that ended the command says more than one about the manifest. */
async function finishFailed(
  manifest: LiveManifest | null,
  listings: readonly ListingResult[],
  thrown: unknown,
): Promise<void> {
  const { exitCode, code, message } = toListingVideoError(thrown);
  await manifest?.finish(listings, exitCode, { code, message }).catch(() => {});
}

/** @throws ListingVideoError `usage` when `--also-ratio` names the ratio that every video has. */
async function requireTwoRatios(run: CommandRun): Promise<void> {
  const { ratio, alsoRatio } = await run.resolvedSettings();
  if (alsoRatio.source !== 'flag' || alsoRatio.value === undefined || ratio.value !== alsoRatio.value) return;
  const other = ratio.value === '1080:1920' ? '1920:1080' : '1080:1920';
  throw usageError(
    `--also-ratio ${ratio.value}: every video has this ratio already`,
    `--also-ratio ${other}, or leave out --also-ratio`,
  );
}

/** Absolute; null without a word. */
async function pathOf(run: CommandRun, word: string | undefined): Promise<string | null> {
  return word === undefined ? null : path.resolve((await run.host.machine()).cwd, word);
}

async function openEvents(run: CommandRun<CreateOptions>): Promise<EventFile | null> {
  const file = await pathOf(run, run.options.eventsFile);
  if (file === null) return null;
  return openEventFile(file, (error) => {
    run.terminal.log(`warning: cannot write more events to ${file} (${error.code ?? error.message})`);
  });
}

/** Logs the violations of invalid listings and the warnings of all. With --json the document holds the violations. */
async function logFindings(
  run: CommandRun,
  results: readonly ListingResult[],
  isBatch: boolean,
): Promise<void> {
  const { json, quiet } = run.output;
  for (const result of results) {
    const isShown = result.kind === 'invalid' ? !json : !quiet && result.source.warnings.length > 0;
    // The error that ends the command says what is wrong.
    const hasOnlyFrame = !isBatch && result.kind === 'invalid' && isUnreadable(result);
    if (isShown) await logValidation(run, result, hasOnlyFrame);
  }
}
