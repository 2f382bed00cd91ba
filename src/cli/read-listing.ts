/** Reads one listing from file or stdin and judges it: violations, warnings, or the listing itself. */
import path from 'node:path';
import type { Readable } from 'node:stream';
import { ListingVideoError } from '../errors.ts';
import type { Listing, ListingWarning, Violation } from '../listing/listing.ts';
import type { ListingInput } from './collect-inputs.ts';
import { readInputBytes } from './read-input-bytes.ts';

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
  const bytes = input.problem === null ? await readInputBytes(input, options) : input.problem;
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
