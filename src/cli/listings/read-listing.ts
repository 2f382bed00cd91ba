/** Reads the listings of one input, a file or stdin, and judges each: violations, warnings, or the listing itself. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { ListingVideoError } from '../../errors.ts';
import type { Listing, ListingWarning, Violation } from '../../listing/listing.ts';
import type { ListingInput } from './collect-inputs.ts';
import { readInputBytes } from './read-input-bytes.ts';
import { inPlace, isNdjsonName, looksLikeNdjson, splitLines } from './split-ndjson.ts';

/** What became of one listing. */
export interface ListingVerdictOfFile {
  /** As it is shown: the name of its {@link ListingInput}, and for a line of NDJSON its number: `new.ndjson:3`. */
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
 * The listings of all inputs, in their order. Never throws for what is wrong with an input: that is a violation of type
 * `json_invalid`.
 *
 * @throws The abort reason of `options.signal`.
 */
export async function readListings(
  inputs: readonly ListingInput[],
  options: ReadListingOptions,
): Promise<ListingVerdictOfFile[]> {
  const verdicts: ListingVerdictOfFile[] = [];
  for (const input of inputs) {
    options.signal.throwIfAborted();
    for (const verdict of await readInput(input, options)) verdicts.push(verdict);
  }
  return verdicts;
}

/** One listing, or as many as a file or stream of NDJSON has lines. */
async function readInput(input: ListingInput, options: ReadListingOptions): Promise<ListingVerdictOfFile[]> {
  const base = {
    file: input.name,
    path: input.path,
    baseDir: input.path === null ? options.cwd : path.dirname(input.path),
  };
  const bytes = input.problem === null ? await readInputBytes(input, options) : input.problem;
  if (typeof bytes === 'string') return [unreadable(base, `cannot read ${input.name}: ${bytes}`)];
  const isNdjson = isNdjsonName(input.name) || (input.path === null && looksLikeNdjson(bytes));
  if (!isNdjson) return [await judge(base, bytes, input.name)];

  const lines = splitLines(bytes);
  if (lines.length === 0) return [unreadable(base, `no listing in ${input.name}`)];
  const verdicts: ListingVerdictOfFile[] = [];
  for (const line of lines) {
    options.signal.throwIfAborted();
    verdicts.push(await judge({ ...base, file: `${input.name}:${line.line}` }, inPlace(line), input.name));
  }
  return verdicts;
}

async function judge(base: Base, bytes: Uint8Array, fileName: string): Promise<ListingVerdictOfFile> {
  const [{ parseListingText }, { validateListing }, { findUnknownProperties }] = await Promise.all([
    import('../../listing/json/parse-json.ts'),
    import('../../listing/rules/validate-listing.ts'),
    import('../../listing/rules/unknown-properties.ts'),
  ]);
  const parsed = attempt(() => parseListingText(bytes, fileName));
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

/**
 * With its text again, which nobody keeps of a listing that is valid: for what another finds wrong with it, to be shown
 * where it stands. What came through a pipe has no second reading.
 */
export async function withText(verdict: ListingVerdictOfFile): Promise<ListingVerdictOfFile> {
  const { path: file, text, listing } = verdict;
  if (file === null || text !== null || listing === null || isNdjsonName(file)) return verdict;
  const again = await readFile(file, 'utf8').catch(() => null);
  return { ...verdict, text: again?.replace(/^\uFEFF/, '') ?? null };
}
