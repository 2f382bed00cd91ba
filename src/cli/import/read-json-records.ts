/** Reads the records of JSON files: properties, or what is in files beside them. */

import { parseListingText } from '../../listing/json/parse-json.ts';
import { isRecord, type MlsRecord } from '../../listing/mls/mls-record.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import type { CommandRun } from '../command-run.ts';
import { type ImportInput, readChunks, unreadable } from './open-input.ts';
import { type JsonRecord, JsonRecordSplitter } from './split-json-records.ts';

/** One record, or why there is none at its place. */
export interface SourceRecord {
  /** `property.json:120`. */
  readonly place: string;
  readonly record: MlsRecord | null;
  readonly problem: string | null;
}

/**
 * @param onEnvelope - Called with what is around the records of each OData answer.
 * @throws ListingVideoError `input_unreadable`.
 */
export async function* readJsonRecords(
  run: CommandRun,
  input: ImportInput,
  onEnvelope: (envelope: MlsRecord) => void = () => undefined,
): AsyncGenerator<SourceRecord> {
  const splitter = new JsonRecordSplitter();
  let isFirst = true;
  const split = (chunk: Buffer): JsonRecord[] => {
    if (isFirst && (chunk[0] === 0xff || chunk[0] === 0xfe))
      throw unreadable(input.name, 'it is UTF-16', 'save it as UTF-8');
    if (isFirst && !/^\s*(?:[{[]|$)/.test(new TextDecoder().decode(chunk)))
      throw unreadable(input.name, 'it is not JSON', 'for CSV: listing-video import csv');
    isFirst = false;
    try {
      return splitter.push(chunk);
    } catch (error) {
      throw unreadable(input.name, error instanceof Error ? error.message : String(error));
    }
  };
  const takeEnvelopes = (): void => {
    for (const bytes of splitter.envelopes.splice(0)) {
      const { record } = toSourceRecord({ bytes, line: 1 }, input.name);
      if (record !== null) onEnvelope(record);
    }
  };
  for await (const chunk of readChunks(run, input)) {
    for (const record of split(chunk)) yield toSourceRecord(record, input.name);
    // Now, because a stream of answers can be endless.
    takeEnvelopes();
  }
  const cut = splitter.end();
  if (cut !== null) yield cutOff(cut, input.name);
  takeEnvelopes();
}

/** The record in these bytes, or why there is none. @param name - Of the file. */
export function toSourceRecord({ bytes, line }: JsonRecord, name: string): SourceRecord {
  const place = `${name}:${line}`;
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (isRecord(value)) return { place, record: value, problem: null };
    return { place, record: null, problem: 'expected an object in { }' };
  } catch {
    return { place, record: null, problem: whyNotJson(bytes, name, line) };
  }
}

function whyNotJson(bytes: Buffer, name: string, line: number): string {
  try {
    parseListingText(bytes, name, { firstLine: line });
  } catch (error) {
    if (error instanceof ListingVideoError)
      return error.message.replace(/^.*?: (?=not JSON)/, `line ${error.context?.line}: `);
  }
  return 'not JSON';
}

/** A value that ends with the file, or a record that does not end. */
function cutOff(cut: JsonRecord, name: string): SourceRecord {
  const whole = toSourceRecord(cut, name);
  if (whole.problem === 'expected an object in { }') return whole;
  return {
    place: `${name}:${cut.line}`,
    record: null,
    problem: 'the file ends before its JSON does: it was cut off',
  };
}
