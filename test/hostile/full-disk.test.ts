/** A disk that is full, as a real one of a few megabytes: what notices it, and what goes on. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { link, mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeSegments } from '../../src/media/encode/encode-segments.ts';
import { findFfmpeg } from '../../src/media/encode/ffmpeg/find-ffmpeg.ts';
import { createDiskCache } from '../../src/platform/disk/cache/disk-cache.ts';
import { freeBytesOf } from '../../src/platform/disk/free-space.ts';
import { retryWithRoom } from '../../src/video/make/retry-with-room.ts';
import { checkReadiness } from '../../src/wiring/server/check-readiness.ts';
import { prepareIn } from '../media/assets/prepare-in.ts';
import { FORMAT, numberedFrames } from '../media/encode/numbered-frames.ts';

const MB = 1_000_000;
const DISK_BYTES = 24 * 1024 * 1024;
const disk = mkdtempSync(join(tmpdir(), 'listing-video-full-disk-'));
const canMount = mount();
if (!canMount) console.warn('not tested: a full disk, because this user cannot mount a tmpfs');
const onFullDisk = it.skipIf(!canMount);

function mount(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', disk], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

afterAll(() => {
  if (canMount) execFileSync('umount', [disk]);
  rmSync(disk, { recursive: true, force: true });
});

let home: string;
let homes = 0;
beforeEach(() => {
  homes += 1;
  home = join(disk, `home-${homes}`);
  mkdirSync(join(home, 'cache', 'segments'), { recursive: true });
});
afterEach(() => rm(home, { recursive: true, force: true }));

const openCache = () => createDiskCache(join(home, 'cache'), { maxBytes: 5_000 * MB });
const ready = { findFfmpeg: () => findFfmpeg({ searchPath: process.env.PATH }) };

/** Entries of the cache, a day old, until nothing else fits on the disk. */
async function fillWithCache(): Promise<void> {
  const old = Date.now() / 1000 - 86_400;
  for (let entry = 0; entry < 24; entry++) {
    const path = join(home, 'cache', 'segments', `old-${entry}~100000-0`);
    const written = await writeFile(path, Buffer.alloc(1024 * 1024)).catch(() => 'full');
    await utimes(path, old + entry, old + entry);
    if (written === 'full') break;
  }
  expect(await freeBytesOf(disk)).toBeLessThan(4096);
}

/** A file that nobody may remove. */
const fillWithData = () => writeFile(join(home, 'data'), Buffer.alloc(DISK_BYTES)).catch(() => {});

describe('/readyz', () => {
  onFullDisk('notices a disk on which only empty files can be written', async () => {
    await fillWithData();
    await writeFile(join(home, 'empty'), '');
    expect(await checkReadiness({ home, cache: openCache(), ...ready }, 0)).toEqual({
      isReady: false,
      checks: { store: false, disk: true, ffmpeg: true },
    });
    expect(readdirSync(home).sort()).toEqual(['cache', 'data', 'empty']);
  });

  onFullDisk('names the check that fails when there is too little space for a task', async () => {
    expect(await checkReadiness({ home, cache: openCache(), ...ready })).toEqual({
      isReady: false,
      checks: { store: true, disk: false, ffmpeg: true },
    });
  });

  onFullDisk('gets the space back from the cache, and no more than it needs', async () => {
    await fillWithCache();
    const { isReady } = await checkReadiness({ home, cache: openCache(), ...ready }, 4 * MB);
    expect(isReady).toBe(true);
    const kept = readdirSync(join(home, 'cache', 'segments'));
    expect(kept.length).toBeGreaterThan(15);
    expect(kept).not.toContain('old-0~100000-0');
  });
});

describe('a listing', () => {
  onFullDisk('gets its photos decoded on a disk that the cache has filled', async () => {
    const photos = join(tmpdir(), `listing-video-full-${process.pid}`);
    await mkdir(photos, { recursive: true });
    try {
      const bytes = await sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#357' } })
        .jpeg()
        .toBuffer();
      await writeFile(join(photos, 'a.jpg'), bytes);
      await fillWithCache();
      const cache = openCache();
      const prepare = () => prepareIn(home, { assets: [{ url: 'a.jpg' }], baseDir: photos, cache });
      await expect(prepare()).rejects.toMatchObject({ code: 'disk_full' });
      const { photos: usable, dropped } = await retryWithRoom(cache, prepare);
      expect([usable.length, dropped]).toEqual([1, []]);
    } finally {
      await rm(photos, { recursive: true, force: true });
    }
  });

  onFullDisk('gets its segments on a disk that the cache has filled', async () => {
    await fillWithCache();
    const { path: ffmpeg } = await ready.findFfmpeg();
    const segments = [{ key: 'a', startFrame: 0, endFrame: 30 }];
    let tries = 0;
    const done: string[] = [];
    await retryWithRoom(openCache(), async () => {
      tries += 1;
      const outDir = join(home, `segments-${tries}`);
      await mkdir(outDir);
      await encodeSegments({
        ffmpeg,
        format: FORMAT,
        frames: numberedFrames(segments).frames,
        segments,
        outDir,
        onSegment: async (_segment, file) => void done.push(file),
      });
    });
    expect(tries).toBe(2);
    expect(done.map((file) => statSync(file).size > 0)).toEqual([true]);
  });

  onFullDisk('fails with disk_full when the cache holds nothing that can go', async () => {
    await writeFile(join(home, 'cache', 'segments', 'mine~5-0'), 'mine!');
    await link(join(home, 'cache', 'segments', 'mine~5-0'), join(home, 'linked'));
    await fillWithData();
    const write = () => writeFile(join(home, 'more'), Buffer.alloc(MB));
    await expect(retryWithRoom(openCache(), write)).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(readdirSync(join(home, 'cache', 'segments'))).toEqual(['mine~5-0']);
  });
});
