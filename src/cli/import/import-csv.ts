/**
 * The work of `import csv`: rows of a spreadsheet become records with the names of the RESO Data Dictionary, then
 * listings.
 */
import { nearestColumn, PHOTOS_FIELD, saysSquareFeet } from '../../listing/mls/csv-fields.ts';
import type { MlsRecord } from '../../listing/mls/mls-record.ts';
import { SHOWN_STATUSES } from '../../listing/mls/read-status.ts';
import { RelatedRecords } from '../../listing/mls/related-records.ts';
import type { CommandRun } from '../command-run.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { shellWord } from '../terminal/shell-word.ts';
import { finishImport, type ImportOptions, openTarget, readFilter, readRules } from './import-options.ts';
import { type ImportPlan, importRecords } from './import-records.ts';
import { type Columns, isInlineMap, mapColumns, readColumnMap } from './map-columns.ts';
import { openPhotoMatcher } from './match-photos.ts';
import { findInputs } from './open-input.ts';
import { type CsvRow, readCsvRows, requireHeader } from './read-csv-rows.ts';
import type { SourceRecord } from './read-json-records.ts';

export interface CsvOptions extends ImportOptions {
  readonly photos?: string;
  readonly map?: string;
}

export async function importCsv(run: CommandRun<CsvOptions>): Promise<number> {
  const { photos, map } = run.options;
  const filter = readFilter(run.options);
  const { cwd } = await run.host.machine();
  const [input] = await findInputs(run, run.args);
  const { name } = input!;
  const rows = readCsvRows(run, input!);
  const names = requireHeader((await rows.next()).value ?? undefined, name);
  const columnMap = map === undefined ? new Map() : await readColumnMap(cwd, map, { names, file: name });
  const columns = mapColumns(names, columnMap, {
    file: name,
    mapFile: map === undefined || isInlineMap(map) ? '--map' : map,
  });
  const cellsOf = new WeakMap<MlsRecord, readonly string[]>();
  const findPhotos = photos === undefined ? null : await photoFinder(photos, cwd, columns, cellsOf);
  const context = {
    ...(await readRules(run)),
    related: new RelatedRecords(),
    nameOf: (field: string) => nameOf(field, columns),
    adviceOn: (field: string, value: string) => adviceOn(field, value, columns, map),
  };
  if (columns.unused.length > 0)
    run.info(
      `columns not used: ${columns.unused.map((name) => escapeText(withNearest(name, columns))).join(', ')}`,
    );
  const target = await openTarget(run);
  const plan: ImportPlan = { filter, context, target, ...(findPhotos !== null && { findPhotos }) };
  const entries = importRecords(run, toRecords(rows, columns, name, cellsOf), plan);
  return finishImport(run, target, entries, () => ({
    columns: Object.fromEntries([...columns.byField].map(([field, index]) => [field, columns.names[index]])),
    unused_columns: columns.unused,
  }));
}

/** `BedroomsTotal (column "Beds")`. */
function nameOf(field: string, { byField, names }: Columns): string {
  const index = byField.get(/^Media/.test(field) ? PHOTOS_FIELD : field);
  const column = index === undefined ? undefined : names[index];
  return column === undefined || column === field ? field : `${field} (column ${JSON.stringify(column)})`;
}

/** The option that says what a value means. */
function adviceOn(
  field: string,
  value: string,
  { byField, names }: Columns,
  map: string | undefined,
): string {
  const column = names[byField.get(field) ?? -1] ?? field;
  const rule = { [column]: { values: { [value]: 'STATUS' } } };
  const text = JSON.stringify(rule);
  const isFile = map !== undefined && !isInlineMap(map);
  const statuses = new Intl.ListFormat('en', { type: 'disjunction' }).format(SHOWN_STATUSES);
  return `say what it means, with ${statuses} for STATUS: ${isFile ? `${text} in ${map}` : `--map ${shellWord(text)}`}`;
}

/** `Adress (did you mean Address?)` where no column is the address. */
function withNearest(name: string, { byField }: Columns): string {
  const near = nearestColumn(name, (field) => !byField.has(field));
  return near === null ? name : `${name} (did you mean ${near}?)`;
}

async function* toRecords(
  rows: AsyncIterable<CsvRow>,
  columns: Columns,
  name: string,
  cellsOf: WeakMap<MlsRecord, readonly string[]>,
): AsyncGenerator<SourceRecord> {
  for await (const { line, cells, problem } of rows) {
    const place = `${name}:${line}`;
    const tooMany = cells.slice(columns.names.length).some((cell) => cell !== '');
    if (problem !== null || tooMany) {
      const shifted = `it has ${cells.length} values for ${columns.names.length} columns: a value with a separator needs quotes`;
      yield { place, record: null, problem: problem ?? shifted };
      continue;
    }
    const record = toRecord(cells, columns);
    cellsOf.set(record, cells);
    yield { place, record, problem: null };
  }
}

function toRecord(cells: readonly string[], { byField, names, values }: Columns): MlsRecord {
  const record: Record<string, unknown> = {};
  for (const [field, index] of byField) {
    const given = cells[index] ?? '';
    const meaning = values.get(index)?.get(given.toLowerCase());
    const cell = meaning === undefined ? given : meaning;
    if (cell === null || cell === '') continue;
    if (field === PHOTOS_FIELD) record.Media = splitUrls(cell).map((url) => ({ MediaURL: url }));
    else record[field] = cell;
    if (field === 'LivingArea' && !byField.has('LivingAreaUnits') && saysSquareFeet(names[index] ?? ''))
      record.LivingAreaUnits = 'Square Feet';
  }
  return record;
}

/** Separated by white space, bars or semicolons, or by a comma before the next URL. */
function splitUrls(cell: string): string[] {
  return cell.split(/[\s|;]+|,(?=\s*https?:)/i).filter((url) => url !== '');
}

/** Columns can be named as the file has them, or by their fields. */
async function photoFinder(
  pattern: string,
  cwd: string,
  { byField, names }: Columns,
  cellsOf: WeakMap<MlsRecord, readonly string[]>,
): Promise<NonNullable<ImportPlan['findPhotos']>> {
  const matcher = await openPhotoMatcher(pattern, cwd, [...names, ...byField.keys()]);
  const indexes = matcher.columns.map((name) =>
    names.includes(name) ? names.indexOf(name) : byField.get(name)!,
  );
  return (record) => {
    const cells = cellsOf.get(record) ?? [];
    const values = indexes.map((index) => cells[index] ?? '');
    const files = matcher.find(values);
    return {
      files,
      note:
        files.length > 0
          ? null
          : `no photo matches --photos for ${values.map((value) => JSON.stringify(value)).join(', ')}`,
    };
  };
}
