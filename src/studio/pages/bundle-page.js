/**
 * Bundles the code of a web page. Plain JavaScript, so that the build can call it before anything is compiled; in a
 * source tree the server calls it when the page is first asked for.
 */
import path from 'node:path';
import { build } from 'esbuild';

/**
 * `main.js` of a page's `main.tsx` and `page.css` of its `page.css`, each with all that it imports, minified.
 *
 * @param {string} src - The folder `src/` of the checkout.
 * @param {string} page - Folder of the page below it: `studio/page`.
 * @returns {Promise<{ files: (readonly [name: string, content: Uint8Array])[], inputs: string[] }>} The inputs are
 *   paths from the root of the checkout.
 * @throws {Error} With the compiler's messages when it refuses the sources.
 */
export async function bundlePage(src, page) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: path.dirname(src),
    entryPoints: { main: path.join(src, page, 'main.tsx'), page: path.join(src, page, 'page.css') },
    outdir: page,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome120', 'firefox121', 'safari17'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    charset: 'utf8',
    minify: true,
    legalComments: 'none',
    // The font is a file beside the page.
    external: ['*.ttf'],
    metafile: true,
    write: false,
    logLevel: 'error',
    preserveSymlinks: true,
  });
  return {
    files: outputFiles.map(({ path: file, contents }) => [path.basename(file), contents]),
    inputs: Object.keys(metafile.inputs),
  };
}
