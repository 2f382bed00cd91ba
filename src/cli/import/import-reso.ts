/**
 * The work of `import reso`: properties of the RESO Web API, with media, members, offices and open houses in them or in
 * files beside them.
 */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { MlsRecord } from '../../listing/mls/mls-record.ts';
import { fieldOf } from '../../listing/mls/mls-record.ts';
import { RelatedRecords, type RelatedResource } from '../../listing/mls/related-records.ts';
import type { CommandRun } from '../command-run.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { finishImport, type ImportOptions, openTarget, readFilter, readRules } from './import-options.ts';
import { importRecords } from './import-records.ts';
import { findInputs, type ImportInput, unreadable } from './open-input.ts';
import { readJsonRecords, type SourceRecord } from './read-json-records.ts';

export interface ResoOptions extends ImportOptions {
  readonly media?: readonly string[];
  readonly member?: readonly string[];
  readonly office?: readonly string[];
  readonly openHouse?: readonly string[];
}

/** The option that names the files of a resource, and how a file beside the properties is called. */
const RESOURCES = {
  Media: ['media', /^medias?\.(?:json|ndjson|jsonl)$/i],
  Member: ['member', /^members?\.(?:json|ndjson|jsonl)$/i],
  Office: ['office', /^offices?\.(?:json|ndjson|jsonl)$/i],
  OpenHouse: ['openHouse', /^open[-_]?houses?\.(?:json|ndjson|jsonl)$/i],
} as const satisfies Record<RelatedResource, readonly [keyof ResoOptions, RegExp]>;

export async function importReso(run: CommandRun<ResoOptions>): Promise<number> {
  const filter = readFilter(run.options);
  const inputs = await findInputs(run, run.args);
  const beside = await findRelatedFiles(run, inputs);
  const context = {
    ...(await readRules(run)),
    related: await readRelated(run, beside),
    nameOf: (field: string) => field,
    adviceOn: () => '',
  };
  const target = await openTarget(run);
  let nextLink: string | null = null;
  const onEnvelope = (envelope: MlsRecord): void => {
    const link = fieldOf(envelope, '@odata.nextLink');
    if (typeof link === 'string') nextLink = link;
  };
  const entries = importRecords(run, readAll(run, inputs, onEnvelope), { filter, context, target });
  const exitCode = await finishImport(run, target, entries, () => ({ is_last_page: nextLink === null }));
  if (nextLink !== null && inputs.length === 1)
    run.info('warning: the file is one page of several, see its @odata.nextLink: import the other pages too');
  return exitCode;
}

async function* readAll(
  run: CommandRun,
  inputs: readonly ImportInput[],
  onEnvelope: (envelope: MlsRecord) => void,
): AsyncGenerator<SourceRecord> {
  let isEmpty = true;
  for (const input of inputs) {
    for await (const record of readJsonRecords(run, input, onEnvelope)) {
      isEmpty = false;
      yield record;
    }
  }
  if (isEmpty) throw unreadable(inputs.map(({ name }) => name).join(', '), 'there is no property in it');
}

type RelatedFiles = Readonly<Record<RelatedResource, readonly ImportInput[]>>;

/**
 * Those that options name, else `media.json`, `member.json`, `office.json` and `openhouse.json` beside the first file,
 * also in other case.
 */
async function findRelatedFiles(
  run: CommandRun<ResoOptions>,
  inputs: readonly ImportInput[],
): Promise<RelatedFiles> {
  const first = inputs.find(({ path: file }) => file !== null);
  const folder = first?.path ? path.dirname(first.path) : null;
  const names = folder === null ? [] : await readdir(folder).catch(() => []);
  const taken = new Set(inputs.map(({ path: file }) => file));
  const find = async (resource: RelatedResource): Promise<ImportInput[]> => {
    const [option, pattern] = RESOURCES[resource];
    const given = run.options[option];
    if (given !== undefined) return findInputs(run, given);
    return names
      .filter((name) => pattern.test(name) && !taken.has(path.join(folder!, name)))
      .map((name) => ({ name: path.join(path.dirname(first!.name), name), path: path.join(folder!, name) }));
  };
  return {
    Media: await find('Media'),
    Member: await find('Member'),
    Office: await find('Office'),
    OpenHouse: await find('OpenHouse'),
  };
}

/** A file beside the properties that cannot be read ends the import: every listing would lack what is in it. */
async function readRelated(run: CommandRun, files: RelatedFiles): Promise<RelatedRecords> {
  const related = new RelatedRecords();
  for (const resource of Object.keys(RESOURCES) as RelatedResource[]) {
    for (const input of files[resource]) {
      const counts = { used: 0, lost: 0 };
      for await (const { place, record, problem } of readJsonRecords(run, input)) {
        run.signal.throwIfAborted();
        if (record === null) throw unreadable(place, problem ?? 'there is no record');
        counts[related.add(resource, record) ? 'used' : 'lost'] += 1;
      }
      const lost = counts.lost === 0 ? '' : `, and ${counts.lost} without a key that leads to them`;
      run.info(
        `${escapeText(input.name)}: ${counts.used} ${resource} record${counts.used === 1 ? '' : 's'}${lost}`,
      );
    }
  }
  return related;
}
