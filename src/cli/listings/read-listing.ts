/** Reads the listings of files and stdin, and validates each by itself. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { findJsonFault, placeAt, type TextPlace } from '../../listing/json/json-places.ts';
import type { Violation } from '../../listing/listing.ts';
import { type AllowedFolders, pathToRead } from '../../platform/disk/allowed-folders.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import type { CommandRun } from '../command-run.ts';
import { type ListingInput, photosHint } from './collect-inputs.ts';
import type { InvalidListing, ListingSource, ValidListing } from './listing-result.ts';
import { type PlacedViolation, placeUnknown, placeViolations } from './place-findings.ts';
import { readInputBytes } from './read-input-bytes.ts';
import { isNdjsonName, looksLikeNdjson, splitLines } from './split-ndjson.ts';

export interface ReadContext {
  readonly cwd: string;
  readonly untrusted: boolean;
  readonly stdin: Readable;
  readonly signal: AbortSignal;
  /** Absent: files can be anywhere. */
  readonly folders?: AllowedFolders | undefined;
}

export async function readContext({ host, settings, terminal, signal }: CommandRun): Promise<ReadContext> {
  const [{ cwd }, { untrusted }] = [await host.machine(), await settings()];
  return { cwd, untrusted, stdin: terminal.stdin, signal, folders: host.folders };
}

/**
 * The listings of all inputs, in their order. An input that cannot be read gives a violation of type `json_invalid`.
 *
 * @throws The abort reason of the run.
 */
export async function readListings(
  inputs: readonly ListingInput[],
  context: ReadContext,
): Promise<(InvalidListing | ValidListing)[]> {
  const results: (InvalidListing | ValidListing)[] = [];
  for (const input of inputs) {
    context.signal.throwIfAborted();
    for (const result of await readInput(input, context)) results.push(result);
  }
  return results;
}

/** One listing, or as many as a file or stream of NDJSON has lines. */
async function readInput(
  input: ListingInput,
  { cwd, untrusted, stdin, signal, folders }: ReadContext,
): Promise<(InvalidListing | ValidListing)[]> {
  const base = {
    file: input.name,
    path: input.path,
    firstLine: 1,
    baseDir: input.path === null ? cwd : path.dirname(input.path),
  };
  if (untrusted && input.path !== null && !(await isHere(cwd, input.path))) {
    return [unreadable(base, 'it is a symbolic link to another folder')];
  }
  const file = input.path && pathToRead(input.path, null, folders);
  if (file === null && input.path !== null)
    return [unreadable(base, 'it is outside of the folders that can be used here')];
  const bytes = input.problem ?? (await readInputBytes({ ...input, path: file }, { stdin, signal }));
  if (typeof bytes === 'string') return [unreadable(base, bytes, input)];
  const isNdjson = isNdjsonName(input.name) || (input.path === null && looksLikeNdjson(bytes));
  const parts = isNdjson ? splitLines(bytes) : [{ line: 1, bytes }];
  if (parts.length === 0) return [unreadable(base, 'there is no listing in it')];
  const results: (InvalidListing | ValidListing)[] = [];
  for (const { line, bytes: text } of parts) {
    signal.throwIfAborted();
    const place = isNdjson ? { ...base, file: `${input.name}:${line}`, firstLine: line } : base;
    const result = await validate(place, text, input.name, { untrusted, folders });
    results.push(!isNdjson && (await isPhoto(result)) ? notAListing(base) : result);
  }
  return results;
}

/** True for a photo where a listing is expected. */
async function isPhoto(result: InvalidListing | ValidListing): Promise<boolean> {
  const { path: file } = result.source;
  if (result.kind === 'valid' || file === null || result.detail[0]?.type !== 'json_invalid') return false;
  const { findPhotoProblem } = await import('../../video/find-photo-problem.ts');
  return (await findPhotoProblem(file)) === null;
}

/** A link of a stranger must not choose the folder: below the working folder the file itself must be there too. */
async function isHere(cwd: string, file: string): Promise<boolean> {
  const { isInside, realPathInside } = await import('../../platform/disk/path-inside.ts');
  return realPathInside(isInside(cwd, file) ? cwd : path.dirname(file), file) !== null;
}

async function validate(
  { baseDir, ...place }: Base,
  bytes: Uint8Array,
  fileName: string,
  { untrusted, folders }: Pick<ReadContext, 'untrusted' | 'folders'>,
): Promise<InvalidListing | ValidListing> {
  const [{ MAX_LISTING_VALUES, parseListingText }, { validateListing }, { findUnknownProperties }] =
    await Promise.all([
      import('../../listing/json/parse-json.ts'),
      import('../../listing/rules/validate-listing.ts'),
      import('../../listing/rules/unknown-properties.ts'),
    ]);
  const options = { maxValues: MAX_LISTING_VALUES, firstLine: place.firstLine };
  const parsed = attempt(() => parseListingText(bytes, fileName, options));
  if (parsed instanceof ListingVideoError) return unparsable(place, parsed, bytes);
  const validation = validateListing(parsed.value, { allowLocalFiles: true });
  const unknown = findUnknownProperties(parsed.value);
  const warnings = placeUnknown(unknown, parsed.text);
  const invalid = (detail: readonly Violation[]): InvalidListing => ({
    kind: 'invalid',
    source: { ...place, warnings, text: parsed.text },
    listing: null,
    detail: placeViolations(detail, parsed.text, unknown),
  });
  if (!validation.ok) return invalid(validation.violations);
  if (untrusted || folders !== undefined) {
    const { findOutsideFiles } = await import('../../video/find-outside-files.ts');
    const outside = findOutsideFiles(validation.listing, baseDir, { untrusted, folders });
    if (outside.length > 0) return invalid(outside);
  }
  // A line of NDJSON is kept: to read the whole file again for each of many lines takes minutes and gigabytes.
  const isLine = place.file !== fileName;
  const text = warnings.length > 0 || isLine ? parsed.text : null;
  return { kind: 'valid', source: { ...place, warnings, text }, listing: validation.listing, baseDir };
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

function unparsable(place: Place, error: ListingVideoError, bytes: Uint8Array): InvalidListing {
  if (error.code === 'body_too_large') {
    const msg = `Value error, ${error.message}`;
    const violation = { loc: ['body'], msg, type: 'value_error', ctx: { error: error.message } };
    return invalidAt(place, placeViolations([violation], null));
  }
  const { line, column, frame: _, file, ...facts } = error.context ?? {};
  const text = new TextDecoder().decode(bytes);
  const violation: PlacedViolation = {
    loc: ['body'],
    msg: error.message,
    type: 'json_invalid',
    ctx: { line, column, ...facts, ...(error.hint === undefined ? {} : { hint: error.hint }) },
    message: error.message.replace(`${file}:${line}:${column}: `, ''),
    place: faultPlace(text, Number(line) - place.firstLine + 1, Number(column)),
  };
  return invalidAt(place, [violation], text);
}

/** The whole offending part; where the bytes are no text, the place alone. */
function faultPlace(text: string, line: number, column: number): TextPlace {
  const fault = findJsonFault(text);
  const found = fault && placeAt(text, fault.offset, fault.length);
  return found?.line === line && found.column === column ? found : { line, column, length: 1 };
}

/** Where a {@link ListingSource} is. */
type Place = Pick<ListingSource, 'file' | 'path' | 'firstLine'>;
type Base = Place & Pick<ValidListing, 'baseDir'>;

function notAListing(base: Base): InvalidListing {
  return unreadable(base, 'it is a photo, not a listing', { hint: photosHint(path.dirname(base.file)) });
}

/** @param reason - Continues the name of the file. */
function unreadable(
  { baseDir: _, ...place }: Base,
  reason: string,
  { hint, isMissing }: Pick<ListingInput, 'hint' | 'isMissing'> = {},
): InvalidListing {
  const type = isMissing === true ? 'file_not_found' : 'json_invalid';
  const violation = { loc: ['body'], msg: `cannot read ${place.file}: ${reason}`, type };
  const ctx = hint === undefined ? {} : { ctx: { hint } };
  return invalidAt(place, [{ ...violation, ...ctx, message: reason, place: null }]);
}

function invalidAt(
  place: Place,
  detail: readonly PlacedViolation[],
  text: string | null = null,
): InvalidListing {
  return { kind: 'invalid', source: { ...place, warnings: [], text }, listing: null, detail };
}

/**
 * The text of a valid listing. That of a file is not kept, and read again when it turned out not to fit. Null where
 * it cannot be read twice, as from a pipe.
 */
export async function textOf({ text, path: file }: ListingSource): Promise<string | null> {
  if (text !== null || file === null) return text;
  const whole = await readFile(file, 'utf8').catch(() => null);
  return whole?.replace(/^\uFEFF/, '') ?? null;
}
