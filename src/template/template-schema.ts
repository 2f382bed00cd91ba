/** The published schema of templates: editors follow the same file. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The same two levels up from `src/template` and from `dist/template`. */
export const TEMPLATE_SCHEMA_FILE = fileURLToPath(
  new URL('../../templates/template.schema.json', import.meta.url),
);

let reading: Promise<object> | undefined;

/** Read once. */
export function readTemplateSchema(): Promise<object> {
  reading ??= readFile(TEMPLATE_SCHEMA_FILE, 'utf8').then((text) => JSON.parse(text) as object);
  return reading;
}
