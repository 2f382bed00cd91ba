import { mkdir, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { createDiskCache, freshCache } from '../../src/encode/disk-cache.ts';
import { makeFolder } from './workbench.ts';

const HOUR_MS = 3_600_000;

/** A cache with a clock that moves a second on with each call, and a job's folder. */
async function setUp(maxBytes = 1_000_000, readInPlace: string[] = []) {
  const root = join(await makeFolder(), 'cache');
  const job = await makeFolder();
  let time = 1_700_000_000_000;
  const now = () => {
    time += 1000;
    return time;
  };
  const cache = createDiskCache(root, { maxBytes, readInPlace, now });
  const add = async (namespace: string, name: string, content: string | Buffer) => {
    const path = join(job, `made-${namespace}-${name}`);
    await writeFile(path, content);
    return cache.put(namespace, name, path);
  };
  const advance = (ms: number) => {
    time += ms;
  };
  return { root, job, cache, add, advance, time: () => time };
}

async function onlyEntry(root: string, namespace: string): Promise<string> {
  const names = await readdir(join(root, namespace));
  expect(names).toHaveLength(1);
  return join(root, namespace, names[0]!);
}

describe('a disk cache', () => {
  it('hands back what was put, and nothing else', async () => {
    const { cache, job, add } = await setUp();
    expect(await add('segments', 'a', 'first')).toBe(true);
    expect(await cache.pin('segments', 'a', job)).toBe(join(job, 'a'));
    expect(await readFile(join(job, 'a'), 'utf8')).toBe('first');
    expect(await cache.pin('segments', 'ab', job)).toBeUndefined();
    expect(await cache.pin('audio', 'a', job)).toBeUndefined();
    expect((await readdir(job)).sort()).toEqual(['a', 'made-segments-a']);
  });

  it.each([
    ['a changed byte', async (path: string) => writeFile(path, 'fXrst')],
    ['a cut end', async (path: string) => truncate(path, 3)],
    ['no bytes at all', async (path: string) => truncate(path, 0)],
  ])('notices %s, removes the entry and takes it for absent', async (_what, damage) => {
    const { cache, root, add } = await setUp();
    const job = await makeFolder();
    await add('segments', 'a', 'first');
    await damage(await onlyEntry(root, 'segments'));
    expect(await cache.pin('segments', 'a', job)).toBeUndefined();
    expect(await readdir(job)).toEqual([]);
    expect(await readdir(join(root, 'segments'))).toEqual([]);
  });

  it('keeps one entry per name, the newest', async () => {
    const { cache, root, job, add } = await setUp();
    await add('segments', 'a', 'old');
    await add('segments', 'a', 'newer');
    await add('segments', 'a', 'newer');
    await onlyEntry(root, 'segments');
    await cache.pin('segments', 'a', job);
    expect(await readFile(join(job, 'a'), 'utf8')).toBe('newer');
  });

  it('removes what was not used for longest, over all namespaces, until it fits', async () => {
    const { cache, root, job, add } = await setUp(3000);
    await add('segments', 'a', Buffer.alloc(1000));
    await add('previews', 'b', Buffer.alloc(1000));
    await add('segments', 'c', Buffer.alloc(1000));
    expect(await cache.trim()).toEqual({ removedFiles: 0, freedBytes: 0, keptBytes: 3000 });
    await cache.pin('segments', 'a', job);
    await add('audio', 'd', Buffer.alloc(500));
    expect(await cache.trim()).toEqual({ removedFiles: 1, freedBytes: 1000, keptBytes: 2500 });
    const left = await Promise.all(
      ['segments', 'previews', 'audio'].map((name) => readdir(join(root, name))),
    );
    expect(left.map((names) => names.map((name) => name[0]).sort())).toEqual([['a', 'c'], [], ['d']]);
  });

  it('never takes from a running job what it has pinned', async () => {
    const { cache, job, add } = await setUp(10);
    await add('segments', 'a', 'a segment that is too large to keep');
    const pinned = await cache.pin('segments', 'a', job);
    expect((await cache.trim()).keptBytes).toBe(0);
    expect(await readFile(pinned!, 'utf8')).toBe('a segment that is too large to keep');
  });

  it('leaves files that are read in place for an hour after their last use', async () => {
    const { cache, root, advance, time } = await setUp(10, ['photos']);
    await mkdir(join(root, 'photos'), { recursive: true });
    const photo = join(root, 'photos', 'digest.yuv');
    await writeFile(photo, Buffer.alloc(500));
    await utimes(photo, time() / 1000, time() / 1000);
    expect((await cache.trim()).keptBytes).toBe(500);
    advance(HOUR_MS + 10_000);
    expect((await cache.trim()).removedFiles).toBe(1);
  });

  it('clears away what crashed writers left, but not what is being written', async () => {
    const { cache, root, time } = await setUp();
    await mkdir(join(root, 'photos'), { recursive: true });
    const [old, fresh] = ['old.part', 'fresh.part'].map((name) => join(root, 'photos', name));
    for (const path of [old!, fresh!]) await writeFile(path, 'x');
    await utimes(old!, (time() - 2 * HOUR_MS) / 1000, (time() - 2 * HOUR_MS) / 1000);
    await utimes(fresh!, time() / 1000, time() / 1000);
    await cache.trim();
    expect(await readdir(join(root, 'photos'))).toEqual(['fresh.part']);
  });

  it('counts trouble as "not cached" instead of failing the job', async () => {
    const folder = await makeFolder();
    const blocked = join(folder, 'cache');
    await writeFile(blocked, 'a file where the cache wants its folder');
    const cache = createDiskCache(blocked, { maxBytes: 100 });
    await writeFile(join(folder, 'made'), 'x');
    expect(await cache.put('segments', 'a', join(folder, 'made'))).toBe(false);
    expect(await cache.pin('segments', 'a', folder)).toBeUndefined();
    expect(await cache.trim()).toEqual({ removedFiles: 0, freedBytes: 0, keptBytes: 0 });
  });

  it('serves several processes that put, pin and trim the same entries at once', async () => {
    const root = join(await makeFolder(), 'cache');
    const script = fileURLToPath(new URL('./use-cache.ts', import.meta.url));
    const runs = [1, 2, 3].map((seed) =>
      execa(process.execPath, ['--import', 'tsx', script, root, `${seed}`], { reject: false }),
    );
    for (const { stdout, stderr, exitCode } of await Promise.all(runs)) {
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
      expect(JSON.parse(stdout)).toEqual({ wrong: 0, pinned: expect.any(Number), rounds: 150 });
      expect(JSON.parse(stdout).pinned).toBeGreaterThan(0);
    }
    const files = await readdir(join(root, 'segments'));
    expect(files.filter((name) => /\.(part|tmp)$/.test(name))).toEqual([]);
    for (const name of files) expect((await stat(join(root, 'segments', name))).size).toBeGreaterThan(0);
  });
});

it('a fresh cache finds what it was given itself, and nothing older', async () => {
  const { root, cache, add, job } = await setUp();
  await add('previews', 'a', 'old');
  await add('previews', 'b', 'old');
  const fresh = freshCache(cache);
  expect(await fresh.pin('previews', 'a', job)).toBeUndefined();
  const path = join(job, 'new');
  await writeFile(path, 'new');
  expect(await fresh.put('previews', 'a', path)).toBe(true);
  for (const each of [fresh, cache]) {
    expect(await readFile((await each.pin('previews', 'a', await makeFolder()))!, 'utf8')).toBe('new');
  }
  expect(await fresh.pin('previews', 'b', job)).toBeUndefined();
  expect(await readdir(join(root, 'previews'))).toHaveLength(2);
});

it('a cache makes room also below its limit, but keeps what a run has linked or reads in place', async () => {
  const { cache, root, add, job, advance, time } = await setUp(1_000_000, ['photos']);
  await add('segments', 'linked', 'by a run');
  await add('segments', 'old', 'by nobody');
  await rm(join(job, 'made-segments-old'));
  advance(2 * HOUR_MS);
  await mkdir(join(root, 'photos'));
  await writeFile(join(root, 'photos', 'a.yuv'), 'fresh');
  await utimes(join(root, 'photos', 'a.yuv'), time() / 1000, time() / 1000);
  expect(await cache.makeRoom(0)).toMatchObject({ removedFiles: 0 });
  const everything = await cache.makeRoom(Number.MAX_SAFE_INTEGER);
  expect(everything).toMatchObject({ removedFiles: 1, freedBytes: 'by nobody'.length });
  expect(await readdir(join(root, 'segments'))).toEqual([expect.stringMatching(/^linked~/)]);
  expect(await readdir(join(root, 'photos'))).toEqual(['a.yuv']);
});
