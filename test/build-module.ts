/** A module of the tests with the code of `src`, as one file that Node runs as if it were part of the build. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Packages are found from here, and it is not packed. */
const FOLDER = path.join(ROOT, 'node_modules', '.cache', 'listing-video');

let made = 0;

/**
 * Builds `file`. It finds data, threads and child processes in `dist/`, so it needs the build.
 *
 * @param file - Path from the root of the checkout.
 */
export async function buildModule(file: string): Promise<{ path: string; remove(): Promise<void> }> {
  made += 1;
  const outfile = path.join(FOLDER, `${path.basename(file, '.ts')}-${process.pid}-${made}.mjs`);
  await build({
    absWorkingDir: ROOT,
    entryPoints: [file],
    outfile,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    define: {
      WAY_TO_DIST: '".."',
      'import.meta.url': JSON.stringify(pathToFileURL(path.join(ROOT, 'dist', 'chunks', 'tested.js')).href),
    },
    logLevel: 'error',
  });
  return { path: outfile, remove: () => rm(outfile, { force: true }) };
}
