/** Finds and reads templates: the built-in folder of this package, and folders of the user's own before it. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ListingVideoError } from '../errors.ts';
import { checkTemplate } from './check-template.ts';
import type { Template } from './template.ts';

/** `templates/` of this package; the same two levels up from `src/template` and from `dist/template`. */
export const BUILT_IN_TEMPLATES_DIR = fileURLToPath(new URL('../../templates/', import.meta.url));

export interface LoadTemplateOptions {
  /** Folders of own templates; the first that has the id wins over the built-in one. */
  readonly templatesDirs?: readonly string[];
  /** Named in the error, so that the message says whose choice it was. */
  readonly agentId?: string;
}

/** An id is a folder's name; anything else never reaches the file system. */
const TEMPLATE_ID = /^[a-z0-9][a-z0-9-]{0,63}$/;

/**
 * Reads `<dir>/<id>/template.json`.
 *
 * @throws ListingVideoError `template_not_found` with `{agent_id?, template_id, available}`; `template_invalid` for a file
 *   that is not JSON or breaks the format.
 */
export async function loadTemplate(id: string, options: LoadTemplateOptions = {}): Promise<Template> {
  const dirs = [...(options.templatesDirs ?? []), BUILT_IN_TEMPLATES_DIR];
  if (TEMPLATE_ID.test(id)) {
    for (const dir of dirs) {
      const file = join(dir, id, 'template.json');
      const text = await readIfPresent(file);
      if (text !== undefined) return parseTemplate(text, file);
    }
  }
  const available = await listTemplates(options);
  throw new ListingVideoError('template_not_found', `no template is called "${id.slice(0, 80)}"`, {
    hint: `available: ${available.join(', ')}`,
    context: {
      ...(options.agentId === undefined ? {} : { agent_id: options.agentId }),
      template_id: id,
      available,
    },
  });
}

/** Ids of all templates that can be loaded, sorted. */
export async function listTemplates(
  options: Pick<LoadTemplateOptions, 'templatesDirs'> = {},
): Promise<string[]> {
  const ids = new Set<string>();
  for (const dir of [...(options.templatesDirs ?? []), BUILT_IN_TEMPLATES_DIR]) {
    for (const name of await readdir(dir).catch(() => [])) {
      if (TEMPLATE_ID.test(name) && (await readIfPresent(join(dir, name, 'template.json'))) !== undefined) {
        ids.add(name);
      }
    }
  }
  return [...ids].sort();
}

async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return undefined;
    throw new ListingVideoError('template_invalid', `cannot read the template ${file}`, { cause: error });
  }
}

function parseTemplate(text: string, file: string): Template {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ListingVideoError('template_invalid', `${file} is not JSON`, { cause: error });
  }
  return checkTemplate(value, file);
}
