/**
 * Makes the packages for people who are no developers: `npm run package`, for all platforms, or `npm run package -- linux-x64 win-x64`.
 * `--ffmpeg linux-x64=FILE` packs another ffmpeg. On Linux, with npm's registry and git. Two runs give the same bytes.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findTime, sha256Of } from './archive.js';
import { PLATFORMS } from './platforms.js';
import { makePortable } from './portable.js';
import { ROOT } from './stage.js';

const OUT = path.join(ROOT, 'packages');
/** What the file says that lists the digests: see sha256sum(1). */
const SUMS = 'SHA256SUMS';
const OPTIONS = {
  ffmpeg: { type: 'string', multiple: true, default: [] },
  out: { type: 'string', default: OUT },
};

/** Names of the platforms as users know them, and as Node does. */
const NAMES = new Map(Object.keys(PLATFORMS).map((name) => [name.replace('win32', 'win'), name]));

const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
const chosen = positionals.length === 0 ? [...NAMES.keys()] : positionals;
const unknown = chosen.find((name) => !NAMES.has(name));
if (unknown !== undefined) throw new Error(`${unknown} is none of ${[...NAMES.keys()].join(', ')}`);
const programs = new Map(values.ffmpeg.map(parseFfmpeg));

const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
const out = path.resolve(values.out);
mkdirSync(out, { recursive: true });
const work = mkdtempSync(path.join(tmpdir(), 'listing-video-package-'));
try {
  const timeSec = await findTime(ROOT);
  for (const platformName of chosen) {
    const [platform, arch] = NAMES.get(platformName).split('-');
    const name = `listing-video-${version}-${platformName}`;
    const ffmpeg = programs.get(platformName);
    if (ffmpeg !== undefined)
      console.log(`ffmpeg of ${platformName}: ${ffmpeg}, SHA-256 ${await sha256Of(ffmpeg)}`);
    console.log(await makePortable({ platform, arch, version, name, work, out, timeSec, ffmpeg }));
  }
  await writeSums();
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** @param {string} words - `linux-x64=FILE`. */
function parseFfmpeg(words) {
  const [, name, file] = /^([^=]+)=(.+)$/.exec(words) ?? [];
  if (!NAMES.has(name))
    throw new Error(`--ffmpeg ${words}: expected PLATFORM=FILE, with one of ${[...NAMES.keys()].join(', ')}`);
  return [name, path.resolve(file)];
}

async function writeSums() {
  const names = readdirSync(out)
    .filter((name) => name.startsWith(`listing-video-${version}-`))
    .sort();
  const lines = await Promise.all(
    names.map(async (name) => `${await sha256Of(path.join(out, name))}  ${name}\n`),
  );
  writeFileSync(path.join(out, SUMS), lines.join(''));
}
