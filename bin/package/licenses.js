/** What is inside a staged folder, each with its license: the source of `THIRD_PARTY_LICENSES` and of the SBOM. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { formatParts, parseParts, readLicensed } from '../build/format-licenses.js';

/** Where the readme of sharp's libvips, which has the licenses of its libraries, is in a checkout: it is the same for all platforms. */
const SHARP_LIBRARIES = path.join('node_modules', '@img');
const GPL = 'GPL-3.0-or-later';
const FFMPEG_NOTE =
  'ffmpeg is a program of its own, under the GNU General Public License, version 3 or later: it contains x264. Its source is at ' +
  'https://git.ffmpeg.org/ffmpeg.git and that of x264 at https://code.videolan.org/videolan/x264.git; `ffmpeg -version` prints with ' +
  'which options and libraries it was built.';

/**
 * @typedef {import('../build/format-licenses.js').Licensed} Licensed
 * @param {object} staged - Of `stage`, with `root`, the checkout.
 * @returns {Licensed[]} By name.
 */
export function listInside({ root, app, node, nodeVersion, ffmpegParts }) {
  const bundled = parseParts(readFileSync(path.join(app, 'dist', 'licenses.txt'), 'utf8'));
  const fonts = path.join(app, 'dist', 'design', 'text', 'fonts');
  const modules = path.join(app, 'node_modules');
  const gpl = readGpl(root);
  const packages = [...findPackages(modules), ...findPackages(fonts)].map((folder) => {
    const read = readLicensed(folder);
    return { ...read, ...changed(read, { root, gpl }) };
  });
  const license = readFileSync(path.join(path.dirname(node), 'LICENSE'), 'utf8').trim();
  const inside = [
    ...bundled,
    ...packages,
    ...ffmpegParts,
    { name: 'node', version: nodeVersion, license: 'MIT', text: license },
  ];
  const known = new Map(inside.map((each) => [`${each.name} ${each.version}`, each]));
  return [...known].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}

/** @param {readonly Licensed[]} inside */
export function formatThirdParty({ version, inside }) {
  const names = inside.map((each) => `  ${each.name} ${each.version} (${each.license})`);
  const title = `Listing Video ${version} is under the MIT license: see LICENSE in the folder app. It comes with:\n\n${names.join('\n')}`;
  return formatParts(title, inside);
}

/** What the packages themselves say too little of. */
function changed({ name, text }, { root, gpl }) {
  if (name.startsWith('@ffmpeg-installer/') && name !== '@ffmpeg-installer/ffmpeg') {
    return { license: GPL, text: `${FFMPEG_NOTE}\n\n${gpl}` };
  }
  if (/^@img\/sharp-(?:libvips|win32)/.test(name)) return { text: `${text}\n\n${librariesOfSharp(root)}` };
  return {};
}

/** Of a program that somebody else has built. @returns {Licensed} */
export function foreignFfmpeg(root, sha256) {
  const text = `${FFMPEG_NOTE} The SHA-256 of this one is ${sha256}.\n\n${readGpl(root)}`;
  return {
    name: 'ffmpeg',
    version: `sha256-${sha256.slice(0, 12)}`,
    purl: 'pkg:generic/ffmpeg',
    license: GPL,
    text,
  };
}

function readGpl(root) {
  return readFileSync(path.join(root, 'node_modules', 'ffmpeg-static', 'LICENSE'), 'utf8').trim();
}

function librariesOfSharp(root) {
  const folder = path.join(root, SHARP_LIBRARIES);
  const name = readdirSync(folder).find((each) => each.startsWith('sharp-libvips-'));
  const text = readFileSync(path.join(folder, name, 'README.md'), 'utf8');
  return text.slice(text.indexOf('## Licensing')).trim();
}

/** Folders of packages in `folder`, at any depth. A `package.json` without a version only sets the module type. */
function findPackages(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => path.basename(name) === 'package.json')
    .map((name) => path.join(folder, path.dirname(name)))
    .filter(
      (each) => JSON.parse(readFileSync(path.join(each, 'package.json'), 'utf8')).version !== undefined,
    );
}
