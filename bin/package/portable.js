/**
 * The portable folder: a program that runs where it is unpacked, with its own Node. It holds two ways to start: `listing-video`, the
 * command, and "Listing Video", which opens the studio. Nothing is written inside it.
 */
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeTarGz, writeTarXz, writeZip } from './archive.js';
import { ICON, makeMacIcon } from './icon.js';
import { formatThirdParty, listInside } from './licenses.js';
import { formatSbom } from './sbom.js';
import { ROOT, stage } from './stage.js';
import { makeWindowsLauncher } from './windows-launcher.js';

const LAUNCHERS = path.join(ROOT, 'bin', 'package', 'launchers');
/** A program of macOS is a folder. macOS can move it alone to another place when it starts, so everything is in it. */
const MAC_PROGRAM = 'Listing Video.app/Contents';
/** Of archives that each system unpacks by itself. */
const ENDINGS = { win32: '.zip', darwin: '.tar.gz', linux: '.tar.xz' };
/** Windows reads scripts with these line ends only. */
const WINDOWS_SCRIPT = /\.(?:cmd|txt)$/;

/**
 * @param {object} options
 * @param {'linux' | 'win32' | 'darwin'} options.platform
 * @param {'x64' | 'arm64'} options.arch
 * @param {string} options.version - Of the program.
 * @param {string} options.name - Of the platform, in the file's name.
 * @param {string} options.work - Empty folder.
 * @param {string} options.out - Folder for the archive.
 * @param {number} options.timeSec - Of all files.
 * @param {import('./stage.js').Ffmpeg} [options.ffmpeg] - To pack in place of npm's.
 * @returns {Promise<string>} The archive.
 */
export async function makePortable({ platform, arch, version, name, work, out, timeSec, ffmpeg }) {
  const fullName = `listing-video-${version}-${name}`;
  const folder = path.join(work, fullName);
  const inner = platform === 'darwin' ? path.join(folder, MAC_PROGRAM, 'Resources') : folder;
  const staged = await stage({ platform, arch, into: inner, ffmpeg });
  await addLists(folder, version, staged);
  await addLaunchers(folder, { platform, version, work });
  const archive = path.join(out, `${fullName}${ENDINGS[platform]}`);
  if (platform === 'win32') await writeZip(folder, `${fullName}/`, archive, timeSec);
  else if (platform === 'darwin') await writeTarGz(folder, archive, timeSec);
  else await writeTarXz(folder, archive, { timeSec, isForX86: arch === 'x64' });
  return archive;
}

/** Adds the list of all licenses, and the SBOM. */
export async function addLists(folder, version, staged) {
  const inside = listInside({ root: ROOT, ...staged });
  writeFileSync(path.join(folder, 'THIRD_PARTY_LICENSES'), formatThirdParty({ version, inside }));
  writeFileSync(path.join(folder, 'sbom.cdx.json'), await formatSbom({ version, inside, ...staged }));
}

async function addLaunchers(folder, { platform, version, work }) {
  const add = (name, source) => addText(path.join(folder, source), path.join(LAUNCHERS, name), version);
  add(`README-${platform}.txt`, 'README.txt');
  if (platform === 'win32') {
    add('listing-video.cmd', 'listing-video.cmd');
    await makeWindowsLauncher({ version, work, file: path.join(folder, 'Listing Video.exe') });
    return;
  }
  if (platform === 'linux') {
    add('listing-video-linux.sh', 'listing-video');
    add('listing-video.desktop', 'Listing Video.desktop');
    cpSync(ICON, path.join(folder, 'listing-video.svg'));
    return;
  }
  add('listing-video-darwin.sh', 'listing-video');
  add('studio-darwin.sh', `${MAC_PROGRAM}/MacOS/Listing Video`);
  add('Info.plist', `${MAC_PROGRAM}/Info.plist`);
  writeFileSync(path.join(folder, MAC_PROGRAM, 'Resources', 'icon.icns'), await makeMacIcon());
}

function addText(file, source, version) {
  const text = readFileSync(source, 'utf8').replaceAll('{version}', version);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, WINDOWS_SCRIPT.test(source) ? text.replaceAll('\n', '\r\n') : text);
  if (/\.(?:sh|desktop)$/.test(source)) chmodSync(file, 0o755);
}
