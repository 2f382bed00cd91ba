/** Reads the listings of files and stdin, and validates each by itself. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ListingVideoError } from '../../platform/errors.ts';
import { findJsonFault, placeAt, type TextPlace } from '../../listing/json/json-places.ts';
import type { Violation } from '../../listing/listing.ts';
import type { CommandRun } from '../command-run.ts';
import { type ListingInput, photosHint } from './collect-inputs.ts';
import type { InvalidListing, ListingSource, ValidListing } from './listing-result.ts';
import { type PlacedViolation, placeUnknown, placeViolations } from './place-findings.ts';
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
    return [unreadable(base, 'it is a symbolic link to another folder')];
  }
  const bytes = input.problem ?? (await readInputBytes(input, { stdin: terminal.stdin, signal }));
  if (typeof bytes === 'string') return [unreadable(base, bytes, input)];
  const isNdjson = isNdjsonName(input.name) || (input.path === null && looksLikeNdjson(bytes));
  if (!isNdjson) {
    const result = await validate(base, bytes, input.name, untrusted);
    return [(await isPhoto(result)) ? photoInstead(base) : result];
  }

  const lines = splitLines(bytes);
  if (lines.length === 0) return [unreadable(base, 'there is no listing in it')];
  const results: (InvalidListing | ValidListing)[] = [];
  for (const { line, bytes: text } of lines) {
    signal.throwIfAborted();
    const place = { ...base, file: `${input.name}:${line}`, firstLine: line };
    results.push(await validate(place, text, input.name, untrusted));
  }
  return results;
}

/** True for a photo where a listing is expected. */
async function isPhoto({
  kind,
  source: { path: file },
  ...result
}: InvalidListing | ValidListing): Promise<boolean> {
  if (kind === 'valid' || file === null || !('detail' in result)) return false;
  if (result.detail[0]?.type !== 'json_invalid') return false;
  const { findPhotoProblem } = await import('../../video/find-photo-problem.ts');
  return (await findPhotoProblem(file)) === null;
}

function photoInstead(base: Base): InvalidListing {
  return unreadable(base, 'it is a photo, not a listing', { hint: photosHint(path.dirname(base.file)) });
}

/** A link of a stranger must not choose the folder: below the working folder the file itself must be there too. */
async function isHere(run: CommandRun, file: string): Promise<boolean> {
  const { isInside, realPathInside } = await import('../../platform/disk/path-inside.ts');
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
  if (isUntrusted) {
    const { findOutsideFiles } = await import('../../video/find-outside-files.ts');
    const outside = findOutsideFiles(validation.listing, baseDir);
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
    return {
      kind: 'invalid',
      source: sourceOf(place, null),
      listing: null,
      detail: placeViolations([violation], null),
    };
  }
  const { line, column, frame: _, file, ...facts } = error.context ?? {};
  const violation: PlacedViolation = {
    loc: ['body'],
    msg: error.message,
    type: 'json_invalid',
    ctx: { line, column, ...facts, ...(error.hint === undefined ? {} : { hint: error.hint }) },
    message: error.message.replace(`${file}:${line}:${column}: `, ''),
    place: null,
  };
  const text = new TextDecoder().decode(bytes);
  const marked = {
    ...violation,
    place: faultPlace(text, Number(line) - place.firstLine + 1, Number(column)),
  };
  return { kind: 'invalid', source: sourceOf(place, text), listing: null, detail: [marked] };
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

/** @param reason - Continues the name of the file. */
function unreadable(
  { baseDir: _, ...place }: Base,
  reason: string,
  { hint, isMissing }: Pick<ListingInput, 'hint' | 'isMissing'> = {},
): InvalidListing {
  const violation: PlacedViolation = {
    loc: ['body'],
    msg: `cannot read ${place.file}: ${reason}`,
    type: isMissing === true ? 'file_not_found' : 'json_invalid',
    ...(hint === undefined ? {} : { ctx: { hint } }),
    message: reason,
    place: null,
  };
  return { kind: 'invalid', source: sourceOf(place, null), listing: null, detail: [violation] };
}

function sourceOf(place: Place, text: string | null): ListingSource {
  return { ...place, warnings: [], text };
}

/**
 * The text of a valid listing. That of a file is not kept, and read again when it turned out not to fit. Null where it cannot
 * be read twice, as from a pipe.
 */
export async function textOf({ text, path: file }: ListingSource): Promise<string | null> {
  if (text !== null || file === null) return text;
  const whole = await readFile(file, 'utf8').catch(() => null);
  return whole?.replace(/^\uFEFF/, '') ?? null;
}
