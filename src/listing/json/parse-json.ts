/** Bytes of a listing file to a value, or an error that points at the place. What the value means is judged elsewhere. */
import { ListingVideoError } from '../../errors.ts';
import { codeFrame } from './code-frame.ts';
import { findJsonFault } from './find-json-fault.ts';
import { findUtf8Fault } from './find-utf8-fault.ts';
import { placeAt, type TextPlace } from './text-place.ts';

/** Far beyond any listing (7 levels), far below what recursion over a value can take. */
const MAX_DEPTH = 200;

export interface ParsedText {
  /** Of duplicate keys the last one counts. */
  readonly value: unknown;
  /** The text without its byte order mark, for {@link locateInSource} and code frames. */
  readonly text: string;
}

/**
 * Reads JSON in UTF-8; a byte order mark is tolerated.
 *
 * @param bytes - The whole file or request body.
 * @param fileName - As it is to be named in messages.
 * @throws ListingVideoError `json_invalid` with `context` `{ file, line, column }` (from 1; column in UTF-16 code units),
 *   `frame` (a caret view of the place) and, when the bytes are not UTF-8, `byte_offset`.
 */
export function parseListingText(bytes: Uint8Array, fileName: string): ParsedText {
  const text = decode(bytes, fileName);
  const parsed = isNestedWithin(text, MAX_DEPTH) ? tryParse(text) : null;
  if (parsed !== null) return { value: parsed.value, text };
  const fault = findJsonFault(text, MAX_DEPTH);
  if (fault !== null) {
    const place = placeAt(text, fault.offset, fault.length);
    throw jsonInvalid(fileName, fault.message, place, text, {}, fault.hint);
  }
  return { value: JSON.parse(text) as unknown, text };
}

/** Null for what is not JSON: why is found out by others, who take their time. */
function tryParse(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}

/** Exact for JSON; of any other text it may say either. One look at each character, so that bodies made to cost do not. */
function isNestedWithin(text: string, maxDepth: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) isInString = !isInString;
    else if (isInString) {
      if (code === 0x5c) at += 1;
    } else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > maxDepth) return false;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return true;
}

function decode(bytes: Uint8Array, fileName: string): string {
  const faultOffset = findUtf8Fault(bytes);
  if (faultOffset === null) return new TextDecoder('utf-8').decode(bytes);
  const before = new TextDecoder('utf-8').decode(bytes.subarray(0, faultOffset));
  const text = new TextDecoder('utf-8').decode(bytes);
  const byte = bytes[faultOffset]!.toString(16).toUpperCase().padStart(2, '0');
  throw jsonInvalid(
    fileName,
    `not UTF-8 at byte ${faultOffset} (0x${byte})`,
    placeAt(text, before.length, 1),
    text,
    { byte_offset: faultOffset },
    isUtf16(bytes) ? 'it looks like UTF-16: save it as UTF-8' : 'save it as UTF-8',
  );
}

function isUtf16(bytes: Uint8Array): boolean {
  const mark = (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0);
  return mark === 0xfffe || mark === 0xfeff;
}

function jsonInvalid(
  file: string,
  reason: string,
  place: TextPlace,
  text: string,
  facts: Readonly<Record<string, unknown>>,
  hint: string | undefined,
): ListingVideoError {
  const { line, column } = place;
  return new ListingVideoError('json_invalid', `${file}:${line}:${column}: not JSON: ${reason}`, {
    hint,
    context: { file, line, column, ...facts, frame: codeFrame(text, place) },
  });
}
