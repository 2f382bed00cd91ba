/** Reads what is in a cache. Other processes add and remove files meanwhile; a file that is gone does not count. */
import { type Stats, statSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isAside } from '../atomic-write.ts';
import { type CacheEntry, keyOfName, PROGRAM_KIND, sizeOfName } from './cache-entry.ts';

export interface ScannedEntry extends CacheEntry {
  readonly paths: readonly string[];
}

/** A temporary file older than this has no writer any more. */
const ABANDONED_MS = 3_600_000;
/** Files whose state is read without giving other work a turn: about 3 ms. */
const FILES_PER_TURN = 256;

interface FoundFile {
  readonly kind: string;
  readonly folder: string;
  readonly name: string;
  /** In a folder of its kind only, where earlier versions put their files. No version of today finds it there. */
  readonly isOutdated: boolean;
}

/** Size of all entries, from their names alone: 100,000 take a tenth of the time of {@link readEntries}. In bytes. */
export async function readTotalBytes(root: string): Promise<number> {
  let total = 0;
  for (const file of await listFiles(root)) {
    if (isAside(file.name)) continue;
    total += sizeOfName(file.name) ?? stateOf(file)?.size ?? 0;
  }
  return total;
}

/** All entries. Removes temporary files of crashed writers. */
export async function readEntries(root: string, nowMs: number): Promise<ScannedEntry[]> {
  const entries = new Map<string, ScannedEntry>();
  for (const [index, file] of (await listFiles(root)).entries()) {
    if (index % FILES_PER_TURN === FILES_PER_TURN - 1) await nextTurn();
    const info = stateOf(file);
    if (!info?.isFile()) continue;
    const path = join(file.folder, file.name);
    if (isAside(file.name)) {
      if (nowMs - info.mtimeMs > ABANDONED_MS) await rm(path, { force: true }).catch(() => {});
      continue;
    }
    const key = keyOfName(file.name);
    const id = `${file.kind}/${file.isOutdated ? file.name : key}`;
    const known = entries.get(id);
    entries.set(id, {
      kind: file.kind,
      key,
      sizeBytes: info.size + (known?.sizeBytes ?? 0),
      usedMs: file.isOutdated ? 0 : Math.max(info.mtimeMs, known?.usedMs ?? 0),
      isHeld: info.nlink > 1 || file.kind === PROGRAM_KIND || known?.isHeld === true,
      paths: [...(known?.paths ?? []), path],
    });
  }
  return [...entries.values()];
}

async function listFiles(root: string): Promise<FoundFile[]> {
  const files: FoundFile[] = [];
  const read = async (folder: string, kind: string, level: 'root' | 'kind' | 'shard') => {
    // A folder can be missing, or be removed meanwhile.
    for (const found of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const { name } = found;
      if (found.isFile()) files.push({ kind, folder, name, isOutdated: level === 'kind' });
      else if (found.isDirectory() && level === 'root') await read(join(folder, name), name, 'kind');
      else if (found.isDirectory() && level === 'kind') await read(join(folder, name), kind, 'shard');
    }
  };
  await read(root, PROGRAM_KIND, 'root');
  return files;
}

/** Synchronous: a promise for each file takes eight times the CPU. */
function stateOf({ folder, name }: FoundFile): Stats | undefined {
  try {
    return statSync(join(folder, name));
  } catch {
    return undefined;
  }
}
