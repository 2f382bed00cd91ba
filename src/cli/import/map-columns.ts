/** Decides which column of a CSV file is which field: what `--map` says, else what the name of the column says. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseListingText } from '../../listing/json/parse-json.ts';
import { CSV_FIELDS, fieldCalled } from '../../listing/mls/csv-fields.ts';
import { isRecord } from '../../listing/mls/mls-record.ts';
import { nearestHint, usageError } from '../cli-error.ts';
import { unreadableBecause } from '../listings/collect-inputs.ts';
import { unreadable } from './open-input.ts';

export interface Columns {
  readonly byField: ReadonlyMap<string, number>;
  readonly names: readonly string[];
  readonly unused: readonly string[];
}

/** Column, and its field; null to leave it out. */
export type ColumnMap = ReadonlyMap<string, string | null>;

/** @throws ListingVideoError `usage` or `input_unreadable` for a file that is no map of columns to known fields. */
export async function readColumnMap(cwd: string, name: string): Promise<ColumnMap> {
  const bytes = await readFile(path.resolve(cwd, name)).catch((error: unknown) => {
    throw unreadable(
      name,
      unreadableBecause(error),
      'it is a JSON file such as {"Your column": "ListPrice"}',
    );
  });
  const { value } = parseListingText(bytes, name);
  if (!isRecord(value)) throw wrongMap(name, 'expected an object');
  return new Map(
    Object.entries(value).map(([column, field]) => {
      if (field === null) return [column, null];
      if (typeof field !== 'string')
        throw wrongMap(name, `expected the name of a field for the column ${JSON.stringify(column)}`);
      const known = fieldCalled(field);
      if (known === null)
        throw usageError(
          `${name}: unknown field ${JSON.stringify(field)} for the column ${JSON.stringify(column)}`,
          nearestHint(field, CSV_FIELDS, 'see the fields in listing-video help import'),
        );
      return [column, known];
    }),
  );
}

function wrongMap(name: string, problem: string) {
  return usageError(`${name}: ${problem}`, 'write it as {"Your column": "ListPrice", "Unused column": null}');
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
  const left = new Set(names.keys());
  for (const [column, field] of map) {
    const index = names.indexOf(column);
    if (index < 0)
      throw usageError(
        `${mapFile}: ${file} has no column ${JSON.stringify(column)}`,
        nearestHint(column, names),
      );
    left.delete(index);
    if (field === null) continue;
    const other = byField.get(field);
    if (other !== undefined)
      throw usageError(
        `${mapFile}: both ${JSON.stringify(names[other])} and ${JSON.stringify(column)} are ${field}`,
        'give one of them another field, or null',
      );
    byField.set(field, index);
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
      'name the column in a file for --map: {"Your column": "ListingId"}',
    );
  return {
    byField,
    names,
    unused: [...left].map((index) => names[index] ?? '').filter((name) => name !== ''),
  };
}
