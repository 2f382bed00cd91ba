/**
 * Gives the run a folder for temporary files and a build, and fails it when a process or a file is left in the end.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  statfsSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFiles, findStrayProcesses, TSX_CACHE } from './find-leftovers.ts';

const BUILDER = new URL('../../bin/build/build.js', import.meta.url);
const REMOVER = fileURLToPath(new URL('./remove-leftovers.ts', import.meta.url));
/** Files in memory: `fsync` takes microseconds there instead of milliseconds, and a tenth of the CPU. */
const MEMORY = '/dev/shm';
/** Several times what the tests ever hold at a time. Containers often have 64 MB. */
const MIN_MEMORY_BYTES = 4 * 2 ** 30;

/** @returns The end of the run. */
export default async function setup(): Promise<() => Promise<void>> {
  // See `start-build.ts`.
  const { build, isBuilt } = await import(BUILDER.href);
  if (!isBuilt({ isForPackage: true })) await build({ isForPackage: true });
  const disk = tmpdir();
  const root = realpathSync(mkdtempSync(path.join(hasMemory() ? MEMORY : disk, 'lv-tests-')));
  mkdirSync(path.join(disk, TSX_CACHE), { recursive: true });
  symlinkSync(path.join(disk, TSX_CACHE), path.join(root, TSX_CACHE), 'junction');
  // In a process group of its own, so that it outlives the runner: a Ctrl-C or a kill must leave nothing either.
  const remover = spawn(process.execPath, ['--import', 'tsx', REMOVER, root], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  });
  remover.unref();
  // The second is for `own-folder.ts`, which changes the first.
  process.env.TMPDIR = root;
  process.env.TESTS_FOLDER = root;
  return async () => {
    const left = [...(await findStrayProcesses(root)), ...findFiles(root)];
    for (const { testFile, what } of left) process.stderr.write(`left behind by ${testFile}: ${what}\n`);
    if (left.length > 0) process.exitCode = 1;
    remover.stdin.end();
    await once(remover, 'exit');
  };
}

function hasMemory(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= MIN_MEMORY_BYTES;
  } catch {
    return false;
  }
}
