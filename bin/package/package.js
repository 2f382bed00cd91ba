/**
 * Makes the packages for people who are no developers: `npm run package` makes all, `npm run package -- linux-x64 win-x64` some.
 * ffmpeg is built here, except for macOS; `--npm-ffmpeg` takes the one of npm, as macOS does, and `--ffmpeg linux-x64=FILE` another.
 * Runs on Debian. Two runs give the same bytes.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findTime, sha256Of } from './archive.js';
import { makeBundle } from './assistant-bundle.js';
import { buildFfmpeg } from './ffmpeg/build.js';
import { makeSourceArchive } from './ffmpeg/sources.js';
import { foreignFfmpeg } from './licenses.js';
import { ARCHITECTURES, makeDeb } from './make-deb.js';
import { makeImage } from './make-image.js';
import { PLATFORMS } from './platforms.js';
import { makePortable } from './portable.js';
import { ROOT } from './stage.js';

/** Programs that were built stay here. */
const CACHE = path.join(ROOT, 'node_modules', '.cache', 'package');
/** What can be made, by name. Each function writes below `options.out`, and returns the path. */
const MAKERS = new Map([
  ...Object.keys(PLATFORMS).flatMap((key) => {
    const [platform, arch] = key.split('-');
    const name = key.replace('win32', 'win');
    return [
      [name, (options) => makePortable({ ...options, platform, arch, name })],
      [`mcpb-${name}`, (options) => makeBundle({ ...options, platform, arch, name })],
    ];
  }),
  ...Object.entries(ARCHITECTURES).flatMap(([arch, name]) => [
    [`deb-${name}`, (options) => makeDeb({ ...options, arch })],
    [`image-${name}`, (options) => makeImage({ ...options, arch })],
  ]),
  ['ffmpeg-source', makeSourceArchive],
]);
const OPTIONS = {
  ffmpeg: { type: 'string', multiple: true, default: [] },
  'npm-ffmpeg': { type: 'boolean', default: false },
  out: { type: 'string', default: path.join(ROOT, 'packages') },
};

const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
const chosen = positionals.length === 0 ? [...MAKERS.keys()] : positionals;
for (const name of chosen) requireName(name, name);
const programs = new Map(values.ffmpeg.map(parseFfmpeg));

const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
const out = path.resolve(values.out);
mkdirSync(out, { recursive: true });
const timeSec = await findTime(ROOT);
const sources = mkdtempSync(path.join(tmpdir(), 'listing-video-sources-'));
try {
  for (const name of chosen) await make(name);
} finally {
  rmSync(sources, { recursive: true, force: true });
}
await writeSums();

async function make(name) {
  const work = mkdtempSync(path.join(tmpdir(), 'listing-video-package-'));
  try {
    const ffmpeg = await chooseFfmpeg(name.replace(/^mcpb-/, ''));
    console.log(await MAKERS.get(name)({ version, work, out, timeSec, ffmpeg, sources }));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** @returns Undefined where npm's is packed. */
async function chooseFfmpeg(name) {
  const file = programs.get(name);
  if (file !== undefined) {
    const sha256 = await sha256Of(file);
    console.log(`${name}: ffmpeg with SHA-256 ${sha256}`);
    return { file, parts: [foreignFfmpeg(ROOT, sha256)] };
  }
  if (values['npm-ffmpeg']) return undefined;
  return buildFfmpeg(name.replace('win-', 'win32-'), { cache: CACHE, work: sources }) ?? undefined;
}

/** @param {string} words - `linux-x64=FILE`. */
function parseFfmpeg(words) {
  const [, name, file] = /^([^=]+)=(.+)$/.exec(words) ?? [];
  requireName(name, `--ffmpeg ${words}`);
  return [name, path.resolve(file)];
}

function requireName(name, words) {
  if (!MAKERS.has(name)) throw new Error(`${words}: expected one of ${[...MAKERS.keys()].join(', ')}`);
}

/** Of all packages of this version, as sha256sum(1) reads them. */
async function writeSums() {
  const names = readdirSync(out).filter((name) => name.startsWith('listing-video') && name.includes(version));
  const lines = await Promise.all(
    names.sort().map(async (name) => `${await sha256Of(path.join(out, name))}  ${name}\n`),
  );
  writeFileSync(path.join(out, 'SHA256SUMS'), lines.join(''));
}
