/** One run of `create`: reads and validates all listings first, then renders each ready one and tells every output. */
import type { ListingVideoError } from '../../platform/errors.ts';
import { toListingVideoError } from '../cli-error.ts';
import { collectInputs } from '../listings/collect-inputs.ts';
import { logFindings } from '../listings/format-validation.ts';
import type { InvalidListing, ListingResult, ReadyListing } from '../listings/listing-result.ts';
import { readListings } from '../listings/read-listing.ts';
import { serverWithoutFiles } from '../listings/server-without-files.ts';
import { invalidListingError, validateBatch } from '../listings/validate-batch.ts';
import { pickShard, type Shard } from './create-options.ts';
import type { CreateDeps, CreateOutputs, CreateRequest } from './create-request.ts';
import { type EventFile, openEventFile } from './output-files.ts';
import { printDryRuns } from './print-dry-run.ts';
import { renderListings } from './render-listings.ts';
import { eventsReporter } from './reporters/events.ts';
import type { Batch } from './reporters/reporter.ts';
import { createReporters, Reporters } from './reporters/reporters.ts';

/**
 * @param readRequest - Its errors are reported as events too.
 * @returns The exit code.
 */
export async function createVideos(
  outputs: CreateOutputs,
  readRequest: () => Promise<CreateRequest>,
  deps: CreateDeps,
): Promise<number> {
  const { printer, signal } = deps;
  let file: EventFile | null = null;
  const events = eventsReporter(outputs.shard, deps, (line) => {
    file?.write(line);
    if (outputs.events) printer.terminal.stderr.write(`${line}\n`);
  });
  const reporters = new Reporters([events], deps);
  let batch: Batch = { listings: [], isBatch: false };
  try {
    if (outputs.eventsFile !== null) file = await openEventFile(outputs.eventsFile, printer);
    const request = await readRequest();
    reporters.prepend(createReporters(request, deps));
    await readBatch(request, deps, (results) => {
      batch = toBatch(results, outputs.shard);
    });
    await logFindings(printer, batch);
    if (request.isDryRun) return await printDryRuns(batch, deps);
    if (batch.listings.length === 0) printer.info('this shard has no listings');
    await reporters.start(batch);
    const listings = await renderListings(batch.listings, request, {
      ...deps,
      report: (change) => reporters.change(change),
    });
    const ended = { ...batch, listings };
    const error = errorOf(ended, request.server);
    const exitCode = await reporters.finish({ ...ended, error, isInterrupted: signal.aborted });
    if (error !== null) throw error;
    return exitCode;
  } catch (thrown) {
    const error = toListingVideoError(thrown);
    await reporters.fail({ ...batch, error, isInterrupted: signal.aborted });
    throw thrown;
  } finally {
    await file?.close();
  }
}

function toBatch(results: readonly ListingResult[], shard: Shard | null): Batch {
  return { listings: pickShard(results, shard), isBatch: results.length > 1 || shard !== null };
}

/**
 * The listings of all words, validated together: also those of other shards, since their folders must differ.
 *
 * @param onRead - Called with what is known of the listings, before a rule of the batch can end the command.
 */
async function readBatch(
  { words, reading, server, options, settings: { out }, templatesDirs }: CreateRequest,
  { backend }: CreateDeps,
  onRead: (results: readonly ListingResult[]) => void,
): Promise<void> {
  const results = await readListings(await collectInputs(words, reading.cwd, reading), reading);
  onRead(results);
  const serverWithout = server === null ? null : await serverWithoutFiles(backend, results);
  // Invalid listings are reported whatever the state of the store, so only valid ones open it.
  const isUsed = results.some(({ kind }) => kind === 'valid');
  const templateIds = isUsed ? await (await backend()).templateIds() : [];
  const all = await validateBatch(results, { options, out, templateIds, server: serverWithout });
  onRead(all);
  const { templateData, templateId } = options;
  if (server !== null || templateData === undefined) return;
  const { requireDataLayers } = await import('../templates/require-data-layers.ts');
  await requireDataLayers(templateData, { agents: agentsOf(all), templateId, templatesDirs });
}

function agentsOf(listings: readonly (InvalidListing | ReadyListing)[]) {
  return listings.flatMap((each) => (each.kind === 'ready' ? each.payload.listing.agents : []));
}

/** What ends the command when its single listing has no videos and no task. */
function errorOf({ listings: [only], isBatch }: Batch, server: string | null): ListingVideoError | null {
  if (isBatch || only === undefined) return null;
  if (only.kind === 'invalid') return invalidListingError(only, only.listing && server);
  if (only.kind === 'rejected') return invalidListingError(only, server);
  return only.kind === 'failed' ? only.error : null;
}
