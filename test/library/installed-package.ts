/**
 * The package as npm would install it, without a registry: what `npm pack` packs, unpacked into a folder whose
 * `node_modules` links to the production dependencies of this checkout and to nothing else. Needs the build.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const execute = promisify(execFile);

export interface Packed {
  /** Paths in the package. */
  readonly files: readonly { readonly path: string; readonly size: number }[];
  /** Of the tarball. */
  readonly sizeBytes: number;
  /** Of the package and all packages that it needs on this platform, unpacked. */
  readonly installedBytes: number;
}

export interface InstalledPackage extends Packed {
  /** A project folder with the package in its `node_modules`. */
  readonly project: string;
  /** The folder of the package in it. */
  readonly home: string;
  remove(): Promise<void>;
}

/** Packs and unpacks. */
export async function installPackage(): Promise<InstalledPackage> {
  const project = await mkdtemp(path.join(tmpdir(), 'listing-video-installed-'));
  // The build is what is tested; running `prepare` here would only make it again.
  const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', project];
  const { stdout } = await execute('npm', words, { cwd: ROOT, maxBuffer: 16 * 1024 * 1024 });
  const [packed] = JSON.parse(stdout) as [
    { files: { path: string; size: number }[]; size: number; unpackedSize: number; filename: string },
  ];
  const home = path.join(project, 'node_modules', 'listing-video');
  await mkdir(home, { recursive: true });
  await execute('tar', ['-xzf', path.join(project, packed.filename), '-C', home, '--strip-components=1']);
  for (const name of await productionPackages()) {
    const link = path.join(project, 'node_modules', name);
    await mkdir(path.dirname(link), { recursive: true });
    await symlink(path.join(ROOT, 'node_modules', name), link);
  }
  return {
    files: packed.files,
    sizeBytes: packed.size,
    installedBytes: packed.unpackedSize + (await sizeOfPackages()),
    project,
    home,
    remove: () => rm(project, { recursive: true, force: true }),
  };
}

async function productionPackages(): Promise<string[]> {
  return (await productionPlaces())
    .filter((place) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(place))
    .map((place) => place.slice('node_modules/'.length));
}

/** Of the files that npm installs for this platform, apart from the package itself. */
async function sizeOfPackages(): Promise<number> {
  const files = await Promise.all(
    (await productionPlaces()).map(async (place) => {
      const folder = path.join(ROOT, place);
      // A package for another platform is not there.
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name))
        .filter((file) => !path.relative(folder, file).split(path.sep).includes('node_modules'));
    }),
  );
  const sizes = await Promise.all(files.flat().map(async (file) => (await stat(file)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Folders of all packages that an installation has, below this checkout. */
async function productionPlaces(): Promise<string[]> {
  const lock = JSON.parse(await readFile(path.join(ROOT, 'package-lock.json'), 'utf8'));
  return Object.entries(lock.packages as Record<string, { dev?: boolean; devOptional?: boolean }>)
    .filter(([place, { dev, devOptional }]) => place !== '' && !dev && !devOptional)
    .map(([place]) => place);
}
