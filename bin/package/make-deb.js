/**
 * Makes the package for Debian and Ubuntu of a staged program. ffmpeg is not inside: the system's one gets security fixes.
 * Needs `dpkg-deb`. The same input makes the same bytes.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { ROOT } from './stage.js';

const TEXTS = fileURLToPath(new URL('./debian', import.meta.url));
const UNIT = path.join(ROOT, '.github', 'deploy', 'listing-video.service');
/** Debian's words for the processors of Node. */
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };
const NAME = 'listing-video';
/** Of LICENSE. An address is the publisher's to give: `author` of package.json. */
const MAINTAINER = 'The listing-video maintainers <>';

/**
 * @param {object} options
 * @param {string} options.staged - Folder with `app/` and `node/`, without an ffmpeg.
 * @param {'x64' | 'arm64'} options.arch
 * @param {string} options.into - Folder for the package. It is made in a folder beside it.
 * @param {number} options.epochSec - Time of all files in it.
 * @returns {string} The package's path.
 * @throws Error when `dpkg-deb` is missing or refuses.
 */
export function makeDeb({ staged, arch, into, epochSec }) {
  const settings = JSON.parse(readFileSync(path.join(staged, 'app', 'package.json'), 'utf8'));
  const maintainer = settings.author ?? MAINTAINER;
  const architecture = ARCHITECTURES[arch];
  const name = `${NAME}_${settings.version}_${architecture}`;
  const root = path.join(into, `${name}.root`);
  rmSync(root, { recursive: true, force: true });
  try {
    addFiles(root, { staged, maintainer });
    addControl(root, { settings, maintainer, architecture });
    setTimesAndModes(root, epochSec);
    const file = path.join(into, `${name}.deb`);
    // More than level 1 takes ten times the CPU for a twentieth of the size; the number of threads changes the bytes.
    execFileSync(
      'dpkg-deb',
      ['--root-owner-group', '-Zxz', '-z1', '--threads-max=1', '--build', root, file],
      {
        env: { ...process.env, SOURCE_DATE_EPOCH: String(epochSec) },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    return file;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function addFiles(root, { staged, maintainer }) {
  const app = path.join(staged, 'app');
  const add = (place, content) => {
    const file = path.join(root, place);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  };
  const gzip = (content) => gzipSync(content, { level: 9 });
  const text = (...names) => readFileSync(path.join(...names), 'utf8');
  cpSync(staged, path.join(root, 'usr/lib/listing-video'), { recursive: true, verbatimSymlinks: true });
  add('usr/bin/listing-video', text(TEXTS, 'listing-video.sh'));
  const completions = path.join(app, 'dist', 'cli', 'completion');
  add('usr/share/bash-completion/completions/listing-video', text(completions, 'listing-video.bash'));
  add('usr/share/zsh/vendor-completions/_listing-video', text(completions, 'listing-video.zsh'));
  add('usr/share/fish/vendor_completions.d/listing-video.fish', text(completions, 'listing-video.fish'));
  add('usr/share/man/man1/listing-video.1.gz', gzip(text(app, 'dist', 'man', 'listing-video.1')));
  add('usr/share/applications/listing-video.desktop', text(TEXTS, 'listing-video.desktop'));
  const icon = text(app, 'dist', 'studio', 'serve-page', 'favicon.svg');
  add('usr/share/icons/hicolor/scalable/apps/listing-video.svg', icon);
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

/** The unit of the server with the command of the worker: all limits are the same. */
export function toWorkerUnit(unit) {
  return unit
    .replace(/^Description=.*$/m, 'Description=listing-video: renders the tasks of a database')
    .replace(/^(ExecStart=.*) serve$/m, '$1 worker');
}

function addControl(root, { settings, maintainer, architecture }) {
  const folder = path.join(root, 'DEBIAN');
  mkdirSync(folder);
  const homepage = settings.homepage ? [`Homepage: ${settings.homepage}`] : [];
  const control = [
    `Package: ${NAME}`,
    `Version: ${settings.version}`,
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
    ...homepage,
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
  return `listing-video is under the MIT license. Licenses of the programs and packages inside are in
/usr/lib/listing-video/node/LICENSE, below /usr/lib/listing-video/app/node_modules and in
/usr/lib/listing-video/app/dist/licenses.txt.

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

/** What the umask and the clock of this machine decide otherwise. */
function setTimesAndModes(root, epochSec) {
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const place = path.relative(root, file);
    const isExecutable = entry.isDirectory() || EXECUTABLE.test(place);
    if (!entry.isSymbolicLink()) chmodSync(file, place === SECRET ? 0o600 : isExecutable ? 0o755 : 0o644);
    lutimesSync(file, epochSec, epochSec);
  }
  chmodSync(root, 0o755);
  lutimesSync(root, epochSec, epochSec);
}
