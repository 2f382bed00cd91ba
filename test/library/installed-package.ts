/**
 * The package as npm would install it, without a registry: what `npm pack` packs, unpacked into a folder whose
 * `node_modules` links to the production dependencies of this checkout and to nothing else. Needs the build.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
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
}

export interface InstalledPackage extends Packed {
  /** A project folder with the package in its `node_modules`. */
  readonly project: string;
  remove(): Promise<void>;
}

/** Packs and unpacks. */
export async function installPackage(): Promise<InstalledPackage> {
  const project = await mkdtemp(path.join(tmpdir(), 'listing-video-installed-'));
  // The build is what is tested; running `prepare` here would only make it again.
  const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', project];
  const { stdout } = await execute('npm', words, { cwd: ROOT, maxBuffer: 16 * 1024 * 1024 });
  const [packed] = JSON.parse(stdout) as [
    { files: { path: string; size: number }[]; size: number; filename: string },
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
    project,
    remove: () => rm(project, { recursive: true, force: true }),
  };
}

async function productionPackages(): Promise<string[]> {
  const lock = JSON.parse(await readFile(path.join(ROOT, 'package-lock.json'), 'utf8'));
  return Object.entries(lock.packages as Record<string, { dev?: boolean; devOptional?: boolean }>)
    .filter(
      ([place, { dev, devOptional }]) =>
        /^node_modules\/(@[^/]+\/)?[^/]+$/.test(place) && !dev && !devOptional,
    )
    .map(([place]) => place.slice('node_modules/'.length));
}
