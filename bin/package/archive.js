/**
 * Archives and their digests. The same files always give the same bytes: names are sorted, all have the time of the last
 * commit, no owner and one of two modes.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { Zip, ZipDeflate } from 'fflate';

const execute = promisify(execFile);
/** Attributes of a file that Unix made. */
const UNIX = 3;
const PROGRAM = 0o755;
const FILE = 0o644;

/** @returns {Promise<number>} Seconds since 1970: of `SOURCE_DATE_EPOCH` (reproducible-builds.org), or of the last commit in `root`. */
export async function findTime(root, environment = process.env) {
  const { SOURCE_DATE_EPOCH: set } = environment;
  if (set !== undefined) {
    if (!/^\d{1,12}$/.test(set)) throw new Error(`SOURCE_DATE_EPOCH is ${set}, expected seconds since 1970`);
    return Number(set);
  }
  const { stdout } = await execute('git', ['log', '-1', '--format=%ct'], { cwd: root });
  return Number(stdout);
}

/** @param {string} folder - Becomes the one entry at the top. */
export async function writeTarGz(folder, file, timeSec) {
  const name = path.basename(folder);
  await writeTar(path.dirname(folder), file, { timeSec, name, words: ['--use-compress-program=gzip -6n'] });
}

/**
 * A third smaller than gzip's. `isForX86`: calls in programs of that processor are written so that more of them are equal.
 *
 * @param {string} folder - As of {@link writeTarGz}.
 */
export async function writeTarXz(folder, file, { timeSec, isForX86 }) {
  const name = path.basename(folder);
  // The number of threads changes the bytes.
  const words = ['xz', '--threads=1', ...(isForX86 ? ['--x86'] : []), '--lzma2=preset=6'];
  await writeTar(path.dirname(folder), file, {
    timeSec,
    name,
    words: [`--use-compress-program=${words.join(' ')}`],
  });
}

/**
 * @param {object} options
 * @param {number} options.timeSec
 * @param {string} [options.name] - The entry at the top. Default: what is in `folder`, without a name above it.
 * @param {number} [options.owner] - User and group of all files.
 * @param {readonly string[]} [options.words] - More for tar(1).
 */
export async function writeTar(folder, file, { timeSec, name = '.', owner = 0, words = [] }) {
  const form = [
    '--sort=name',
    '--format=gnu',
    `--owner=${owner}`,
    `--group=${owner}`,
    '--numeric-owner',
    '--mode=u=rwX,go=rX',
    `--mtime=@${timeSec}`,
  ];
  await execute('tar', [...form, ...words, '-cf', file, '-C', folder, name], {
    env: { ...process.env, LC_ALL: 'C' },
  });
}

/** @param {string} folder - What is in it comes to the top, below `prefix`, such as `name/`. */
export async function writeZip(folder, prefix, file, timeSec) {
  const output = createWriteStream(file);
  const zip = new Zip((error, chunk, isLast) => {
    if (error) output.destroy(error);
    else if (isLast) output.end(chunk);
    else output.write(chunk);
  });
  for (const name of listFiles(folder)) {
    const source = path.join(folder, name);
    const entry = new ZipDeflate(`${prefix}${name}`, { level: 6 });
    entry.mtime = toZipTime(timeSec);
    entry.os = UNIX;
    entry.attrs = ((statSync(source).mode & 0o100 ? PROGRAM : FILE) | 0o100000) * 0x10000;
    zip.add(entry);
    entry.push(readFileSync(source), true);
    if (output.writableNeedDrain) await once(output, 'drain');
  }
  zip.end();
  await once(output, 'close');
}

/** Times in a zip are local, in steps of two seconds, from 1980 on. */
function toZipTime(timeSec) {
  const utc = new Date(Math.max(timeSec, Date.UTC(1980, 0, 1) / 1000) * 1000);
  return new Date(utc.getTime() + utc.getTimezoneOffset() * 60_000);
}

/** Paths from `folder` with `/`, sorted by their characters. */
function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .sort((a, b) => (a < b ? -1 : 1));
}

/** @returns {Promise<string>} Hex. */
export async function sha256Of(file) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
