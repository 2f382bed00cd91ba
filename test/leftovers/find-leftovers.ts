/**
 * What a run of the tests left behind: processes, and files in its folder for temporary files. The ports of a process
 * end with it, so they need no search of their own.
 *
 * Each test file has a temporary folder of its own below that of the run (`own-folder.ts`), and every process that it
 * starts inherits its place as `TMPDIR`. So what is left names the test file that left it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process or file that outlived its test file. */
export interface Leftover {
  /** Path of the test file below `test/`, with dashes for slashes. Empty for a process of the test runner itself. */
  readonly testFile: string;
  /** A path, or the command of a process. */
  readonly what: string;
}

/** Folder in which tsx keeps the code that it made. It stays. */
export const TSX_CACHE = `tsx-${process.geteuid?.() ?? process.env.USERNAME}`;

/** Folder with the data of an empty PostgreSQL server, from which those of all tests are copied. It stays. */
export const POSTGRES_TEMPLATE = 'postgres-template';

/** Home with the cache of the small listing, from which those of tests are copied. It stays. */
export const CACHED_LISTING = 'cached-listing';

/** A process of esbuild, which ends with the worker of the test runner that started it. */
const TOOL = /\besbuild --service=/;

/** Files and folders in `root/<test file>/`. */
export function findFiles(root: string): Leftover[] {
  const kept = [TSX_CACHE, POSTGRES_TEMPLATE, CACHED_LISTING];
  const namesIn = (folder: string) => readdirSync(folder).filter((name) => !kept.includes(name));
  return namesIn(root).flatMap((testFile) =>
    namesIn(path.join(root, testFile)).map((name) => ({ testFile, what: path.join(root, testFile, name) })),
  );
}

/**
 * Live processes whose temporary folder is `root` or below it. None where the system does not tell: it is Linux that
 * does.
 */
export function findProcesses(root: string): (Leftover & { pid: number })[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((name) => {
    try {
      const environment = readFileSync(`/proc/${Number(name)}/environ`, 'utf8');
      const folder = environment.split('\0').find((entry) => entry.startsWith(`TMPDIR=${root}`));
      // Empty for a process that has ended and whose parent has not asked for its exit code.
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      if (folder === undefined || command === '' || TOOL.test(command)) return [];
      const [testFile = ''] = folder.slice(`TMPDIR=${root}/`.length).split('/', 1);
      return [{ testFile, what: command, pid: Number(name) }];
    } catch {
      // It has ended meanwhile, it belongs to another user, or the name is none of a process.
      return [];
    }
  });
}

/**
 * How long a process may take to end after its parent: a task notices that its server is gone. A busy machine takes a
 * second.
 */
const GRACE_MS = 5_000;
const STEP_MS = 50;

/** Those of `findProcesses` that belong to a test file and do not end by themselves. */
export async function findStrayProcesses(root: string, graceMs = GRACE_MS): Promise<Leftover[]> {
  const find = () => findProcesses(root).filter(({ testFile }) => testFile !== '');
  for (let waitedMs = 0; waitedMs < graceMs && find().length > 0; waitedMs += STEP_MS) await sleep(STEP_MS);
  return find();
}
