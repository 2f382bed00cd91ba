/**
 * The few files of Debian that an image needs: ffmpeg, a shell, and the libraries that these and Node are linked with. Whole packages
 * would bring four times as much, such as drivers for screens. Needs Debian's `apt-get`, `dpkg-deb` and `readelf`, and takes the packages
 * of the sources that this machine trusts, so a new image has their security fixes.
 */
import {
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { downloadPackages, run } from './apt.js';

const PACKAGES = ['ffmpeg', 'dash', 'base-files'];
/** By Debian's word for the processor: the folder of libraries, and what starts each program. */
const LAYOUTS = {
  amd64: { folder: 'usr/lib/x86_64-linux-gnu', loader: 'usr/lib64/ld-linux-x86-64.so.2' },
  arm64: { folder: 'usr/lib/aarch64-linux-gnu', loader: 'usr/lib/ld-linux-aarch64.so.1' },
};

/**
 * @param {object} options
 * @param {'amd64' | 'arm64'} options.architecture
 * @param {string} options.root - Folder that becomes the image's root.
 * @param {readonly string[]} options.linked - More programs and libraries whose libraries are needed.
 * @param {string} options.work - Empty folder.
 * @returns {{ name: string, version: string }[]} The packages of which something was taken, by name.
 * @throws Error when a package cannot be had, or a library is in none.
 */
export function addDebianFiles({ architecture, root, linked, work }) {
  const unpacked = path.join(work, 'unpacked');
  mkdirSync(unpacked, { recursive: true });
  for (const archive of downloadPackages(PACKAGES, architecture, work)) {
    const name = path.basename(archive).split('_')[0];
    run('dpkg-deb', ['-R', archive, path.join(unpacked, name)]);
  }
  const files = indexLibraries(unpacked);
  const { folder, loader } = LAYOUTS[architecture];
  const taken = new Set();
  const take = (source, place) => {
    const file = path.join(root, place);
    mkdirSync(path.dirname(file), { recursive: true });
    cpSync(realpathSync(source), file);
    taken.add(path.relative(unpacked, source).split(path.sep)[0]);
  };
  for (const place of ['bin', 'lib', 'lib64', 'sbin']) linkTo(root, place);
  take(path.join(unpacked, 'ffmpeg', 'usr/bin/ffmpeg'), 'usr/bin/ffmpeg');
  take(path.join(unpacked, 'dash', 'bin/dash'), 'usr/bin/sh');
  take(path.join(unpacked, 'base-files', 'usr/lib/os-release'), 'etc/os-release');
  const waiting = ['usr/bin/ffmpeg', 'usr/bin/sh'].map((place) => path.join(root, place)).concat(linked);
  const known = new Set(linked.map((file) => path.basename(file)));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    for (const name of neededBy(file)) {
      if (known.has(name)) continue;
      known.add(name);
      const source = files.get(name);
      if (source === undefined) throw new Error(`${file} needs ${name}, which is in no package`);
      take(source, path.basename(loader) === name ? loader : path.join(folder, name));
      waiting.push(source);
    }
  }
  return [...taken].sort().map((name) => addOrigin(unpacked, root, name));
}

/** By name. Some are in folders of their own, to which alternatives(7) would lead: they come to the others. */
function indexLibraries(folder) {
  const found = new Map();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (/\.so(?:\.|$)/.test(entry.name) && !entry.isDirectory() && !found.has(entry.name)) {
      found.set(entry.name, file);
    }
  }
  return found;
}

function neededBy(file) {
  return [...run('readelf', ['-dW', file]).matchAll(/\(NEEDED\).*\[(.+)\]/g)].map(([, name]) => name);
}

/** The license, and the record by which scanners for security holes know the package. */
function addOrigin(unpacked, root, name) {
  const control = readFileSync(path.join(unpacked, name, 'DEBIAN', 'control'), 'utf8');
  const status = path.join(root, 'var/lib/dpkg/status.d');
  mkdirSync(status, { recursive: true });
  writeFileSync(path.join(status, name), control);
  const folder = path.join(root, 'usr/share/doc', name);
  mkdirSync(folder, { recursive: true });
  cpSync(findLicense(unpacked, name), path.join(folder, 'copyright'));
  return { name, version: /^Version: (.+)$/m.exec(control)[1] };
}

/** Packages of one source can have one license, to which the folder or the file of the others links. */
function findLicense(unpacked, name) {
  const folder = path.join(unpacked, name, 'usr/share/doc', name);
  for (const place of [folder, path.join(folder, 'copyright')]) {
    if (!lstatSync(place).isSymbolicLink()) continue;
    // Such as `gcc-12-base` and `../gcc-12-base/copyright`.
    const [other] = readlinkSync(place)
      .split('/')
      .filter((part) => part !== '..' && part !== 'copyright')
      .slice(-1);
    return findLicense(unpacked, other);
  }
  return path.join(folder, 'copyright');
}

function linkTo(root, place) {
  mkdirSync(path.join(root, 'usr', place), { recursive: true });
  symlinkSync(`usr/${place}`, path.join(root, place));
}
