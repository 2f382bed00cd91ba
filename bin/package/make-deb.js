/**
 * The package for Debian and Ubuntu. ffmpeg is not inside: the system's one gets security fixes. Needs `dpkg-deb`.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { readHomepage } from './homepage.js';
import { ICON } from './icon.js';
import { addLists } from './portable.js';
import { ROOT, stage } from './stage.js';

const TEXTS = fileURLToPath(new URL('./debian', import.meta.url));
const UNIT = path.join(ROOT, '.github', 'deploy', 'listing-video.service');
const LAUNCHER = path.join(ROOT, 'bin', 'package', 'launchers', 'listing-video.desktop');
const NAME = 'listing-video';
/** Where the program is, from the root. */
const PLACE = 'usr/lib/listing-video';
/** Of LICENSE. An address is the publisher's to give: `author` of package.json. */
const MAINTAINER = 'The listing-video maintainers <>';
/** Debian's words for the processors of Node. */
export const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };

/**
 * @param {object} options
 * @param {'x64' | 'arm64'} options.arch
 * @param {string} options.version - Of the program.
 * @param {string} options.work - Empty folder.
 * @param {string} options.out - Folder for the package.
 * @param {number} options.timeSec - Of the files.
 * @returns {Promise<string>} The package.
 * @throws Error when `dpkg-deb` is missing or refuses.
 */
export async function makeDeb({ arch, version, work, out, timeSec }) {
  const root = path.join(work, 'root');
  const place = path.join(root, PLACE);
  const staged = await stage({ platform: 'linux', arch, into: place, ffmpeg: null });
  await addLists(place, version, staged);
  const { author: maintainer = MAINTAINER } = readJson(path.join(ROOT, 'package.json'));
  addFiles(root, maintainer);
  addControl(root, { version, maintainer, homepage: readHomepage(), architecture: ARCHITECTURES[arch] });
  setModes(root);
  const file = path.join(out, `${NAME}_${version}_${ARCHITECTURES[arch]}.deb`);
  // More than level 1 takes ten times the CPU for a twentieth of the size; the number of threads changes the bytes.
  const words = ['--root-owner-group', '-Zxz', '-z1', '--threads-max=1', '--build', root, file];
  execFileSync('dpkg-deb', words, {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(timeSec) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return file;
}

function addFiles(root, maintainer) {
  const app = path.join(root, PLACE, 'app');
  const add = (place, content) => {
    const file = path.join(root, place);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  };
  const gzip = (content) => gzipSync(content, { level: 9 });
  const text = (...names) => readFileSync(path.join(...names), 'utf8');
  add('usr/bin/listing-video', text(TEXTS, 'listing-video.sh'));
  const completions = path.join(app, 'dist', 'cli', 'completion');
  add('usr/share/bash-completion/completions/listing-video', text(completions, 'listing-video.bash'));
  add('usr/share/zsh/vendor-completions/_listing-video', text(completions, 'listing-video.zsh'));
  add('usr/share/fish/vendor_completions.d/listing-video.fish', text(completions, 'listing-video.fish'));
  add('usr/share/man/man1/listing-video.1.gz', gzip(text(app, 'dist', 'man', 'listing-video.1')));
  add('usr/share/applications/listing-video.desktop', toMenuEntry(text(LAUNCHER)));
  add('usr/share/icons/hicolor/scalable/apps/listing-video.svg', text(ICON));
  const unit = readFileSync(UNIT, 'utf8');
  add('usr/lib/systemd/system/listing-video.service', unit);
  add('usr/lib/systemd/system/listing-video-worker.service', toWorkerUnit(unit));
  add(`usr/share/lintian/overrides/${NAME}`, text(TEXTS, 'lintian-overrides'));
  // An image of a machine that was never started would enable both at its first start.
  add('usr/lib/systemd/system-preset/90-listing-video.preset', 'disable listing-video*.service\n');
  add('etc/listing-video/settings.env', text(TEXTS, 'settings.env'));
  const documents = `usr/share/doc/${NAME}`;
  add(`${documents}/copyright`, formatCopyright(text(app, 'LICENSE')));
  add(`${documents}/changelog.gz`, gzip(formatChangelog(text(ROOT, 'CHANGELOG.md'), maintainer)));
}

/** The launcher of the portable folder finds its program beside itself; here it is on the search path. */
function toMenuEntry(launcher) {
  return launcher.replace(/^Exec=.*$/m, `Exec=${NAME} studio`).replace(/^Icon=.*$/m, `Icon=${NAME}`);
}

/** The unit of the server with the command of the worker: all limits are the same. */
export function toWorkerUnit(unit) {
  return unit
    .replace(/^Description=.*$/m, 'Description=listing-video: renders the tasks of a database')
    .replace(/^(ExecStart=.*) serve$/m, '$1 worker');
}

function addControl(root, { version, maintainer, homepage, architecture }) {
  const folder = path.join(root, 'DEBIAN');
  mkdirSync(folder);
  const control = [
    `Package: ${NAME}`,
    `Version: ${version}`,
    `Architecture: ${architecture}`,
    `Maintainer: ${maintainer}`,
    `Installed-Size: ${Math.ceil(sizeOf(root) / 1024)}`,
    // What Node and sharp are linked with.
    'Depends: ffmpeg (>= 7:4.1), adduser, libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 8)',
    'Pre-Depends: init-system-helpers (>= 1.54~)',
    'Recommends: xdg-utils',
    'Suggests: postgresql',
    'Section: video',
    'Priority: optional',
    ...(homepage === '' ? [] : [`Homepage: ${homepage}`]),
    'Description: videos of real-estate listings from photos and facts',
    ' Makes one MP4 with music for each agent of a listing, and a preview GIF. The',
    ' studio edits a listing in the browser, and the same engine is an HTTP API.',
    ' Everything runs on this machine: no account, no upload.',
    ' .',
    ' Two services, which are not started by the installation, render for others:',
    ' listing-video (the API) and listing-video-worker (tasks of a database).',
    '',
  ];
  writeFileSync(path.join(folder, 'control'), control.join('\n'));
  writeFileSync(path.join(folder, 'conffiles'), '/etc/listing-video/settings.env\n');
  for (const script of ['postinst', 'prerm', 'postrm']) {
    cpSync(path.join(TEXTS, script), path.join(folder, script));
  }
}

/**
 * @param {string} markdown - CHANGELOG.md.
 * @param {string} maintainer - Name and address.
 * @returns {string} The versions that have a date, as deb-changelog(5) asks. What is not released is left out.
 */
export function formatChangelog(markdown, maintainer) {
  return markdown
    .split(/^## /m)
    .flatMap((section) => {
      const [, version, date, changes] = /^(\d\S*) - (\d{4}-\d\d-\d\d)\n(.*)/s.exec(section) ?? [];
      if (version === undefined) return [];
      const lines = changes
        .trim()
        .replaceAll(/^(?=.)/gm, '  ')
        .replaceAll('  - ', '  * ');
      const time = new Date(date).toUTCString().replace('GMT', '+0000');
      return `${NAME} (${version}) stable; urgency=medium\n\n${lines}\n\n -- ${maintainer}  ${time}\n`;
    })
    .join('\n');
}

function formatCopyright(license) {
  return `listing-video is under the MIT license. It comes with programs under other licenses, which are in
/${PLACE}/THIRD_PARTY_LICENSES.

${license}`;
}

function sizeOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);
}

const EXECUTABLE = /^(?:usr\/bin\/|usr\/lib\/listing-video\/node\/node$|DEBIAN\/(?:postinst|prerm|postrm)$)/;
/** Passwords are in it. */
const SECRET = 'etc/listing-video/settings.env';

/** The umask decides otherwise. */
function setModes(root) {
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const place = path.relative(root, file);
    const mode = place === SECRET ? 0o600 : entry.isDirectory() || EXECUTABLE.test(place) ? 0o755 : 0o644;
    if (!entry.isSymbolicLink()) chmodSync(file, mode);
  }
  chmodSync(root, 0o755);
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
