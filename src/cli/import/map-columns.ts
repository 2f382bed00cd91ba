/**
 * Decides which column of a CSV file is which field, and what its values mean: what `--map` says, else what the name of
 * the column says.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseListingText } from '../../listing/json/parse-json.ts';
import { CSV_FIELDS, fieldCalled } from '../../listing/mls/csv-fields.ts';
import { isRecord } from '../../listing/mls/mls-record.ts';
import { parseStatus, STANDARD_STATUSES } from '../../listing/mls/read-status.ts';
import { nearestHint, usageError } from '../cli-error.ts';
import { unreadableBecause } from '../listings/collect-inputs.ts';
import { unreadable } from './open-input.ts';

export interface Columns {
  readonly byField: ReadonlyMap<string, number>;
  readonly names: readonly string[];
  readonly unused: readonly string[];
  /** By the index of the column. */
  readonly values: ReadonlyMap<number, ValueMap>;
}

/** What a value in lower case stands for; null to leave it out. */
export type ValueMap = ReadonlyMap<string, string | null>;

export interface ColumnRule {
  /** Null to leave the column out. */
  readonly field: string | null;
  readonly values: ValueMap;
}

/** By the name of the column. */
export type ColumnMap = ReadonlyMap<string, ColumnRule>;

const EXAMPLE = '{"Your column": "ListPrice", "Status": {"values": {"A": "Active"}}, "Unused column": null}';

/** True for the map itself in place of the name of its file. */
export function isInlineMap(map: string): boolean {
  return map.trimStart().startsWith('{');
}

/**
 * @param map - Name of a file, or JSON.
 * @param columns - Of the file that is imported.
 * @throws ListingVideoError `usage` or `input_unreadable` for one that is no map of these columns to known fields.
 */
export async function readColumnMap(
  cwd: string,
  map: string,
  columns: { readonly names: readonly string[]; readonly file: string },
): Promise<ColumnMap> {
  const isInline = isInlineMap(map);
  const name = isInline ? '--map' : map;
  const bytes = isInline
    ? Buffer.from(map)
    : await readFile(path.resolve(cwd, map)).catch((error: unknown) => {
        throw unreadable(map, unreadableBecause(error), `it is a JSON file such as ${EXAMPLE}`);
      });
  const { value } = parseListingText(bytes, name);
  if (!isRecord(value)) throw wrongMap(name, 'expected an object');
  return new Map(
    Object.entries(value).map(([column, rule]) => {
      if (columns.names.includes(column)) return [column, readRule(column, rule, name)];
      const message = `${name}: ${columns.file} has no column ${JSON.stringify(column)}`;
      throw usageError(message, nearestHint(column, columns.names));
    }),
  );
}

function readRule(column: string, rule: unknown, file: string): ColumnRule {
  const ofColumn = `for the column ${JSON.stringify(column)}`;
  if (rule === null) return { field: null, values: new Map() };
  const { field = column, values = {}, ...others } = isRecord(rule) ? rule : { field: rule };
  const [other] = Object.keys(others);
  if (other !== undefined)
    throw wrongMap(file, `expected "field" and "values" ${ofColumn}, found ${JSON.stringify(other)}`);
  if (typeof field !== 'string') throw wrongMap(file, `expected the name of a field ${ofColumn}`);
  const known = fieldCalled(field);
  if (known === null)
    throw usageError(
      `${file}: unknown field ${JSON.stringify(field)} ${ofColumn}`,
      nearestHint(field, CSV_FIELDS, 'see the fields in listing-video help import'),
    );
  if (!isRecord(values)) throw wrongMap(file, `expected an object as "values" ${ofColumn}`);
  return {
    field: known,
    values: new Map(
      Object.entries(values).map(([value, meaning]) => {
        const ofValue = `for the value ${JSON.stringify(value)} of the column ${JSON.stringify(column)}`;
        if (meaning !== null && typeof meaning !== 'string')
          throw wrongMap(file, `expected a text or null ${ofValue}`);
        if (meaning !== null && isStatusField(known) && parseStatus(meaning) === null)
          throw usageError(
            `${file}: unknown status ${JSON.stringify(meaning)} ${ofValue}`,
            nearestHint(meaning, STANDARD_STATUSES),
          );
        return [value.trim().toLowerCase(), meaning];
      }),
    ),
  };
}

function isStatusField(field: string): boolean {
  return field === 'StandardStatus' || field === 'MlsStatus';
}

function wrongMap(name: string, problem: string) {
  return usageError(`${name}: ${problem}`, `write it as ${EXAMPLE}`);
}

/**
 * The columns of a header. A name of the dictionary wins over another name, and the first column over a later one.
 *
 * @throws ListingVideoError `usage` for a map that does not fit, and when no column has the id.
 */
export function mapColumns(
  names: readonly string[],
  map: ColumnMap,
  { file, mapFile }: { file: string; mapFile: string },
): Columns {
  const byField = new Map<string, number>();
  const valuesOf = new Map<number, ValueMap>();
  const left = new Set(names.keys());
  for (const [column, { field, values }] of map) {
    const index = names.indexOf(column);
    left.delete(index);
    if (field === null) continue;
    const other = byField.get(field);
    if (other !== undefined)
      throw usageError(
        `${mapFile}: both ${JSON.stringify(names[other])} and ${JSON.stringify(column)} are ${field}`,
        'give one of them another field, or null',
      );
    byField.set(field, index);
    valuesOf.set(index, values);
  }
  for (const isExact of [true, false]) {
    for (const index of left) {
      const name = names[index] ?? '';
      const field = fieldCalled(name);
      if (field === null || byField.has(field) || (isExact && field !== name)) continue;
      byField.set(field, index);
      left.delete(index);
    }
  }
  if (!byField.has('ListingId') && !byField.has('ListingKey'))
    throw usageError(
      `${file}: no column has the ListingId; its columns are ${names
        .map((name) => JSON.stringify(name))
        .slice(0, 20)
        .join(', ')}`,
      /^[{[]/.test(names[0] ?? '')
        ? `for JSON: listing-video import reso ${file}`
        : 'name the column in a file for --map: {"Your column": "ListingId"}',
    );
  return {
    byField,
    names,
    values: valuesOf,
    unused: [...left].map((index) => names[index] ?? '').filter((name) => name !== ''),
  };
}
