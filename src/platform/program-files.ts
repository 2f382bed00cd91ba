/**
 * Where the files are that the program reads or starts at run time. Only this file computes places from its own: the
 * build joins the code of all folders in a few files, so the place of a source file says nothing about the place of its
 * data.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Only the build defines it: the way from the file that this code is in to `dist/`. */
declare const WAY_TO_DIST: string | undefined;
/** Only the build defines it: differs for every change of the code. */
declare const BUILD_DIGEST: string | undefined;

/** False where TypeScript runs without a build: in tests and in programs under tsx. */
export const IS_BUILT = typeof WAY_TO_DIST === 'string';

/** Names the code of this build; null where TypeScript runs without one. */
export const BUILD_ID: string | null = typeof BUILD_DIGEST === 'string' ? BUILD_DIGEST : null;

/** Absolute. `src/` of a source tree, `dist/` of a build. */
export const CODE_DIR = fileURLToPath(
  new URL(typeof WAY_TO_DIST === 'string' ? WAY_TO_DIST : '..', import.meta.url),
);

/**
 * Absolute path of a file that lies beside the code: data, or the `.js` in which a thread or a child process starts.
 *
 * @param path - Below `src/`, with slashes. The build puts the file at the same place below `dist/`.
 */
export function codeFile(path: string): string {
  return join(CODE_DIR, path);
}

/**
 * Absolute path of a file or folder of the package outside the code, such as `templates`.
 *
 * @param path - Below the package's folder, with slashes.
 */
export function packageFile(path: string): string {
  return join(CODE_DIR, '..', path);
}

/** The version in package.json: `1.2.3`. */
export function packageVersion(): string {
  const manifest = readFileSync(packageFile('package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
