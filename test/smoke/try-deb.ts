/** The package for Debian in a Debian without Node: installed, used, updated, removed and purged with dpkg. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { inRoot, makePackage } from './other-root.ts';
import { Unavailable } from './programs.ts';
import { tryComplete } from './try-cell.ts';

const execute = promisify(execFile);
const NOBODY = 65_534;
const PLACES = ['etc', 'usr/bin', 'usr/lib', 'usr/lib/systemd/system', 'usr/share/doc', 'var/lib'];

/** @param folder - Empty. @throws {@link Unavailable} when Debian cannot be had, Error when a step fails. */
export async function tryDeb(folder: string): Promise<void> {
  const [work, root] = [path.join(folder, 'work'), path.join(folder, 'root')];
  const file = await makePackage('deb-amd64', folder);
  await mkdir(work);
  await execute('debootstrap', ['--variant=minbase', '--include=adduser', 'bookworm', root]).catch(
    (error) => {
      throw new Unavailable(`debootstrap: ${error.message.trim().split('\n').at(-1)}`);
    },
  );
  const inside = (...words: string[]) =>
    execute('chroot', [root, ...words], {
      env: { PATH: '/usr/sbin:/usr/bin', DEBIAN_FRONTEND: 'noninteractive' },
    });
  await cp('/etc/resolv.conf', path.join(root, 'etc', 'resolv.conf'));
  await cp(file, path.join(root, 'program.deb'));
  await inside('apt-get', 'install', '-qy', '--no-install-recommends', '/program.deb');
  await tryComplete(
    await inRoot(root, { folder: work, uid: NOBODY, access: 'rw', env: { PATH: '/usr/bin' } }),
  );
  await inside('dpkg', '--install', '/program.deb');
  const changed = (await inside('dpkg', '--verify', 'listing-video')).stdout;
  if (changed !== '') throw new Error(`dpkg --verify: ${changed}`);
  await inside('dpkg', '--remove', 'listing-video');
  if (!existsSync(path.join(root, 'etc/listing-video/settings.env')))
    throw new Error('the settings are gone');
  await inside('dpkg', '--purge', 'listing-video');
  for (const place of PLACES) {
    const left = (await readdir(path.join(root, place))).filter((name) => name.startsWith('listing-video'));
    if (left.length > 0) throw new Error(`left in /${place}: ${left.join(', ')}`);
  }
}
