/** The templates that ship with the package, in short. */
import { readdir, readFile } from 'node:fs/promises';

/** One row of `templates list`. */
export interface TemplateSummary {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly ratios: readonly string[];
}

const TEMPLATES = new URL('../../templates/', import.meta.url);

/** All of them, by id. */
export async function readTemplateSummaries(): Promise<TemplateSummary[]> {
  const entries = await readdir(TEMPLATES, { withFileTypes: true });
  const ids = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(ids.sort().map(readSummary));
}

async function readSummary(folder: string): Promise<TemplateSummary> {
  const text = await readFile(new URL(`${folder}/template.json`, TEMPLATES), 'utf8');
  const { id, name, description, ratios } = JSON.parse(text) as TemplateSummary & { ratios: object };
  return { id, name, description, ratios: Object.keys(ratios) };
}
