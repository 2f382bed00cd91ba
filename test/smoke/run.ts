/**
 * Tries the installed program in every cell of the matrix: `npm run smoke`. `npm run smoke -- --all` tries every
 * install in every Node. Other words choose cells by their names: `npm run smoke -- node-22 ffmpeg-7.0`. Ends with exit
 * code 1 when a cell fails, or none can be tried. Leaves out what this machine cannot get, and says why.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { allCells, type Cell, cellName, isIncomplete, usualCells } from './cells.ts';
import { install, pack } from './install.ts';
import { ffmpegPath, nodeFolder, Unavailable } from './programs.ts';
import { tryBundle } from './try-bundle.ts';
import { type Installed, tryComplete, tryIncomplete } from './try-cell.ts';
import { tryDeb } from './try-deb.ts';
import { tryImage } from './try-image.ts';

const words = process.argv.slice(2);
const chosen = words.filter((word) => word !== '--all');
const cells = (words.length > 0 ? allCells() : usualCells()).filter((cell) =>
  chosen.every((word) => cellName(cell).includes(word)),
);
if (cells.length === 0) throw new Error(`no cell has ${chosen.join(' and ')} in its name`);

const OTHER_ROOTS = new Map([
  ['deb', tryDeb],
  ['mcpb', tryBundle],
  ['image', tryImage],
]);

const root = await mkdtemp(path.join(tmpdir(), 'listing-video-smoke-'));
const launchers = new Map<string, Promise<string>>();
const counts = { passed: 0, failed: 0, skipped: 0 };
try {
  const tarball = await pack(root);
  for (const [index, cell] of cells.entries()) {
    const result = await tryCell(cell, tarball, path.join(root, `cell-${index}`));
    counts[result.state]++;
    console.log(`${result.state.padEnd(7)} ${cellName(cell)}${result.text && `: ${result.text}`}`);
  }
} finally {
  await rm(root, { recursive: true, force: true });
}
console.log(`smoke: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
// Where every cell is left out, nothing was tried.
if (counts.failed > 0 || counts.passed === 0) process.exitCode = 1;

async function tryCell(
  cell: Cell,
  tarball: string,
  folder: string,
): Promise<{ state: keyof typeof counts; text: string }> {
  try {
    await mkdir(folder);
    const tryAlone = OTHER_ROOTS.get(cell.install);
    if (tryAlone !== undefined) {
      await tryAlone(folder);
      return { state: 'passed', text: '' };
    }
    const installed =
      cell.install === 'folder'
        ? await portable(cell, tarball, folder)
        : await withNode(cell, tarball, folder);
    const isPart = isIncomplete(cell);
    await (isPart ? tryIncomplete(installed) : tryComplete(installed));
    return { state: 'passed', text: isPart ? 'names what is missing' : '' };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { state: error instanceof Unavailable ? 'skipped' : 'failed', text };
  }
}

async function withNode(cell: Cell, tarball: string, folder: string): Promise<Installed> {
  const [bin, ffmpeg] = await Promise.all([nodeFolder(cell.node), ffmpegPath(cell.ffmpeg)]);
  const env = {
    ...process.env,
    PATH: [bin, process.env.PATH].join(path.delimiter),
    ...(ffmpeg !== null && { FFMPEG_BIN: ffmpeg }),
  };
  return { command: [path.join(bin, 'node'), await launcherOf(cell, tarball, env)], env, folder };
}

/** It must find its Node and its ffmpeg itself: no program is on its `PATH`. */
async function portable(cell: Cell, tarball: string, folder: string): Promise<Installed> {
  const launcher = await launcherOf(cell, tarball, process.env);
  return { command: ['/bin/sh', launcher], env: { HOME: folder, PATH: folder }, folder };
}

/**
 * One installation serves every Node, because no package is compiled for one of them. A clone is built, so each has its
 * own.
 */
function launcherOf({ install: name, node }: Cell, tarball: string, env: NodeJS.ProcessEnv): Promise<string> {
  const key = name.startsWith('package') ? name : `${name}-${node}`;
  const known = launchers.get(key);
  if (known !== undefined) return known;
  const launcher = install(name, { tarball, folder: path.join(root, key), env });
  launchers.set(key, launcher);
  return launcher;
}
