/** Where the files of a page come from: the build, or in a source tree the sources, which are bundled when first asked for. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { codeFile } from '../platform/program-files.ts';

/** The type of the brand and of headings on all pages. `tokens.css` names it. */
export const PAGE_FONT = 'eb-garamond.ttf';

/**
 * `main.js` and `page.css` of a page, bundled.
 *
 * @param page - Its folder below `src/`: `studio/page`.
 */
export async function readBundle(page: string): Promise<(readonly [name: string, content: Uint8Array])[]> {
  const names = ['main.js', 'page.css'];
  if (existsSync(codeFile(`${page}/main.js`))) {
    return Promise.all(
      names.map(async (name) => [name, await readFile(codeFile(`${page}/${name}`))] as const),
    );
  }
  // By its place, which keeps it and the compiler out of the build.
  const bundler = await import(pathToFileURL(codeFile('web/bundle-page.js')).href);
  return (await bundler.bundlePage(codeFile('.'), page)).files;
}

/** Absolute path of {@link PAGE_FONT}. The build copies it from the package, which is one for development. */
export function findPageFont(): string {
  const copy = codeFile(`server/page/packages/${PAGE_FONT}`);
  if (existsSync(copy)) return copy;
  const { resolve } = createRequire(import.meta.url);
  return resolve('@expo-google-fonts/eb-garamond/400Regular/EBGaramond_400Regular.ttf');
}
