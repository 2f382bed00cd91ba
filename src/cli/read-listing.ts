/** Reads one listing from file or stdin and judges it: violations, warnings, or the listing itself. */
import { open } from 'node:fs/promises';
import path from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { ListingVideoError } from '../errors.ts';
import type { Listing, ListingWarning, Violation } from '../listing/listing.ts';
import { type ListingInput, unreadableBecause } from './collect-inputs.ts';

/** What became of one input. */
export interface ListingVerdictOfFile {
  /** As it is shown: the name of its {@link ListingInput}. */
  readonly file: string;
  /** Absolute; null for stdin. */
  readonly path: string | null;
  /** Folder that relative paths in the listing resolve against, absolute. */
  readonly baseDir: string;
  /** Null when `detail` has something to say. */
  readonly listing: Listing | null;
  readonly detail: readonly Violation[];
  readonly warnings: readonly ListingWarning[];
  /** The text, for showing the offending line; null when there is none or the listing is valid without warnings. */
  readonly text: string | null;
  /** Caret view of the place where the text stops being JSON. */
  readonly frame: string | null;
}

export interface ReadListingOptions {
  readonly cwd: string;
  readonly stdin: Readable;
  /** Ends the wait for a listing that nobody types. */
  readonly signal: AbortSignal;
}

/** A listing of 100 assets and 20 agents is some 200 kB; this bounds what a wrong file can cost. */
export const MAX_LISTING_BYTES = 64 * 1024 * 1024;

/**
 * Never throws for what is wrong with the input: that is a violation of type `json_invalid`.
 *
 * @throws The abort reason of `options.signal`.
 */
export async function readListing(
  input: ListingInput,
  options: ReadListingOptions,
): Promise<ListingVerdictOfFile> {
  const base = {
    file: input.name,
    path: input.path,
    baseDir: input.path === null ? options.cwd : path.dirname(input.path),
  };
  const bytes = input.problem === null ? await readBytes(input, options) : input.problem;
  if (typeof bytes === 'string') return unreadable(base, `cannot read ${input.name}: ${bytes}`);

  const [{ parseListingText }, { validateListing }, { findUnknownProperties }] = await Promise.all([
    import('../listing/parse-json.ts'),
    import('../listing/validate-listing.ts'),
    import('../listing/unknown-properties.ts'),
  ]);
  const parsed = attempt(() => parseListingText(bytes, input.name));
  if (parsed instanceof ListingVideoError) return unparsable(base, parsed);
  const verdict = validateListing(parsed.value, { allowLocalFiles: true });
  const warnings = findUnknownProperties(parsed.value);
  const isClean = verdict.ok && warnings.length === 0;
  return {
    ...base,
    listing: verdict.ok ? verdict.listing : null,
    detail: verdict.ok ? [] : verdict.violations,
    warnings,
    text: isClean ? null : parsed.text,
    frame: null,
  };
}

/** A file that is not JSON is a finding about it, not an end of the command. */
function attempt<T>(parse: () => T): T | ListingVideoError {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ListingVideoError) return error;
    throw error;
  }
}

function unparsable(base: Base, error: ListingVideoError): ListingVerdictOfFile {
  const { line, column, frame, file: _, ...facts } = error.context ?? {};
  const violation: Violation = {
    loc: ['body'],
    msg: error.message,
    type: 'json_invalid',
    ctx: { line, column, ...facts, ...(error.hint === undefined ? {} : { hint: error.hint }) },
  };
  const shown = typeof frame === 'string' ? frame : null;
  return { ...base, listing: null, detail: [violation], warnings: [], text: null, frame: shown };
}

type Base = Pick<ListingVerdictOfFile, 'file' | 'path' | 'baseDir'>;

function unreadable(base: Base, reason: string): ListingVerdictOfFile {
  const violation: Violation = { loc: ['body'], msg: reason, type: 'json_invalid' };
  return { ...base, listing: null, detail: [violation], warnings: [], text: null, frame: null };
}

/** The bytes, or the reason why there are none. */
async function readBytes(
  input: ListingInput,
  { stdin, signal }: ReadListingOptions,
): Promise<Buffer | string> {
  try {
    if (input.path === null) return await readAll(addAbortSignal(signal, stdin));
    const file = await open(input.path, 'r');
    try {
      return await readAll(file.createReadStream({ autoClose: false, signal }));
    } finally {
      await file.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    return unreadableBecause(error);
  }
}

async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk));
    sizeBytes += chunk.length;
    if (sizeBytes > MAX_LISTING_BYTES) throw new Error(`it is larger than ${MAX_LISTING_BYTES >> 20} MiB`);
  }
  return Buffer.concat(chunks);
}
