/** Debian's source packages of which ffmpeg is built. */
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { downloadSources, run } from '../apt.js';
import { writeTar } from '../archive.js';

const RECIPE = fileURLToPath(new URL('.', import.meta.url));

/** The last is part of the program on Linux: its license asks for its source, too. */
const NAMES = ['ffmpeg', 'x264', 'glibc'];

/**
 * @typedef {object} Source
 * @property {string} name
 * @property {string} version - Of Debian.
 * @property {string} dsc - Path of the file that names the others, which are beside it.
 * @property {{ name: string, sha256: string }[]} files
 */

const downloaded = new Map();

/** @param {string} work - Empty folder; the sources stay in it. @returns {Source[]} @throws Error when Debian cannot be reached. */
export function getSources(work) {
  const known = downloaded.get(work) ?? downloadSources(NAMES, work).map(readSource);
  downloaded.set(work, known);
  return known;
}

function readSource(dsc) {
  const text = readFileSync(dsc, 'utf8');
  const field = (name) => new RegExp(`^${name}: (.+)$`, 'm').exec(text)[1];
  const [, list] = /^Checksums-Sha256:\n((?: .+\n)+)/m.exec(text);
  const files = list
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' '))
    .map(([sha256, , name]) => ({ name, sha256 }));
  return { name: field('Source'), version: field('Version'), dsc, files };
}

/** Unpacks it, with Debian's changes. apt has compared the digests with Debian's signed list. */
export function unpackSource({ dsc }, folder) {
  run('dpkg-source', ['--no-check', '--extract', dsc, folder], path.dirname(dsc));
}

/** Where it is to be had, for the list of licenses. @param {Source} source */
export function formatSource({ name, version, files }) {
  const lines = files.map((file) => `  ${file.sha256}  ${file.name}`);
  const place = `snapshot.debian.org/package/${name}/${version}/`;
  const title = `Debian's source package ${name}, version ${version} (${place}), with the SHA-256 of its files:`;
  return [title, ...lines].join('\n');
}

/**
 * The archive that is published beside the packages, as the licenses of ffmpeg and x264 ask: all sources, and how they are built.
 *
 * @returns {Promise<string>} Its path.
 */
export async function makeSourceArchive({ version, work, out, timeSec, sources }) {
  const name = `listing-video-${version}-ffmpeg-source`;
  const folder = path.join(work, name);
  mkdirSync(folder);
  for (const { dsc, files } of getSources(sources)) {
    for (const each of [path.basename(dsc), ...files.map((file) => file.name)]) {
      cpSync(path.join(path.dirname(dsc), each), path.join(folder, each));
    }
  }
  cpSync(RECIPE, path.join(folder, 'recipe'), { recursive: true });
  const file = path.join(out, `${name}.tar`);
  await writeTar(work, file, { timeSec, name });
  return file;
}
