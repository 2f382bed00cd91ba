/** Finds the template that a word of the command line names: an id, or the path of a template's folder or file. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { ListingVideoError } from '../../errors.ts';
import { templatesDirsOf } from '../../settings/setting-table.ts';
import { type FoundTemplate, findTemplate } from '../../template/load-template.ts';
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

/** The folders of your own templates, from the settings. */
export async function ownTemplatesDirs(run: CommandRun): Promise<string[]> {
  return templatesDirsOf(await run.settings());
}

function isPath(word: string): boolean {
  return word.includes('/') || word.includes(path.sep) || word.startsWith('.') || word.endsWith('.json');
}
