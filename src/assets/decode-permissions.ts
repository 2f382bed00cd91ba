/**
 * The flags of Node's permission model for a decode process: it can read its code and the images, write masters, and start no
 * process and no thread. A second wall: it holds for JavaScript; a decoder in C that is taken over is held by the limits of the
 * process and the rights of its user.
 */
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folders that a decode process needs, absolute. */
export interface DecodeFolders {
  /** Its sources are here, or are links here: the permission model follows links. */
  readonly readDir: string;
  /** Masters are written here. */
  readonly writeDir: string;
}

const CODE_DIR = fileURLToPath(new URL('..', import.meta.url));
/** Node 20 divides paths at commas, and every version treats an asterisk as a wildcard. */
const UNSPEAKABLE = /[,*]/;

/**
 * @param nodeVersion - Such as `22.13.0`.
 * @returns No flags where the model cannot be used: the code is TypeScript, whose loader starts processes; on Windows, where
 *   users cannot make links; or a path cannot be said in a flag.
 */
export function decodePermissions(
  { readDir, writeDir }: DecodeFolders,
  nodeVersion: string = process.versions.node,
): string[] {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  if (import.meta.url.endsWith('.ts') || process.platform === 'win32') return [];
  const readable = [CODE_DIR, ...packageFolders(CODE_DIR), readDir];
  if ([...readable, writeDir].some((path) => UNSPEAKABLE.test(path))) return [];
  const isStable = major > 22 || (major === 22 && minor >= 13);
  return [
    isStable ? '--permission' : '--experimental-permission',
    // sharp is a native addon.
    '--allow-addons',
    ...readable.map((path) => `--allow-fs-read=${join(path, '*')}`),
    `--allow-fs-write=${join(writeDir, '*')}`,
  ];
}

/** The `node_modules` of a folder and of all folders above it, where Node looks for packages. */
function packageFolders(folder: string): string[] {
  const parents: string[] = [];
  for (let at = folder; at !== dirname(at); at = dirname(at)) parents.push(at);
  return parents
    .filter((parent) => !parent.endsWith(`${sep}node_modules`))
    .map((parent) => join(parent, 'node_modules'));
}
