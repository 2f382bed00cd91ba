/** Another root on this machine, in which a packed program runs as a user without privileges. */
import { execFile } from 'node:child_process';
import { chown } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ROOT, requireCompilers, Unavailable } from './programs.ts';
import type { Installed } from './try-cell.ts';

const execute = promisify(execFile);
const SCRIPT = fileURLToPath(new URL('in-root.sh', import.meta.url));
const PACKAGE = path.join(ROOT, 'bin', 'package', 'package.js');

/** The package that `npm run package` makes. @param name - Such as `deb-amd64`. @throws {@link Unavailable} */
export async function makePackage(name: string, folder: string): Promise<string> {
  if (process.arch !== 'x64' || process.getuid?.() !== 0) throw new Unavailable('needs root, on x64');
  const made = execute(process.execPath, [PACKAGE, '--out', folder, name]);
  const { stdout } = await made.catch((error: Error) => {
    requireCompilers(error.message);
    throw error;
  });
  return stdout.trim();
}

/**
 * @param root - The other root.
 * @param options.program - In the root. Default: that of an installed package.
 * @param options.folder - Empty; what is made is here. It and the fixtures are at the same place inside.
 */
export async function inRoot(
  root: string,
  options: {
    folder: string;
    uid: number;
    access: 'ro' | 'rw';
    env: Record<string, string>;
    program?: string;
  },
): Promise<Installed> {
  const { folder, uid, access, program = '/usr/bin/listing-video' } = options;
  await chown(folder, uid, uid);
  const shared = [folder, path.join(ROOT, 'fixtures')].join(':');
  const env = { ...options.env, TMPDIR: folder, LISTING_VIDEO_OUT: path.join(folder, 'videos') };
  const command = ['/bin/sh', SCRIPT, root, String(uid), access, shared, program];
  return { command, env, folder };
}
