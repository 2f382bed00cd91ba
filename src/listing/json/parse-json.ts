/** Bytes of a listing file to a value, or an error that points at the place. */
import { ListingVideoError } from '../../platform/errors.ts';
import { codeFrame } from './code-frame.ts';
import { findJsonFault, JsonFault, MAX_DEPTH, placeAt } from './json-places.ts';

/**
 * How many JSON values a listing can have: objects, arrays and scalars count, names of properties do not. The largest
 * reasonable listing (100 assets, 20 agents with 50 metadata keys and some dozens of data layers) has about 5,000.
 */
export const MAX_LISTING_VALUES = 20_000;

export interface ParsedText {
  /** Of duplicate keys the last one counts. */
  readonly value: unknown;
  /** The text without its byte order mark, for `locateInSource` and code frames. */
  readonly text: string;
}

export interface ParseOptions {
  /** Checked before the values are made; of a text that is no JSON by its commas and brackets. Default: no limit. */
  readonly maxValues?: number;
  /** Line of the file that the bytes begin with, for a line of NDJSON. Default 1. */
  readonly firstLine?: number;
}

/**
 * Reads JSON in UTF-8; a byte order mark is tolerated.
 *
 * @param bytes - The whole file or request body.
 * @param fileName - As messages name it.
 * @throws ListingVideoError `body_too_large` with `context` `{ values, limit }`.
 * @throws ListingVideoError `json_invalid` with `context` `{ file, line, column }` (from 1; column in UTF-16 code
 *   units), `frame` (a caret view of the place) and, when the bytes are not UTF-8, `byte_offset`.
 */
export function parseListingText(
  bytes: Uint8Array,
  fileName: string,
  { maxValues = Number.POSITIVE_INFINITY, firstLine = 1 }: ParseOptions = {},
): ParsedText {
  const text = new TextDecoder('utf-8').decode(bytes);
  const badByte = text.includes('\ufffd') ? findUtf8Fault(bytes) : null;
  if (badByte !== null) {
    const offset = new TextDecoder('utf-8').decode(bytes.subarray(0, badByte)).length;
    const byte = bytes[badByte]!.toString(16).toUpperCase().padStart(2, '0');
    const hint = isUtf16(bytes) ? 'it looks like UTF-16: save it as UTF-8' : 'save it as UTF-8';
    const fault = new JsonFault(offset, 1, `not UTF-8 at byte ${badByte} (0x${byte})`, hint);
    throw jsonInvalid({ fileName, text, firstLine }, fault, { byte_offset: badByte });
  }
  const { isTooDeep, values } = measure(text, MAX_DEPTH);
  if (!isTooDeep) {
    if (values > maxValues) throw tooManyValues(values, maxValues);
    try {
      return { value: JSON.parse(text) as unknown, text };
    } catch {
      // The slower reader below finds the reason.
    }
  }
  const fault = findJsonFault(text, firstLine);
  if (fault !== null) throw jsonInvalid({ fileName, text, firstLine }, fault);
  return { value: JSON.parse(text) as unknown, text };
}

/**
 * Offset of the first byte that is not UTF-8 (RFC 3629), or null. A decoder writes U+FFFD for it, and also for a U+FFFD
 * that is really there.
 */
export function findUtf8Fault(bytes: Uint8Array): number | null {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  let offset = 0;
  let at = 0;
  for (const { index } of text.matchAll(/\ufffd/g)) {
    offset += Buffer.byteLength(text.slice(at, index));
    const isReal = bytes[offset] === 0xef && bytes[offset + 1] === 0xbf && bytes[offset + 2] === 0xbd;
    if (!isReal) return offset;
    offset += 3;
    at = index + 1;
  }
  return null;
}

/**
 * Depth and number of values. Exact for JSON. One look at each character, so that a body made to be expensive is not.
 *
 * An array or object of n parts has n - 1 commas, so the values are the commas, one more for each array or object
 * that is not empty, and the root.
 */
function measure(text: string, maxDepth: number): { readonly isTooDeep: boolean; readonly values: number } {
  let depth = 0;
  let values = 1;
  let isInString = false;
  let hasJustOpened = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) isInString = false;
      continue;
    }
    // Blanks: space, tab, line feed, carriage return.
    if (code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d) continue;
    const isClosing = code === 0x5d || code === 0x7d;
    if (hasJustOpened && !isClosing) values += 1;
    hasJustOpened = false;
    if (code === 0x22) isInString = true;
    else if (code === 0x2c) values += 1;
    else if (isClosing) depth -= 1;
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      hasJustOpened = true;
      if (depth > maxDepth) return { isTooDeep: true, values };
    }
  }
  return { isTooDeep: false, values };
}

function tooManyValues(values: number, limit: number): ListingVideoError {
  return new ListingVideoError(
    'body_too_large',
    `a listing can have ${limit} JSON values, this one has ${values}`,
    {
      context: { values, limit },
    },
  );
}

function isUtf16(bytes: Uint8Array): boolean {
  const mark = (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0);
  return mark === 0xfffe || mark === 0xfeff;
}

function jsonInvalid(
  { fileName: file, text, firstLine }: { fileName: string; text: string; firstLine: number },
  { offset, length, message, hint }: JsonFault,
  facts: object = {},
): ListingVideoError {
  const place = placeAt(text, offset, length);
  const line = firstLine + place.line - 1;
  const { column } = place;
  return new ListingVideoError('json_invalid', `${file}:${line}:${column}: not JSON: ${message}`, {
    ...(hint === undefined ? {} : { hint }),
    context: { file, line, column, ...facts, frame: codeFrame(text, place, { firstLine }) },
  });
}
