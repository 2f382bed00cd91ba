/**
 * Finds the folders of font packages. A published program has the fonts of every install in a folder of its own
 * (`pack-fonts.ts`); a checkout reads them from `node_modules`. Fonts for further scripts lie beside the program, as
 * packages of the same project, or in the data folder, where `listing-video fonts add` puts them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { codeFile } from '../../../platform/program-files.ts';

/** The fonts that the build packs, absolute. Absent in a checkout that runs its sources. */
const PACKED_FONTS = codeFile('design/text/fonts');

const require = createRequire(import.meta.url);
let addedFonts: string | undefined;
const folders = new Map<string, string | undefined>();
let revision = 0;

/** Where `listing-video fonts add` puts fonts. @param home - The data folder, absolute. */
export function addedFontsFolder(home: string): string {
  return join(home, 'fonts');
}

/** Looks in this folder too, after all others. @param folder - Absolute, with a `node_modules`; can be absent. */
export function useAddedFonts(folder: string): void {
  if (folder === addedFonts) return;
  addedFonts = folder;
  forgetFolders();
}

/** Looks for every package again. Call it after one was installed or removed. */
export function forgetFolders(): void {
  folders.clear();
  revision += 1;
}

/** Another number after each {@link forgetFolders}: what was remembered with fonts of before is no longer true. */
export function foldersRevision(): number {
  return revision;
}

/** Absolute folder of a font package; `undefined` when it is not installed. */
export function packageFolder(name: string): string | undefined {
  if (!folders.has(name)) {
    // Looks where `require` would: `require` itself takes ten times as long, and there are three dozen packages.
    const places = [
      PACKED_FONTS,
      ...(require.resolve.paths(name) ?? []),
      ...(addedFonts === undefined ? [] : [join(addedFonts, 'node_modules')]),
    ];
    folders.set(
      name,
      places.map((place) => join(place, name)).find((folder) => existsSync(join(folder, 'package.json'))),
    );
  }
  return folders.get(name);
}

/** Absolute path of a file, or of the packed file that it is in; `undefined` when its package is not installed. */
export function packageFile(name: string, file: string): string | undefined {
  const folder = packageFolder(name);
  if (folder === undefined) return undefined;
  return join(folder, (folder.startsWith(PACKED_FONTS) && streamOf(file)) || file);
}

/**
 * The file in which the build packs a font with those of its family (`font-stream.ts`); `undefined` for files that stay
 * as they are.
 */
export function streamOf(file: string): string | undefined {
  if (!file.endsWith('.ttf')) return undefined;
  return file.endsWith('_Italic.ttf') ? 'italic.br' : 'upright.br';
}

/** `name@version`; the version of a package that is not installed is `none`. */
export function packageVersion(name: string): string {
  const folder = packageFolder(name);
  return `${name}@${folder === undefined ? 'none' : readVersion(folder)}`;
}

export function readVersion(folder: string): string {
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;
}
