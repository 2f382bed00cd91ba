/** The templates that a listing can use, read again when a file of the user's own changes. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { FONTS_FOLDER } from '../../design/template/font-files.ts';
import {
  type FoundTemplate,
  findTemplates,
  type TemplateCache,
} from '../../design/template/load-template.ts';
import type { DataLayer, Template } from '../../design/template/template.ts';
import { openTemplates } from '../templates/template-fonts.ts';
import type { StageLayer, StageTemplate } from './stage-state.ts';

export class LiveTemplates {
  readonly #dirs: readonly string[];
  readonly #read = new Map<string, { readonly stamp: string; readonly shown: StageTemplate }>();
  #cache: TemplateCache;
  #stamp: string | null = null;
  #list: readonly StageTemplate[] = [];

  /** @param templatesDirs - Of the user, absolute. */
  constructor(templatesDirs: readonly string[]) {
    this.#dirs = templatesDirs;
    this.#cache = openTemplates({ templatesDirs });
  }

  /** Those of the last {@link refresh}, sorted by id. */
  get list(): readonly StageTemplate[] {
    return this.#list;
  }

  get cache(): TemplateCache {
    return this.#cache;
  }

  /** Looks at the files. True when a template came, went or changed. */
  async refresh(): Promise<boolean> {
    const places = await findTemplates({ templatesDirs: this.#dirs });
    const stamps = await Promise.all(places.map(stampOf));
    const stamp = places.map(({ file }, index) => `${file} ${stamps[index]}`).join('\n');
    if (stamp === this.#stamp) return false;
    const cache = openTemplates({ templatesDirs: this.#dirs });
    const list: StageTemplate[] = [];
    for (const [index, place] of places.entries()) {
      const known = this.#read.get(place.file);
      const isKnown = known !== undefined && known.stamp === stamps[index];
      const shown = isKnown ? known.shown : await readShown(cache, place);
      this.#read.set(place.file, { stamp: stamps[index]!, shown });
      list.push(shown);
    }
    this.#cache = cache;
    this.#list = list;
    this.#stamp = stamp;
    return true;
  }
}

/** Changes with every file of a template of the user's own. */
async function stampOf({ file, isBuiltIn }: FoundTemplate): Promise<string> {
  if (isBuiltIn) return '';
  const fonts = path.join(path.dirname(file), FONTS_FOLDER);
  const names = await readdir(fonts).catch((): string[] => []);
  const files = [file, ...names.sort().map((name) => path.join(fonts, name))];
  const stamps = await Promise.all(
    files.map((each) =>
      stat(each).then(
        ({ mtimeMs, size }) => `${path.basename(each)} ${mtimeMs} ${size}`,
        () => '',
      ),
    ),
  );
  return stamps.join(' ');
}

async function readShown(
  cache: TemplateCache,
  { id, file, isBuiltIn }: FoundTemplate,
): Promise<StageTemplate> {
  const from = isBuiltIn ? 'built-in' : path.dirname(file);
  try {
    const template = await cache.get(id);
    const { name, description } = template;
    return { id, name, description, layers: layersOf(template), from, problem: null };
  } catch (error) {
    // The folder is told by `from`: its path would not fit beside a still.
    const problem = (error as Error).message.replace(`${path.dirname(file)}${path.sep}`, '');
    return { id, name: id, description: '', layers: [], from, problem };
  }
}

function layersOf({ dataLayers }: Template): StageLayer[] {
  return dataLayers.map(({ name, description, type, example, maxLength, ...layer }: DataLayer) => ({
    ...{ name, label: labelOf(name), description, type, example },
    default: layer.default,
    min: layer.min ?? null,
    max: layer.max ?? null,
    options: layer.options ?? null,
    max_length: maxLength ?? null,
  }));
}

/** `open_house` is shown as `Open house`. */
function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
