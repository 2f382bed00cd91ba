/** Reads the listings of files and stdin, and validates each by itself. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ListingVideoError } from '../../errors.ts';
import type { Violation } from '../../listing/listing.ts';
import type { CommandRun } from '../command-run.ts';
import type { ListingInput } from './collect-inputs.ts';
import type { InvalidListing, ListingResult, ListingSource, ValidListing } from './listing-result.ts';
import { readInputBytes } from './read-input-bytes.ts';
import { isNdjsonName, looksLikeNdjson, splitLines } from './split-ndjson.ts';

/**
 * The listings of all inputs, in their order. An input that cannot be read gives a violation of type `json_invalid`.
 *
 * @throws The abort reason of the run.
 */
export async function readListings(
  run: CommandRun,
  inputs: readonly ListingInput[],
): Promise<(InvalidListing | ValidListing)[]> {
  const results: (InvalidListing | ValidListing)[] = [];
  for (const input of inputs) {
    run.signal.throwIfAborted();
    for (const result of await readInput(run, input)) results.push(result);
  }
  return results;
}

/** One listing, or as many as a file or stream of NDJSON has lines. */
async function readInput(run: CommandRun, input: ListingInput): Promise<(InvalidListing | ValidListing)[]> {
  const base = {
    file: input.name,
    path: input.path,
    firstLine: 1,
    baseDir: input.path === null ? (await run.host.machine()).cwd : path.dirname(input.path),
  };
  const { signal, terminal } = run;
  const { untrusted } = await run.settings();
  if (untrusted && input.path !== null && !(await isHere(run, input.path))) {
    return [unreadable(base, `cannot read ${input.name}: it is a symbolic link to another folder`)];
  }
  const bytes = input.problem ?? (await readInputBytes(input, { stdin: terminal.stdin, signal }));
  if (typeof bytes === 'string') return [unreadable(base, `cannot read ${input.name}: ${bytes}`)];
  const isNdjson = isNdjsonName(input.name) || (input.path === null && looksLikeNdjson(bytes));
  if (!isNdjson) return [await validate(base, bytes, input.name, untrusted)];

  const lines = splitLines(bytes);
  if (lines.length === 0) return [unreadable(base, `no listing in ${input.name}`)];
  const results: (InvalidListing | ValidListing)[] = [];
  for (const { line, bytes: text } of lines) {
    signal.throwIfAborted();
    const place = { ...base, file: `${input.name}:${line}`, firstLine: line };
    results.push(await validate(place, text, input.name, untrusted));
  }
  return results;
}

/** A link of a stranger must not choose the folder: below the working folder the file itself must be there too. */
async function isHere(run: CommandRun, file: string): Promise<boolean> {
  const { isInside, realPathInside } = await import('../../disk/path-inside.ts');
  const { cwd } = await run.host.machine();
  return realPathInside(isInside(cwd, file) ? cwd : path.dirname(file), file) !== null;
}

async function validate(
  { baseDir, ...place }: Base,
  bytes: Uint8Array,
  fileName: string,
  isUntrusted: boolean,
): Promise<InvalidListing | ValidListing> {
  const [{ MAX_LISTING_VALUES, parseListingText }, { validateListing }, { findUnknownProperties }] =
    await Promise.all([
      import('../../listing/json/parse-json.ts'),
      import('../../listing/rules/validate-listing.ts'),
      import('../../listing/rules/unknown-properties.ts'),
    ]);
  const options = { maxValues: MAX_LISTING_VALUES, firstLine: place.firstLine };
  const parsed = attempt(() => parseListingText(bytes, fileName, options));
  if (parsed instanceof ListingVideoError) return unparsable(place, parsed);
  const validation = validateListing(parsed.value, { allowLocalFiles: true });
  const warnings = findUnknownProperties(parsed.value);
  if (validation.ok && isUntrusted) {
    const { findOutsideFiles } = await import('../../video/find-outside-files.ts');
    const detail = findOutsideFiles(validation.listing, baseDir);
    const source = { ...place, warnings, text: parsed.text, frame: null };
    if (detail.length > 0) return { kind: 'invalid', source, listing: null, detail };
  }
  const text = validation.ok && warnings.length === 0 ? null : parsed.text;
  const source = { ...place, warnings, text, frame: null };
  return validation.ok
    ? { kind: 'valid', source, listing: validation.listing, baseDir }
    : { kind: 'invalid', source, listing: null, detail: validation.violations };
}

/** Text that is not JSON is a finding, not the end of the command. */
function attempt<T>(parse: () => T): T | ListingVideoError {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ListingVideoError) return error;
    throw error;
  }
}

function unparsable(place: Place, error: ListingVideoError): InvalidListing {
  if (error.code === 'body_too_large') {
    const msg = `Value error, ${error.message}`;
    return toInvalid(place, { loc: ['body'], msg, type: 'value_error', ctx: { error: error.message } }, null);
  }
  const { line, column, frame, file: _, ...facts } = error.context ?? {};
  const violation: Violation = {
    loc: ['body'],
    msg: error.message,
    type: 'json_invalid',
    ctx: { line, column, ...facts, ...(error.hint === undefined ? {} : { hint: error.hint }) },
  };
  const shown = typeof frame === 'string' ? frame : null;
  return toInvalid(place, violation, shown);
}

/** Where a {@link ListingSource} is. */
type Place = Pick<ListingSource, 'file' | 'path' | 'firstLine'>;
type Base = Place & Pick<ValidListing, 'baseDir'>;

function unreadable({ baseDir: _, ...place }: Base, reason: string): InvalidListing {
  return toInvalid(place, { loc: ['body'], msg: reason, type: 'json_invalid' }, null);
}

function toInvalid(place: Place, violation: Violation, frame: string | null): InvalidListing {
  const source = { ...place, warnings: [], text: null, frame };
  return { kind: 'invalid', source, listing: null, detail: [violation] };
}

/**
 * The result with its text read again, when a valid file turned out not to fit: its text was not kept. A pipe cannot be
 * read twice.
 */
export async function withText<Result extends ListingResult>(result: Result): Promise<Result> {
  const { source } = result;
  const isKept = source.text !== null || (result.kind === 'invalid' && result.listing === null);
  if (source.path === null || isKept || isNdjsonName(source.path)) return result;
  const text = await readFile(source.path, 'utf8').catch(() => null);
  return { ...result, source: { ...source, text: text?.replace(/^\uFEFF/, '') ?? null } };
}
