/** What properties of a RESO Web API need beside themselves: rules, and media, members, offices and open houses of files. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { RelatedRecords, type RelatedResource } from '../../listing/mls/related-records.ts';
import { countWords } from '../../listing/words/count-words.ts';
import type { CommandRun } from '../command-run.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { type ImportOptions, readRules } from './import-options.ts';
import type { ImportPlan } from './import-records.ts';
import { findInputs, type ImportInput, unreadable } from './open-input.ts';
import { readJsonRecords } from './read-json-records.ts';

export interface ResoOptions extends ImportOptions {
  readonly url?: string;
  readonly tokenEnv?: string;
  readonly since?: string;
  readonly media?: readonly string[];
  readonly member?: readonly string[];
  readonly office?: readonly string[];
  readonly openHouse?: readonly string[];
}

export type ResoRun = CommandRun<ResoOptions>;

/** The option that names the files of a resource, and how a file beside the properties is called. */
const RESOURCES = {
  Media: ['media', /^medias?\.(?:json|ndjson|jsonl)$/i],
  Member: ['member', /^members?\.(?:json|ndjson|jsonl)$/i],
  Office: ['office', /^offices?\.(?:json|ndjson|jsonl)$/i],
  OpenHouse: ['openHouse', /^open[-_]?houses?\.(?:json|ndjson|jsonl)$/i],
} as const satisfies Record<RelatedResource, readonly [keyof ResoOptions, RegExp]>;

/** @param inputs - Files with properties. @throws ListingVideoError `usage`, `file_not_found`, `input_unreadable`. */
export async function readResoContext(
  run: ResoRun,
  inputs: readonly ImportInput[],
): Promise<ImportPlan['context']> {
  const files = await findRelatedFiles(run, inputs);
  return {
    ...(await readRules(run)),
    related: await readRelated(run, files),
    nameOf: (field: string) => field,
    adviceOn: () => '',
  };
}

type RelatedFiles = Readonly<Record<RelatedResource, readonly ImportInput[]>>;

/**
 * Those that options name, else `media.json`, `member.json`, `office.json` and `openhouse.json` beside the first file,
 * also in other case.
 */
async function findRelatedFiles(run: ResoRun, inputs: readonly ImportInput[]): Promise<RelatedFiles> {
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
      .map((name) => {
        const [shown, file] = [path.join(path.dirname(first!.name), name), path.join(folder!, name)];
        return { name: shown, path: run.host.folders?.require(file, shown) ?? file };
      });
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
      run.info(`${escapeText(input.name)}: ${countWords(counts.used, `${resource} record`)}${lost}`);
    }
  }
  return related;
}
