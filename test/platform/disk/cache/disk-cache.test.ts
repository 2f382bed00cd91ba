import { mkdir, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDiskCache } from '../../../../src/platform/disk/cache/disk-cache.ts';
import { freshCache } from '../../../../src/platform/disk/cache/fresh-cache.ts';
import { buildModule } from '../../../build-module.ts';
import { temporaryFolder } from '../../../leftovers/temporary-folder.ts';
import { aCache, filesIn } from './a-cache.ts';

const HOUR_MS = 3_600_000;

function onlyEntry(root: string, kind: string): string {
  const files = filesIn(root, kind);
  expect(files).toHaveLength(1);
  return files[0]!;
}

describe('a disk cache', () => {
  it('hands back what was put, and nothing else', async () => {
    const { cache, job, add } = await aCache();
    expect(await add('segments', 'a', 'first')).toBe(true);
    expect(await cache.pin('segments', 'a', job)).toBe(join(job, 'a'));
    expect(await readFile(join(job, 'a'), 'utf8')).toBe('first');
    expect((await cache.read('segments', 'a'))?.toString()).toBe('first');
    expect(await cache.pin('segments', 'ab', job)).toBeUndefined();
    expect(await cache.pin('audio', 'a', job)).toBeUndefined();
    expect(await cache.read('audio', 'a')).toBeUndefined();
    expect(await readdir(job)).toEqual(['a']);
  });

  it('keeps content that was never a file', async () => {
    const { cache, root } = await aCache();
    expect(await cache.putBytes('stills', 'a', Buffer.from('first'))).toBe(true);
    expect(await cache.putBytes('stills', 'a', Buffer.from('second'))).toBe(true);
    expect((await cache.read('stills', 'a'))?.toString()).toBe('second');
    onlyEntry(root, 'stills');
  });

  it.each([
    ['a changed byte', async (path: string) => writeFile(path, 'fXrst')],
    ['a cut end', async (path: string) => truncate(path, 3)],
    ['no bytes at all', async (path: string) => truncate(path, 0)],
  ])('notices %s, removes the entry and takes it for absent', async (_what, damage) => {
    const { cache, root, add } = await aCache();
    const job = temporaryFolder();
    for (const find of [() => cache.pin('segments', 'a', job), () => cache.read('segments', 'a')]) {
      await add('segments', 'a', 'first');
      await damage(onlyEntry(root, 'segments'));
      expect(await find()).toBeUndefined();
      expect(await readdir(job)).toEqual([]);
      expect(filesIn(root, 'segments')).toEqual([]);
    }
  });

  it('keeps one entry per name, the newest', async () => {
    const { cache, root, job, add } = await aCache();
    await add('segments', 'a', 'old');
    await add('segments', 'a', 'newer');
    await add('segments', 'a', 'newer');
    onlyEntry(root, 'segments');
    await cache.pin('segments', 'a', job);
    expect(await readFile(join(job, 'a'), 'utf8')).toBe('newer');
  });

  it('clears away what crashed writers left, but not what is being written', async () => {
    const { cache, root, time, add, open } = await aCache();
    await add('photos', 'b', 'x');
    const [old, fresh] = ['old.tmp', 'fresh.tmp'].map((name) => join(root, 'photos', name));
    for (const path of [old!, fresh!]) await writeFile(path, 'x');
    await utimes(old!, (time() - 2 * HOUR_MS) / 1000, (time() - 2 * HOUR_MS) / 1000);
    await utimes(fresh!, time() / 1000, time() / 1000);
    await cache.trim();
    await open(0).trim();
    expect(filesIn(root, 'photos')).toEqual([fresh]);
  });

  it('counts trouble as "not cached" instead of failing the job', async () => {
    const folder = temporaryFolder();
    const blocked = join(folder, 'cache');
    await writeFile(blocked, 'a file where the cache wants its folder');
    const cache = createDiskCache(blocked, { maxBytes: 100 });
    await writeFile(join(folder, 'made'), 'x');
    expect(await cache.put('segments', 'a', join(folder, 'made'))).toBe(false);
    expect(await cache.putBytes('segments', 'a', Buffer.from('x'))).toBe(false);
    expect(await cache.pin('segments', 'a', folder)).toBeUndefined();
    expect(await cache.read('segments', 'a')).toBeUndefined();
    expect(await cache.trim()).toEqual({ removedEntries: 0, freedBytes: 0, keptBytes: 0 });
  });

  it('serves several processes that put, pin and trim the same entries at once', async () => {
    const root = join(temporaryFolder(), 'cache');
    const program = await buildModule('test/platform/disk/cache/use-cache.ts');
    onTestFinished(() => program.remove());
    const runs = [1, 2, 3].map((seed) =>
      execa(process.execPath, [program.path, root, `${seed}`], { reject: false }),
    );
    for (const { stdout, stderr, exitCode } of await Promise.all(runs)) {
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
      expect(JSON.parse(stdout)).toEqual({ wrong: 0, pinned: expect.any(Number), rounds: 150 });
      expect(JSON.parse(stdout).pinned).toBeGreaterThan(0);
    }
    expect((await createDiskCache(root, { maxBytes: 40_000 }).trim()).keptBytes).toBeLessThanOrEqual(40_000);
    const files = filesIn(root, 'segments');
    expect(files.filter((name) => name.endsWith('.tmp'))).toEqual([]);
    for (const file of files) expect((await stat(file)).size).toBeGreaterThan(0);
  });
});

describe('the limit', () => {
  it('removes what was not used for longest, over all kinds, until it fits', async () => {
    const { cache, job, add, names } = await aCache(3000);
    await add('segments', 'a', Buffer.alloc(1000));
    await add('segments', 'b', Buffer.alloc(1000));
    await add('segments', 'c', Buffer.alloc(1000));
    expect(await cache.trim()).toEqual({ removedEntries: 0, freedBytes: 0, keptBytes: 3000 });
    await rm((await cache.pin('segments', 'a', job))!);
    await add('audio', 'd', Buffer.alloc(500));
    expect([names('segments'), names('audio')]).toEqual([['a', 'c'], ['d']]);
  });

  it('removes nothing for a file whose name says a size that it does not have', async () => {
    const { root, cache, add, names } = await aCache(3000);
    await add('segments', 'a', Buffer.alloc(1000));
    await writeFile(join(root, 'segments', 'x~ffffffffff-1'), '');
    expect(await cache.trim()).toEqual({ removedEntries: 0, freedBytes: 0, keptBytes: 1000 });
    expect(names('segments')).toContain('a');
  });

  it('holds after every put, without a call to trim', async () => {
    const { root, add } = await aCache(10_000);
    for (let entry = 0; entry < 40; entry++) {
      await add(entry % 2 ? 'photos' : 'stills', `e${entry}`, Buffer.alloc(900));
      const files = [...filesIn(root, 'photos'), ...filesIn(root, 'stills')];
      expect(files.length * 900).toBeLessThanOrEqual(10_000);
      expect(files.length).toBeGreaterThanOrEqual(Math.min(entry + 1, 9));
    }
  });

  it('gives the photos up before the segments that were made from them', async () => {
    const { cache, job, hold, names, excesses } = await aCache(2_000);
    for (const name of ['a', 'b', 'c']) {
      await hold('photos', `${name}.yuv`, Buffer.alloc(6_000));
      await cache.putBytes('photos', `${name}.json`, Buffer.alloc(10));
    }
    for (const name of ['d', 'e', 'f']) await hold('segments', name, Buffer.alloc(500));
    await cache.putBytes('stills', 'g', Buffer.alloc(100));
    await cache.trim();
    expect(names('photos')).toHaveLength(6);
    expect(names('segments')).toHaveLength(3);
    expect(names('stills')).toEqual(['g']);
    expect(excesses).toEqual([expect.any(Number)]);
    await rm(job, { recursive: true });
    expect(await cache.trim()).toMatchObject({ removedEntries: 3, keptBytes: 1600 });
    expect([names('photos'), names('segments'), names('stills')]).toEqual([[], ['d', 'e', 'f'], ['g']]);
  });

  it('never takes from a running job what it has pinned', async () => {
    const { cache, job, add, open } = await aCache();
    await add('segments', 'a', 'a segment that is too large to keep');
    const pinned = await cache.pin('segments', 'a', job);
    const other = open(10);
    expect((await other.trim()).removedEntries).toBe(0);
    expect(await other.pin('segments', 'a', temporaryFolder())).toBeDefined();
    await rm(pinned!);
    await rm(job, { recursive: true });
  });

  it('of 0 keeps nothing beyond the run', async () => {
    const { cache, root, add, open, job } = await aCache(0);
    expect(await add('segments', 'a', 'x')).toBe(false);
    expect(await cache.putBytes('stills', 'a', Buffer.from('x'))).toBe(false);
    expect(await readdir(root).catch(() => [])).toEqual([]);
    const other = open(1000);
    await other.putBytes('stills', 'b', Buffer.from('x'));
    expect(await cache.pin('stills', 'b', job)).toBeDefined();
    expect(await cache.trim()).toMatchObject({ removedEntries: 0 });
    await rm(join(job, 'b'));
    expect(await cache.trim()).toMatchObject({ removedEntries: 1, keptBytes: 0 });
  });

  it('counts what earlier versions left, and removes it first', async () => {
    const { cache, root, add, names, time } = await aCache(3000);
    await mkdir(join(root, 'photos'), { recursive: true });
    for (const name of ['b6a1.yuv', 'b6a1.json', 'c5~3e8-0']) {
      await writeFile(join(root, 'photos', name), Buffer.alloc(1000));
      await utimes(join(root, 'photos', name), time() / 1000, time() / 1000);
    }
    await add('photos', 'new.yuv', Buffer.alloc(1500));
    await cache.trim();
    expect(names('photos')).toContain('new.yuv');
    expect(names('photos')).toHaveLength(2);
  });

  it('leaves a copy of ffmpeg, which a run can be using', async () => {
    const { cache, root, names } = await aCache(1000);
    await mkdir(root);
    await writeFile(join(root, 'ffmpeg-1-2'), Buffer.alloc(5000));
    await cache.putBytes('stills', 'a', Buffer.alloc(100));
    expect(await readdir(root)).toEqual(['ffmpeg-1-2', 'stills']);
    expect(names('stills')).toEqual([]);
  });
});

it('a fresh cache finds what it was given itself, and nothing older', async () => {
  const { root, cache, add, job } = await aCache();
  await add('previews', 'a', 'old');
  await add('previews', 'b', 'old');
  const fresh = freshCache(cache);
  expect(await fresh.pin('previews', 'a', job)).toBeUndefined();
  expect(await fresh.read('previews', 'a')).toBeUndefined();
  const path = join(job, 'new');
  await writeFile(path, 'new');
  expect(await fresh.put('previews', 'a', path)).toBe(true);
  for (const each of [fresh, cache]) {
    expect(await readFile((await each.pin('previews', 'a', temporaryFolder()))!, 'utf8')).toBe('new');
    expect((await each.read('previews', 'a'))?.toString()).toBe('new');
  }
  expect(await fresh.pin('previews', 'b', job)).toBeUndefined();
  await fresh.putBytes('previews', 'b', Buffer.from('newer'));
  expect((await fresh.read('previews', 'b'))?.toString()).toBe('newer');
  expect(filesIn(root, 'previews')).toHaveLength(2);
});

it('a cache makes room also below its limit, but keeps what a run holds', async () => {
  const { cache, hold, add, names } = await aCache();
  await hold('segments', 'linked', 'by a run');
  await add('segments', 'old', 'by nobody');
  expect(await cache.makeRoom(0)).toMatchObject({ removedEntries: 0 });
  const everything = await cache.makeRoom(Number.MAX_SAFE_INTEGER);
  expect(everything).toMatchObject({ removedEntries: 1, freedBytes: 'by nobody'.length });
  expect(names('segments')).toEqual(['linked']);
});
