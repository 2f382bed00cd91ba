/** Makes a new template as a copy of another: a folder, its `template.json`, and the schema for editors. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { locateInSource } from '../../listing/json/json-places.ts';
import { errnoOf, outputUnwritable } from '../../platform/disk/disk-error.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import {
  BUILT_IN_TEMPLATES_DIR,
  findTemplates,
  isTemplateId,
  TEMPLATE_SCHEMA_FILE,
} from './load-template.ts';

export interface NewTemplate {
  readonly id: string;
  readonly text: string;
  /** Absolute folder of the user's templates; made if missing. */
  readonly templatesDir: string;
}

const SCHEMA_NAME = path.basename(TEMPLATE_SCHEMA_FILE);

/**
 * The copy has a new id and name, and otherwise the text of the original. No existing file is overwritten, except an
 * earlier copy of the schema.
 *
 * @returns Absolute path of the new `template.json`.
 * @throws {@link ListingVideoError} `usage` for an id that cannot be a folder name, or that is taken;
 *   `output_unwritable`.
 */
export async function makeTemplate({ id, text, templatesDir }: NewTemplate): Promise<string> {
  await requireFreeId(id);
  const folder = path.join(templatesDir, id);
  const file = path.join(folder, 'template.json');
  try {
    await mkdir(templatesDir, { recursive: true });
    await mkdir(folder);
  } catch (cause) {
    if (errnoOf(cause) !== 'EEXIST') throw unwritable(folder, cause);
    throw new ListingVideoError('usage', `${folder} already exists`, {
      cause,
      hint: 'choose another id, or remove the folder',
      context: { path: folder },
    });
  }
  try {
    const name = id.replaceAll('-', ' ').replace(/^./, (first) => first.toUpperCase());
    const copy = withTopStrings(text, { $schema: `../${SCHEMA_NAME}`, id, name });
    await writeFile(file, copy, { flag: 'wx' });
    await copySchema(templatesDir);
  } catch (cause) {
    await rm(folder, { recursive: true, force: true });
    throw unwritable(folder, cause);
  }
  return file;
}

async function requireFreeId(id: string): Promise<void> {
  if (!isTemplateId(id)) {
    throw new ListingVideoError('usage', `"${id}" cannot be a template's id`, {
      hint: 'use lower-case letters, digits and hyphens, such as harbor-blue',
    });
  }
  const builtIn = await findTemplates();
  if (!builtIn.some((template) => template.id === id)) return;
  throw new ListingVideoError('usage', `"${id}" is the id of a built-in template`, {
    hint: `choose another id, such as my-${id}`,
  });
}

/** Beside the templates, so that the folder can be moved and shared. Another file of that name stays. */
async function copySchema(templatesDir: string): Promise<void> {
  const target = path.join(templatesDir, SCHEMA_NAME);
  // The built-in folder has the original.
  if (path.resolve(templatesDir) === path.resolve(BUILT_IN_TEMPLATES_DIR)) return;
  const schema = await readFile(TEMPLATE_SCHEMA_FILE, 'utf8');
  const earlier = await readFile(target, 'utf8').catch(() => null);
  if (earlier === null || titleOf(earlier) === titleOf(schema)) await writeFile(target, schema);
}

function titleOf(schema: string): unknown {
  try {
    return (JSON.parse(schema) as { title?: unknown }).title;
  } catch {
    return undefined;
  }
}

/** Replaces strings of the outermost object in place; a missing one is added as the first. */
function withTopStrings(text: string, values: Readonly<Record<string, string>>): string {
  let result = text;
  for (const [key, value] of Object.entries(values)) {
    const isThere = Object.hasOwn(JSON.parse(result) as object, key);
    const place = isThere ? locateInSource(result, ['body', key]) : null;
    if (!place) {
      result = result.replace('{', `{\n  ${JSON.stringify(key)}: ${JSON.stringify(value)},`);
      continue;
    }
    const lines = result.split(/(?<=\n)/);
    const line = lines[place.line - 1]!;
    const [before, after] = [line.slice(0, place.column - 1), line.slice(place.column - 1 + place.length)];
    lines[place.line - 1] = `${before}${JSON.stringify(value)}${after}`;
    result = lines.join('');
  }
  return result;
}

function unwritable(folder: string, cause: unknown): unknown {
  const hint = 'check its rights, or choose another folder with --templates-dir';
  return errnoOf(cause) === '' ? cause : outputUnwritable(cause, folder, hint);
}
