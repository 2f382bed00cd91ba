/**
 * The files of a page: from the build, or in a source tree from the sources, which are bundled when first asked for.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { codeFile } from '../../platform/program-files.ts';
import { makeRelease, type PageRelease } from './page-answer.ts';

type NamedFile = readonly [name: string, content: Uint8Array];

/**
 * `main.js` and `page.css` of a page with the icon and type that all pages have, and more files.
 *
 * @param page - Its folder below `src/`: `studio/page`.
 */
export async function loadRelease(page: string, more: readonly NamedFile[] = []): Promise<PageRelease> {
  const shared = Promise.all([
    readNamed('favicon.svg', codeFile('studio/serve-page/favicon.svg')),
    readNamed('eb-garamond.ttf', packageFileOf('eb-garamond.ttf', FONT)),
  ]);
  return makeRelease([...(await readBundle(page)), ...(await shared), ...more]);
}

const FONT = '@expo-google-fonts/eb-garamond/400Regular/EBGaramond_400Regular.ttf';

/** Path of a file of a package for development: the copy that the build made, or the package's own. */
export function packageFileOf(name: string, specifier: string): string {
  const copy = codeFile(`studio/serve-page/packages/${name}`);
  return existsSync(copy) ? copy : createRequire(import.meta.url).resolve(specifier);
}

const bundles = new Map<string, Promise<readonly NamedFile[]>>();

/** Once in each process: bundling sources takes a third of a second. */
function readBundle(page: string): Promise<readonly NamedFile[]> {
  const read = bundles.get(page) ?? readBundleNow(page);
  bundles.set(page, read);
  return read;
}

async function readBundleNow(page: string): Promise<readonly NamedFile[]> {
  const names = ['main.js', 'page.css'];
  if (existsSync(codeFile(`${page}/main.js`)))
    return Promise.all(names.map((name) => readNamed(name, codeFile(`${page}/${name}`))));
  // By its place, which keeps it and the compiler out of the build.
  const bundler = await import(pathToFileURL(codeFile('studio/pages/bundle-page.js')).href);
  return (await bundler.bundlePage(codeFile('.'), page)).files;
}

async function readNamed(name: string, file: string): Promise<NamedFile> {
  return [name, await readFile(file)];
}
