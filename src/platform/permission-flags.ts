/**
 * The flags of Node's permission model for a child process that reads untrusted bytes: it can read its code and the
 * folders it is given, write to others, and start no process and no thread. This holds for JavaScript and WebAssembly.
 * A native addon that is taken over is held only by the limits of the process and the rights of its user.
 */
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { CODE_DIR, IS_BUILT } from './program-files.ts';

/** What a child process can reach beyond its code. Folders are absolute. */
export interface Permissions {
  /** With all that they hold. The model follows links in them. */
  readonly readDirs: readonly string[];
  readonly writeDirs: readonly string[];
  readonly hasAddons: boolean;
  /** Packages that it loads. With links they are elsewhere than where Node looks for them. Absent ones are left out. */
  readonly packages: readonly string[];
}

/** Node 20 divides paths at commas, and every version treats an asterisk as a wildcard. */
const UNUSABLE_IN_FLAGS = /[,*]/;

/**
 * @param nodeVersion - Such as `22.13.0`.
 * @returns No flags where the model cannot be used: the code is TypeScript, whose loader starts processes; the system
 *   is Windows; or a path cannot be written in a flag.
 */
export function permissionFlags(
  { readDirs, writeDirs, hasAddons, packages }: Permissions,
  nodeVersion: string = process.versions.node,
): string[] {
  if (!IS_BUILT || process.platform === 'win32') return [];
  const code = [CODE_DIR, ...packages.flatMap(findPackage)];
  const readable = [...new Set([CODE_DIR, ...code.flatMap(packageFolders), ...readDirs])];
  if ([...readable, ...writeDirs].some((path) => UNUSABLE_IN_FLAGS.test(path))) return [];
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  const isStable = major > 22 || (major === 22 && minor >= 13);
  return [
    isStable ? '--permission' : '--experimental-permission',
    ...(hasAddons ? ['--allow-addons'] : []),
    ...readable.map((path) => `--allow-fs-read=${join(path, '*')}`),
    ...writeDirs.map((path) => `--allow-fs-write=${join(path, '*')}`),
  ];
}

/** The real folder of a package's entry. */
function findPackage(name: string): string[] {
  try {
    return [dirname(createRequire(import.meta.url).resolve(name))];
  } catch {
    return [];
  }
}

/** The `node_modules` of a folder and of all folders above it, where Node looks for packages. */
function packageFolders(folder: string): string[] {
  const parents: string[] = [];
  for (let at = folder; at !== dirname(at); at = dirname(at)) parents.push(at);
  return parents
    .filter((parent) => !parent.endsWith(`${sep}node_modules`))
    .map((parent) => join(parent, 'node_modules'));
}
