/** Distinguishes one JSON document from NDJSON (one listing per line), and splits NDJSON into its lines. */

/** One line that is not blank. */
export interface NdjsonLine {
  /** From 1. */
  readonly line: number;
  readonly bytes: Uint8Array;
}

const LINE_FEED = 0x0a;

export function isNdjsonName(name: string): boolean {
  return /\.(?:ndjson|jsonl)$/i.test(name);
}

/**
 * True for several documents: the first line is a whole object and others follow, or every line starts like an
 * object. One document that spans several lines is neither.
 */
export function looksLikeNdjson(bytes: Uint8Array): boolean {
  const lines = splitLines(bytes);
  const [first] = lines;
  if (first === undefined || lines.length < 2) return false;
  return (
    isObject(first.bytes) || lines.every(({ bytes: line }) => /^\s*\{./.test(toText(line.subarray(0, 64))))
  );
}

export function splitLines(bytes: Uint8Array): NdjsonLine[] {
  const lines: NdjsonLine[] = [];
  let start = 0;
  for (let line = 1; start < bytes.length; line += 1) {
    const found = bytes.indexOf(LINE_FEED, start);
    const end = found < 0 ? bytes.length : found;
    const slice = bytes.subarray(start, end);
    if (/[^\s\uFEFF]/.test(toText(slice))) lines.push({ line, bytes: slice });
    start = end + 1;
  }
  return lines;
}

function isObject(bytes: Uint8Array): boolean {
  try {
    const value: unknown = JSON.parse(toText(bytes).replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
