/**
 * Builds ffmpeg of Debian's sources, on Debian. The same sources, compiler and recipe give the same bytes, so a
 * program that was built stays in a cache.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { downloadPackages, run } from '../apt.js';
import { recipeOf } from './recipe.js';
import { formatSource, getSources, unpackSource } from './sources.js';

const PROGRAM = 'ffmpeg';

/**
 * @param {string} key - `<platform>-<arch>` of Node.
 * @param {object} options
 * @param {string} options.cache - Folder of programs that were built.
 * @param {string} options.work - Folder for sources, shared by all builds of a run.
 * @returns {{ file: string, parts: import('../../build/format-licenses.js').Licensed[] } | null} The program and the licenses of what is
 *   in it; null for a platform that is not built.
 * @throws Error when a compiler is missing, or Debian cannot be reached.
 */
export function buildFfmpeg(key, { cache, work }) {
  const needs = recipeOf(key, '')?.needs;
  if (needs === undefined) return null;
  const versions = installedVersions(needs);
  const sources = getSources(work);
  const recipe = recipeOf(key, sourceNamed(sources, 'ffmpeg').version);
  const compiler = run(recipe.compiler, ['--version']).split('\n')[0];
  const identity = [compiler, versions, sources.map(({ files }) => files), recipe];
  const digest = createHash('sha256').update(JSON.stringify(identity)).digest('hex');
  const folder = path.join(cache, `ffmpeg-${key}-${digest.slice(0, 16)}`);
  if (!existsSync(folder)) build(folder, { sources, recipe, work: path.join(work, key) });
  const parts = JSON.parse(readFileSync(path.join(folder, 'parts.json'), 'utf8'));
  return { file: path.join(folder, PROGRAM), parts };
}

/** @returns {string[]} Such as `nasm 2.16.01-1`. @throws Error that names all that are not installed. */
function installedVersions(names) {
  const versions = names.map(versionOf);
  const missing = names.filter((_, index) => versions[index] === '').join(' ');
  if (missing === '') return versions;
  throw new Error(`ffmpeg is built, which needs ${missing}: apt-get install ${missing}; or add --npm-ffmpeg`);
}

function versionOf(name) {
  try {
    return run('dpkg-query', ['--show', `--showformat=\${Package} \${Version}`, name]);
  } catch {
    return '';
  }
}

function sourceNamed(sources, name) {
  return sources.find((source) => source.name === name);
}

function build(folder, { sources, recipe, work }) {
  console.error(`Building ffmpeg with ${recipe.compiler}. This takes some minutes, once.`);
  mkdirSync(work, { recursive: true });
  const { architecture } = recipe.library;
  const library = architecture && addLibrary(path.join(work, 'libc'), { ...recipe.library, work });
  // Programs for Windows would have the time of their build in them.
  const time = { SOURCE_DATE_EPOCH: '1' };
  const env = { PATH: process.env.PATH, LC_ALL: 'C', PKG_CONFIG_PATH: '../x264', ...time };
  for (const [name, words] of [
    ['x264', recipe.x264],
    ['ffmpeg', recipe.ffmpeg],
  ]) {
    const place = path.join(work, name);
    unpackSource(sourceNamed(sources, name), place);
    run('./configure', words, place, { ...env, ...(name === 'x264' && { CC: recipe.compiler }) });
    run('make', ['--jobs=2'], place, env);
  }
  const aside = `${folder}.new`;
  rmSync(aside, { recursive: true, force: true });
  mkdirSync(aside, { recursive: true });
  cpSync(path.join(work, 'ffmpeg', recipe.program ?? PROGRAM), path.join(aside, PROGRAM));
  const parts = listParts(work, sources, { ...recipe, archive: library });
  writeFileSync(path.join(aside, 'parts.json'), JSON.stringify(parts, null, 2));
  renameSync(aside, folder);
  rmSync(work, { recursive: true });
}

/** Unpacks Debian's library of another processor into `folder`. @returns Path of its package. */
function addLibrary(folder, { package: name, architecture, work }) {
  const archives = downloadPackages([name], architecture, path.join(work, 'apt'));
  const named = (each) => archives.find((file) => path.basename(file).startsWith(`${each}_`));
  for (const each of [name, 'libc6', 'linux-libc-dev']) run('dpkg-deb', ['--extract', named(each), folder]);
  return named(name);
}

/** What is in the program, each with its license and where its source is. */
function listParts(work, sources, { x264, ffmpeg, library, archive }) {
  const license = (...names) => readFileSync(path.join(work, ...names), 'utf8').trim();
  const own = (name, words, text) => {
    const source = sourceNamed(sources, name);
    const built = `It was built of ${formatSource(source)}\n\nwith: ./configure ${words.join(' ')}`;
    const purl = `pkg:deb/debian/${name}@${encodeURIComponent(source.version)}?arch=source`;
    return { name, version: source.version, purl, license: 'GPL-2.0-or-later', text: `${built}\n\n${text}` };
  };
  return [
    own('ffmpeg', ffmpeg, license('ffmpeg', 'COPYING.GPLv2')),
    own('x264', x264, license('x264', 'COPYING')),
    libraryPart(library, { sources, archive, root: archive ? path.join(work, 'libc') : '/' }),
  ];
}

/** Of the C library, which is linked into the program, with Debian's list of its licenses. It is installed, or the one in `archive`. */
function libraryPart({ package: name, license }, { sources, archive, root }) {
  const form = `--showformat=\${Version}\\n\${source:Package} \${source:Version}\\n\${Built-Using}`;
  const shown = run(archive ? 'dpkg-deb' : 'dpkg-query', ['--show', form, archive ?? name]);
  const [version, from, using] = shown.split('\n');
  const glibc = sourceNamed(sources, 'glibc');
  const source = from === `glibc ${glibc.version}` ? formatSource(glibc) : `Debian's source package ${from}`;
  const text = [
    `A part of ffmpeg. It was built of ${source}${using && ` with ${using}`}`,
    readFileSync(path.join(root, 'usr/share/doc', name, 'copyright'), 'utf8').trim(),
    ...(license.startsWith('LGPL')
      ? [readFileSync('/usr/share/common-licenses/LGPL-2.1', 'utf8').trim()]
      : []),
  ];
  const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}`;
  return { name, version, purl, license, text: text.join('\n\n') };
}
