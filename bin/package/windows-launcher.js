/**
 * "Listing Video.exe": a small program with the icon, which starts Node without a console. Windows shows scripts with the icon of their
 * type only. Needs Debian's compiler for Windows.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './apt.js';
import { makeWindowsIcon } from './icon.js';

const SOURCES = fileURLToPath(new URL('./launchers', import.meta.url));
const NAME = 'listing-video';
const PREFIX = 'x86_64-w64-mingw32-';
const COMPILER = `${PREFIX}gcc-win32`;
const PACKAGE = 'gcc-mingw-w64-x86-64-win32';
const COMPILER_WORDS = [
  ...['-std=c11', '-Os', '-s', '-Wall', '-Wextra', '-Werror', '-mwindows', '-municode', '-static'],
  '-Wl,--no-insert-timestamp',
];

/** @param options - `work`: folder that can be written; `file`: the program. @throws Error without the compiler. */
export async function makeWindowsLauncher({ version, work, file }) {
  const folder = path.join(work, 'launcher');
  mkdirSync(folder);
  for (const ending of ['c', 'manifest'])
    cpSync(path.join(SOURCES, `${NAME}.${ending}`), path.join(folder, `${NAME}.${ending}`));
  writeFileSync(path.join(folder, 'icon.ico'), await makeWindowsIcon());
  const resources = readFileSync(path.join(SOURCES, `${NAME}.rc`), 'utf8')
    .replaceAll('{version}', version)
    .replaceAll('{numbers}', version.replace(/-.*$/, '').replaceAll('.', ','));
  writeFileSync(path.join(folder, `${NAME}.rc`), resources);
  if (!existsSync(`/usr/bin/${COMPILER}`)) throw new Error(`needs ${PACKAGE}: apt-get install ${PACKAGE}`);
  run(`${PREFIX}windres`, [`${NAME}.rc`, '-o', 'resources.o'], folder);
  run(COMPILER, [...COMPILER_WORDS, `${NAME}.c`, 'resources.o', '-o', 'program.exe'], folder);
  cpSync(path.join(folder, 'program.exe'), file);
}
