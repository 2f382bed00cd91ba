/**
 * Reads the rows of a CSV file as a stream: separated by commas, semicolons, tabs or bars; in UTF-8, UTF-16 or
 * Windows-1252, also mixed; with or without a byte order mark.
 */
import { Readable } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import type { CommandRun } from '../command-run.ts';
import { LineCounter } from './line-counter.ts';
import { type ImportInput, readChunks, unreadable } from './open-input.ts';

export interface CsvRow {
  /** Line of the file in which the row begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Why the file cannot be read further; then there are no cells. */
  readonly problem: string | null;
}

const DELIMITERS = [',', ';', '\t', '|'];
/** Of the first lines. A header longer than this is none. */
const MAX_HEADER_BYTES = 1024 * 1024;
/** A row of a real export has some 20 kB. */
const MAX_ROW_CHARS = 16 * 1024 * 1024;
/** What Excel writes into the first line to name its separator. */
const SEPARATOR_LINE = /^sep=(.)(?:\r\n?|\n)/i;
const LINE_END = /\r\n|\r|\n/g;

/** @throws ListingVideoError `input_unreadable`; the abort reason of the run. */
export async function* readCsvRows(run: CommandRun, input: ImportInput): AsyncGenerator<CsvRow> {
  const chunks = toUtf8(readChunks(run, input));
  const start = await readStart(chunks);
  const text = start.toString('latin1');
  if (start.length >= MAX_HEADER_BYTES && !/[\r\n]/.test(text))
    throw unreadable(input.name, 'its first line is longer than 1 MiB', 'the first row names the columns');
  const named = SEPARATOR_LINE.exec(text);
  const skipped = named === null ? 0 : 1;
  let fault: CsvError | null = null;
  const parser = parse({
    // One character for each byte: separators are ASCII, and each cell is decoded by itself.
    encoding: 'latin1',
    delimiter: named?.[1] ?? findDelimiter(text),
    // By itself the parser would take the line end of the header alone, and a joined file as one row.
    record_delimiter: ['\r\n', '\n', '\r'],
    info: true,
    raw: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_CHARS,
    // Without it, an error would discard the rows before it that nobody has read yet.
    skip_records_with_error: true,
    on_skip: (error) => {
      fault ??= error ?? null;
    },
  });
  const lines = new LineCounter();
  const source = Readable.from(counted(after(start.subarray(named?.[0].length ?? 0), chunks), lines));
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  let lastLine = skipped;
  try {
    for await (const { record, info, raw } of parser as AsyncIterable<ParsedRow>) {
      // The count of the parser takes CRLF within quotes for two lines.
      lastLine = skipped + lines.endedBy(info.bytes) + (/[\r\n]$/.test(raw) ? 0 : 1);
      const inner = raw.replace(/^[\r\n]+|[\r\n]+$/g, '').match(LINE_END) ?? [];
      yield { line: lastLine - inner.length, cells: record.map(decodeCell), problem: null };
    }
  } finally {
    source.destroy();
  }
  run.signal.throwIfAborted();
  if (fault !== null) yield { line: lastLine + 1, cells: [], problem: whyNotCsv(fault) };
}

interface ParsedRow {
  readonly record: string[];
  /** Of the stream, up to the end of the row. */
  readonly info: { readonly bytes: number };
  /** The row as it stands there, perhaps with line ends around it. */
  readonly raw: string;
}

async function* counted(chunks: AsyncIterable<Buffer>, lines: LineCounter): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    lines.add(chunk);
    yield chunk;
  }
}

/**
 * UTF-16, which Excel calls Unicode Text, becomes UTF-8. Without a byte order mark, the names of columns show that it
 * is.
 */
async function* toUtf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  let isFirst = true;
  for await (const chunk of chunks) {
    const [first = 1, second = 1] = isFirst ? chunk : [];
    if ((first === 0xff && second === 0xfe) || (first > 0 && second === 0))
      decoder = new TextDecoder('utf-16le');
    if ((first === 0xfe && second === 0xff) || (first === 0 && second > 0))
      decoder = new TextDecoder('utf-16be');
    isFirst = false;
    yield decoder === null ? chunk : Buffer.from(decoder.decode(chunk, { stream: true }));
  }
}

/** The bytes up to the end of the second line at least, without a byte order mark. */
async function readStart(chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  let start = Buffer.alloc(0);
  while (start.length < MAX_HEADER_BYTES && !/\n[^\n]*\n/.test(start.toString('latin1'))) {
    const { done, value } = await chunks.next();
    if (done === true) break;
    start = Buffer.concat([start, value]);
  }
  const hasMark = start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf;
  return hasMark ? start.subarray(3) : start;
}

async function* after(start: Buffer, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (start.length > 0) yield start;
  yield* chunks;
}

/** The one that the header has most, outside quotes. */
function findDelimiter(text: string): string {
  const [header = ''] = text
    .replace(/"[^"]*"/g, '')
    .replace(/^[\r\n]+/, '')
    .split(/\r?\n|\r/);
  const count = (delimiter: string) => header.split(delimiter).length;
  return DELIMITERS.reduce((best, each) => (count(each) > count(best) ? each : best));
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
/** Characters 0x80 to 0x9f; the others are those of Latin-1. The decoder of Node 20 has Latin-1 for all of them. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

function decodeCell(cell: string): string {
  if (!/[\x80-\xff]/.test(cell)) return cell.trim();
  try {
    return utf8.decode(Buffer.from(cell, 'latin1')).trim();
  } catch {
    return cell.replace(/[\x80-\x9f]/g, (char) => WINDOWS_1252[char.charCodeAt(0) - 0x80]!).trim();
  }
}

function whyNotCsv(error: CsvError): string {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED')
    return 'a quote that opens here is not closed before the file ends';
  if (error.code === 'CSV_MAX_RECORD_SIZE')
    return 'the row is longer than 16 MiB: a quote that opens here is probably not closed. The file was read up to here';
  return `not CSV: ${error.message}`;
}

/** @throws ListingVideoError `input_unreadable` for a file without a header. */
export function requireHeader(row: CsvRow | undefined, name: string): readonly string[] {
  if (row === undefined)
    throw unreadable(name, 'there is no header in it', 'the first row names the columns');
  if (row.problem !== null) throw unreadable(`${name}:${row.line}`, row.problem);
  return row.cells;
}
