/** Reads the one listing that a preview shows. */
import type { Listing } from '../../listing/listing.ts';
import { usageError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { collectInputs, SAMPLE_INPUT } from '../listings/collect-inputs.ts';
import { readContext, readListings } from '../listings/read-listing.ts';
import { invalidListingError } from '../listings/validate-batch.ts';

/** The listing of the word; the built-in one without a word. @throws ListingVideoError `usage`, `invalid_listing`. */
export async function readOneListing(
  run: CommandRun,
  word: string | undefined,
): Promise<{ listing: Listing; baseDir: string }> {
  const context = await readContext(run);
  const inputs = word === undefined ? [SAMPLE_INPUT] : await collectInputs([word], context.cwd, context);
  if (inputs.length > 1) throw usageError(`${word} names ${inputs.length} listings`, 'name one of them');
  const results = await readListings(inputs, context);
  if (results.length > 1) throw usageError(`${word} has ${results.length} listings`, 'name a file with one');
  const [result] = results;
  if (result!.kind === 'invalid') throw invalidListingError(result!);
  return result!;
}
