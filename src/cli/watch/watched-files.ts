/** The local files that a run of `create` depends on: listings, templates, photos and logos. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Listing } from '../../listing/listing.ts';
import { listPhotos } from '../../listing/rules/list-photos.ts';
import { type Settings, templatesDirsOf } from '../../platform/settings/setting-table.ts';
import { collectInputs } from '../listings/collect-inputs.ts';
import { type ReadContext, readListings } from '../listings/read-listing.ts';

/** Absolute paths, each once. Of an invalid listing only its file; a missing file counts too, since it can appear. */
export async function watchedFiles(
  words: readonly string[],
  context: ReadContext,
  settings: Pick<Settings, 'template' | 'templatesDir'>,
): Promise<string[]> {
  const templatesDirs = templatesDirsOf(settings);
  const files = new Set<string>();
  const templateIds = new Set<string>([settings.template ?? 'classic']);
  for (const input of await collectInputs(words, context.cwd, context)) {
    if (input.path !== null) files.add(input.path);
    const results = await readListings([input], context);
    for (const result of results) {
      if (result.kind === 'invalid') continue;
      const { listing, baseDir } = result;
      for (const file of await imagesOf(listing, baseDir)) files.add(file);
      if (settings.template !== undefined) continue;
      for (const { video_options } of listing.agents)
        templateIds.add(video_options?.template_id ?? 'classic');
    }
  }
  for (const id of templateIds) for (const file of await templateFiles(id, templatesDirs)) files.add(file);
  return [...files];
}

/** With the fonts beside it. Also missing files: a new template of your own wins over a built-in one. */
export async function templateFiles(id: string, templatesDirs: readonly string[]): Promise<string[]> {
  const { findTemplate, readTemplate } = await import('../../design/template/load-template.ts');
  const { FONTS_FOLDER, fontFileNames } = await import('../../design/template/font-files.ts');
  const own = templatesDirs.map((dir) => path.join(dir, id, 'template.json'));
  const found = await findTemplate(id, { templatesDirs }).then(
    async (place) => {
      const folder = path.join(path.dirname(place.file), FONTS_FOLDER);
      // An invalid edit is reported elsewhere.
      const names = await readTemplate(place).then(
        ({ template }) => fontFileNames(template),
        () => [],
      );
      return [place.file, ...names.map((name) => path.join(folder, name))];
    },
    () => [],
  );
  return [...own, ...found];
}

/** Local photos, portraits and files of data layers of a listing. */
export async function imagesOf({ assets, agents }: Listing, baseDir: string): Promise<string[]> {
  const named = [...listPhotos(assets).map(({ url }) => url), ...agents.map(({ picture }) => picture ?? '')];
  const data = agents.flatMap(({ video_options }) => Object.values(video_options?.template_data ?? {}));
  const files = [...new Set(named)].flatMap((url) => toPath(url, baseDir) ?? []);
  // Most values of data layers are texts: a value is a file if the file exists.
  for (const value of new Set(data)) {
    const file = toPath(value, baseDir);
    const found = file === null ? null : await stat(file).catch(() => null);
    if (file !== null && found?.isFile()) files.push(file);
  }
  return files;
}

/** Null for a URL of the network, and for text that cannot be a path. */
function toPath(url: string, baseDir: string): string | null {
  try {
    if (/^file:/i.test(url)) return fileURLToPath(url);
  } catch {
    return null;
  }
  const isElsewhere = /^(https?:|[a-z][a-z0-9+.-]*:\/\/)/i.test(url);
  return isElsewhere || url === '' || /[\0\n]/.test(url) ? null : path.resolve(baseDir, url);
}
