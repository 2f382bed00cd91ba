/**
 * Lays out the program with all that it needs to run on one platform: what `npm pack` holds, the packages that it uses and
 * Node. Every kind of package is made of this. Needs npm's registry or its cache, and runs no script of a package.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { prepare } from '../prepare.js';
import { PLATFORMS } from './platforms.js';
import { isNeedless } from './prune.js';
import { stripNode } from './strip-program.js';

const execute = promisify(execFile);

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];

/**
 * @typedef {import('../build/format-licenses.js').Licensed} Licensed
 * @typedef {{ file: string, parts: readonly Licensed[] }} Ffmpeg - A program, and the licenses of what is in it.
 * @param {object} options
 * @param {'linux' | 'win32' | 'darwin'} options.platform - In Node's words.
 * @param {'x64' | 'arm64'} options.arch
 * @param {string} options.into - Folder, must not exist. It gets `app/` (the package, with `node_modules/`) and `node/` (the
 *   program, with its license).
 * @param {Ffmpeg | null} [options.ffmpeg] - Packed in place of the ffmpeg that comes with npm; null: none.
 * @returns {Promise<{ app: string, node: string, nodeVersion: string, ffmpegParts: readonly Licensed[] }>} The folder with the package,
 *   Node's program, and what is in `ffmpeg`.
 * @throws Error when a file is not the one that is expected, or npm cannot get it.
 */
export async function stage({ platform, arch, into, ffmpeg }) {
  const nodePackage = PLATFORMS[`${platform}-${arch}`];
  if (nodePackage === undefined)
    throw new Error(`${platform}-${arch} is none of ${Object.keys(PLATFORMS).join(', ')}`);
  const app = path.join(into, 'app');
  mkdirSync(app, { recursive: true });
  const work = mkdtempSync(path.join(tmpdir(), 'listing-video-stage-'));
  try {
    await unpack(await packProgram(work), app);
    await installPackages(app, { platform, arch });
    replaceFfmpeg(app, { platform, ffmpeg });
    removeNeedless(app);
    const node = await addNode(nodePackage, { work, into, platform });
    return { app, node, nodeVersion: nodePackage.version, ffmpegParts: ffmpeg?.parts ?? [] };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function packProgram(work) {
  const problem = await prepare({ isForPackage: true });
  if (problem !== null) throw new Error(problem);
  return npmPack([], work);
}

/** @returns The tarball's path. */
async function npmPack(words, folder) {
  const { stdout } = await npm(['pack', ...words, '--json', '--pack-destination', folder], ROOT);
  return path.join(folder, JSON.parse(stdout)[0].filename);
}

/** The versions and digests are those of the lock file. */
async function installPackages(app, { platform, arch }) {
  const lock = path.join(app, 'package-lock.json');
  cpSync(path.join(ROOT, 'package-lock.json'), lock);
  const words = [`--os=${platform}`, `--cpu=${arch}`, ...(platform === 'linux' ? ['--libc=glibc'] : [])];
  await npm(['ci', '--omit=dev', '--omit=peer', ...words], app);
  rmSync(lock);
  for (const name of ['.package-lock.json', '.bin']) {
    rmSync(path.join(app, 'node_modules', name), { recursive: true, force: true });
  }
}

/** Where find-ffmpeg.ts looks for the one of this package. */
function replaceFfmpeg(app, { platform, ffmpeg }) {
  if (ffmpeg === undefined) return;
  rmSync(path.join(app, 'node_modules', '@ffmpeg-installer'), { recursive: true });
  if (ffmpeg === null) return;
  const name = platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg';
  const file = path.join(app, 'ffmpeg', name);
  cpSync(ffmpeg.file, file);
  chmodSync(file, 0o755);
}

function removeNeedless(app) {
  for (const name of readdirSync(app, { recursive: true })) {
    if (isNeedless(name)) rmSync(path.join(app, name), { recursive: true, force: true });
  }
}

async function addNode(nodePackage, { work, into, platform }) {
  const unpacked = await unpackNode(nodePackage, work);
  // The packages for Windows have none. It is the same for all platforms.
  const withLicense = platform === 'win32' ? await unpackNode(PLATFORMS['linux-x64'], work) : unpacked;
  const program = platform === 'win32' ? 'node.exe' : 'node';
  const folder = path.join(into, 'node');
  mkdirSync(folder);
  const file = path.join(folder, program);
  cpSync(path.join(unpacked, 'bin', program), file);
  cpSync(path.join(withLicense, 'LICENSE'), path.join(folder, 'LICENSE'));
  if (platform === 'linux') stripNode(file);
  chmodSync(file, 0o755);
  return file;
}

/** @returns The folder of the package. */
async function unpackNode({ name, version, integrity }, work) {
  const tarball = await npmPack([`${name}@${version}`], work);
  const found = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  if (found !== integrity) throw new Error(`${name}@${version} is ${found}, expected ${integrity}`);
  const folder = path.join(work, name);
  mkdirSync(folder);
  await unpack(tarball, folder);
  return folder;
}

/** @param tarball - As npm makes it: everything is in one folder. */
async function unpack(tarball, folder) {
  await execute('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1', '--no-same-owner']);
}

async function npm(words, cwd) {
  try {
    return await execute('npm', [...words, ...QUIET], { cwd, maxBuffer: 64 * 2 ** 20 });
  } catch (error) {
    throw new Error(`npm ${words.join(' ')} in ${cwd} failed: ${error.stderr?.trim() || error.message}`);
  }
}
