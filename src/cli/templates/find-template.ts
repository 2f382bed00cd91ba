/** Finds the template that a word of the command line names: an id, or the path of a template's folder or file. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type FoundTemplate, findTemplate } from '../../design/template/load-template.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import { SETTINGS, templatesDirsOf } from '../../platform/settings/setting-table.ts';
import type { CommandRun } from '../command-run.ts';
import { unreadableBecause } from '../listings/collect-inputs.ts';

export interface NamedTemplate extends FoundTemplate {
  /** Folders in which the id is found. */
  readonly templatesDirs: readonly string[];
}

const FILE_NAME = 'template.json';

/**
 * @throws ListingVideoError `template_not_found` for an unknown id; `input_unreadable` for a path without a template.
 */
export async function findNamedTemplate(word: string, run: CommandRun): Promise<NamedTemplate> {
  const own = await ownTemplatesDirs(run);
  if (!isPath(word)) return { ...(await findTemplate(word, { templatesDirs: own })), templatesDirs: own };
  const { cwd } = await run.host.machine();
  const absolute = path.resolve(cwd, word);
  run.host.folders?.require(absolute, word);
  const folder = path.basename(absolute) === FILE_NAME ? path.dirname(absolute) : absolute;
  await stat(path.join(folder, FILE_NAME)).catch((cause: unknown) => {
    throw new ListingVideoError(
      'input_unreadable',
      `no template at ${word}: ${path.join(folder, FILE_NAME)}: ${unreadableBecause(cause)}`,
      { cause, hint: `name a folder with a ${FILE_NAME} in it, or an id: listing-video templates list` },
    );
  });
  const templatesDirs = [path.dirname(folder), ...own];
  return { ...(await findTemplate(path.basename(folder), { templatesDirs })), templatesDirs };
}

/**
 * @throws ListingVideoError `file_not_found` when the folder of your own templates is missing: without it a built-in
 *   template would be taken in silence.
 */
export async function requireTemplatesDir(run: CommandRun): Promise<void> {
  const { value, source } = (await run.resolvedSettings()).templatesDir;
  if (value === undefined) return;
  const problem = await stat(value).then(
    (found) => (found.isDirectory() ? null : 'it is no folder'),
    (cause: unknown) => unreadableBecause(cause),
  );
  if (problem === null) return;
  const from = { flag: '--templates-dir', env: SETTINGS.templatesDir.env, project: 'the project file' };
  const name = source === 'config' || source === 'default' ? 'the saved templates-dir' : from[source];
  throw new ListingVideoError('file_not_found', `${name}: ${value}: ${problem}`, {
    hint: 'name the folder that has your templates, one folder each',
  });
}

export async function ownTemplatesDirs(run: CommandRun): Promise<string[]> {
  return templatesDirsOf(await run.settings());
}

function isPath(word: string): boolean {
  return word.includes('/') || word.includes(path.sep) || word.startsWith('.') || word.endsWith('.json');
}
