/** Finds the programs of the build, which are development packages. */
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);
const PLATFORM = `${process.platform}-${process.arch}`;

/** Names of the packages that the build needs and that are not installed. */
export function missingTools() {
  return [
    ...['assemblyscript', 'esbuild', 'swagger-ui-dist', 'typescript'].filter(
      (name) => folderOf(name) === null,
    ),
    // Each brings its program as an optional package for one platform.
    ...(folderOf('esbuild') !== null && folderOf(`@esbuild/${PLATFORM}`, 'esbuild') === null
      ? [`@esbuild/${PLATFORM}`]
      : []),
    ...(folderOf('typescript') !== null &&
    folderOf(`@typescript/typescript-${PLATFORM}`, 'typescript') === null
      ? [`@typescript/typescript-${PLATFORM}`]
      : []),
  ];
}

/** Path of TypeScript's compiler. */
export function findCompiler() {
  return path.join(folderOf('typescript'), 'bin', 'tsc');
}

/** Folder of an installed package, found from the package `from`; null when there is none. */
export function folderOf(name, from) {
  try {
    const start = from === undefined ? require : createRequire(path.join(folderOf(from), 'package.json'));
    return path.dirname(start.resolve(`${name}/package.json`));
  } catch {
    return null;
  }
}
