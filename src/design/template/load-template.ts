/** Finds and reads templates: first in the user's own folders, then in the built-in folder of this package. */
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ListingVideoError } from '../../platform/errors.ts';
import { nearestName } from '../../platform/nearest-name.ts';
import { packageFile } from '../../platform/program-files.ts';
import { checkTemplate, templateInvalid } from './check-template.ts';
import type { Template } from './template.ts';

export const BUILT_IN_TEMPLATES_DIR = packageFile('templates');

export const TEMPLATE_SCHEMA_FILE = join(BUILT_IN_TEMPLATES_DIR, 'template.schema.json');

let reading: Promise<object> | undefined;

export function readTemplateSchema(): Promise<object> {
  reading ??= readFile(TEMPLATE_SCHEMA_FILE, 'utf8').then((text) => JSON.parse(text) as object);
  return reading;
}

export interface TemplateFolders {
  /** The user's folders. The first that has the id is used, before the built-in folder. */
  readonly templatesDirs?: readonly string[];
}

export interface LoadTemplateOptions extends TemplateFolders {
  readonly agentId?: string | undefined;
}

export interface FoundTemplate {
  readonly id: string;
  /** Absolute path of its `template.json`. */
  readonly file: string;
  /** False for one of the user's own. */
  readonly isBuiltIn: boolean;
}

/** An id is a folder name: nothing else reaches the file system. */
const TEMPLATE_ID = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** Folders beside the templates that hold something else. */
const RESERVED = new Set(['soundtracks']);

export function isTemplateId(id: string): boolean {
  return TEMPLATE_ID.test(id) && !RESERVED.has(id);
}

/**
 * Reads `<dir>/<id>/template.json`.
 *
 * @throws ListingVideoError `template_not_found` with `{agent_id?, template_id, available}`; `template_invalid` for a
 *   file that is not JSON, breaks the format, or has another id than its folder.
 */
export async function loadTemplate(id: string, options: LoadTemplateOptions = {}): Promise<Template> {
  return (await readTemplate(await findTemplate(id, options))).template;
}

/** The templates of one run, each read once for all agents. */
export interface TemplateCache {
  /** @throws As {@link loadTemplate}; the error names the agent. */
  get(id: string, agentId?: string): Promise<Template>;
}

/** @param bind - Makes a template that was read ready for use, once. */
export function createTemplateCache(
  folders: TemplateFolders,
  bind: (template: Template, place: FoundTemplate) => Promise<Template> = async (template) => template,
): TemplateCache {
  const templates = new Map<string, Template>();
  return {
    async get(id, agentId) {
      const known = templates.get(id);
      if (known !== undefined) return known;
      const place = await findTemplate(id, { ...folders, agentId });
      const template = await bind((await readTemplate(place)).template, place);
      templates.set(id, template);
      return template;
    },
  };
}

/** A template with the text it was read from. @throws ListingVideoError `template_invalid`. */
export async function readTemplate({
  id,
  file,
  isBuiltIn,
}: FoundTemplate): Promise<{ readonly template: Template; readonly text: string }> {
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw new ListingVideoError('template_invalid', `cannot read the template ${file}`, {
      cause,
      context: { file },
    });
  });
  const { value, text } = (isBuiltIn ? tryParse(bytes) : null) ?? (await parseJson(bytes, file));
  if (!isBuiltIn) await requireNoFaults(value, { text, file, id });
  const template = checkTemplate(value, file, id);
  if (isBuiltIn) return { template, text };
  const fileDigest = createHash('sha256').update(bytes).digest('hex');
  return { template: { ...template, fileDigest }, text };
}

/** @throws ListingVideoError `template_not_found`. */
export async function findTemplate(id: string, options: LoadTemplateOptions = {}): Promise<FoundTemplate> {
  if (isTemplateId(id)) {
    for (const place of placesOf(options)) {
      const file = join(place.dir, id, 'template.json');
      if (await isFile(file)) return { id, file, isBuiltIn: place.isBuiltIn };
    }
  }
  const available = await listTemplates(options);
  const near = nearestName(id, available);
  throw new ListingVideoError('template_not_found', `no template is called "${id.slice(0, 80)}"`, {
    hint: near === undefined ? `available: ${available.join(', ')}` : `did you mean ${near}?`,
    context: {
      ...(options.agentId === undefined ? {} : { agent_id: options.agentId }),
      template_id: id,
      available,
    },
  });
}

export async function findTemplates(options: TemplateFolders = {}): Promise<FoundTemplate[]> {
  const found = new Map<string, FoundTemplate>();
  for (const { dir, isBuiltIn } of placesOf(options)) {
    for (const id of await readdir(dir).catch(() => [])) {
      const file = join(dir, id, 'template.json');
      if (isTemplateId(id) && !found.has(id) && (await isFile(file))) found.set(id, { id, file, isBuiltIn });
    }
  }
  return [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

export async function listTemplates(options: TemplateFolders = {}): Promise<string[]> {
  return (await findTemplates(options)).map(({ id }) => id);
}

function placesOf({ templatesDirs = [] }: TemplateFolders): { dir: string; isBuiltIn: boolean }[] {
  return [
    ...templatesDirs.map((dir) => ({ dir, isBuiltIn: false })),
    { dir: BUILT_IN_TEMPLATES_DIR, isBuiltIn: true },
  ];
}

/** True also for a file without access, so that reading it reports the reason. */
async function isFile(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isFile();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code !== 'ENOENT' && code !== 'ENOTDIR';
  }
}

interface ParsedText {
  readonly value: unknown;
  readonly text: string;
}

/** The quick way, for the templates that ship. Null if the bytes are not JSON. */
function tryParse(bytes: Uint8Array): ParsedText | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { value: JSON.parse(text) as unknown, text };
  } catch {
    return null;
  }
}

async function parseJson(bytes: Uint8Array, file: string): Promise<ParsedText> {
  const { parseListingText } = await import('../../listing/json/parse-json.ts');
  try {
    return parseListingText(bytes, file);
  } catch (cause) {
    if (!(cause instanceof ListingVideoError)) throw cause;
    const { message, hint, context } = cause;
    throw new ListingVideoError('template_invalid', message, { cause, hint, context });
  }
}

/** Texts without faults, so that each is validated once for all agents and tasks. */
const validTexts = new Set<string>();
const MAX_VALID_TEXTS = 20;

/** The user's own templates must follow the whole schema: a wrong value would give a broken video, not an error. */
async function requireNoFaults(
  value: unknown,
  { text, file, id }: { readonly text: string; readonly file: string; readonly id: string },
): Promise<void> {
  if (validTexts.has(text)) return;
  const { findTemplateFaults } = await import('./find-template-faults.ts');
  const faults = findTemplateFaults(value, await readTemplateSchema(), file, id);
  if (faults.length > 0) {
    const { placeFaults } = await import('./place-faults.ts');
    throw templateInvalid(file, faults, placeFaults(faults.slice(0, 1), text)[0]);
  }
  if (validTexts.size >= MAX_VALID_TEXTS) validTexts.clear();
  validTexts.add(text);
}
