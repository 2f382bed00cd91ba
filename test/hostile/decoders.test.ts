/** Photos and music that attack their decoders: what a decoder can take, read and reach when it is taken over. */
import { execFile, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DecodePool, type DecodePoolOptions } from '../../src/media/assets/decode/decode-process.ts';
import { inspectMusic } from '../../src/media/encode/audio/inspect-music.ts';
import { makeMusicTrack } from '../../src/media/encode/audio/music.ts';
import { findFfmpeg } from '../../src/media/encode/ffmpeg/find-ffmpeg.ts';
import { runFfmpeg } from '../../src/media/encode/ffmpeg/run-ffmpeg.ts';
import { buildModule } from '../build-module.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import { QUARTERS_FILE } from '../media/assets/heic-files.ts';

const onLinux = it.skipIf(process.platform !== 'linux');
const never = new AbortController().signal;
const MIB = 1024 * 1024;
const folder = temporaryFolder();
const pools: { close(): Promise<void> }[] = [];
let files = 0;

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

/** An executable shell script in place of ffmpeg. */
async function script(body: string): Promise<string> {
  files += 1;
  const path = join(folder, `script-${files}`);
  await writeFile(path, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  return path;
}

async function sourceIn(dir: string, bytes: Buffer) {
  files += 1;
  await mkdir(dir, { recursive: true });
  const sourcePath = join(dir, `source-${files}`);
  await writeFile(sourcePath, bytes);
  return {
    sourcePath,
    sourceSha256: createHash('sha256').update(bytes).digest('hex'),
    masterPath: join(folder, 'masters', `master-${files}`),
  };
}

async function photoIn(dir: string) {
  const image = sharp({ create: { width: 400, height: 400, channels: 3, background: '#a86' } });
  const source = await sourceIn(dir, await image.jpeg().toBuffer());
  return { ...source, kind: 'photo' as const, format: 'jpeg' as const, maxPixels: 1e8 };
}

const POOL: DecodePoolOptions = { maxProcesses: 1, timeoutMs: 20_000, memoryLimitBytes: 512 * MIB };

/** `Max data size` and the others of `/proc/<pid>/limits`, soft and hard, as text. */
function readLimit(text: string, name: string): string[] {
  return new RegExp(`^${name} +(\\S+) +(\\S+)`, 'm').exec(text)?.slice(1) ?? [];
}

/** Of two processes with equal memory the kernel ends the one with the higher score. */
const scoreOf = (pid: number) => Number(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8'));

function expectLimits(limits: string, memoryBytes: number): void {
  for (const name of ['Max cpu time', 'Max file size', 'Max processes']) {
    expect(readLimit(limits, name), name).toEqual([
      expect.stringMatching(/^\d+$/),
      expect.stringMatching(/^\d+$/),
    ]);
  }
  const [soft, hard] = readLimit(limits, 'Max data size').map(Number);
  expect(soft).toBe(hard);
  expect(hard).toBeLessThanOrEqual(memoryBytes);
  expect(readLimit(limits, 'Max core file size')).toEqual(['0', '0']);
}

describe('ffmpeg', () => {
  onLinux(
    'has limits, no environment and no folder, and is the first to go when memory runs out',
    async () => {
      process.env.LISTING_VIDEO_TEST_SECRET = 'hunter2';
      try {
        const path = await script('cat /proc/self/limits /proc/$$/oom_score_adj; env; pwd; ls /proc/self/fd');
        const { stdout } = await runFfmpeg(path, [], { timeoutMs: 20_000 });
        expectLimits(stdout, 4 * 1024 * MIB);
        expect(Number(/^\d+$/m.exec(stdout)?.[0])).toBeGreaterThan(scoreOf(process.pid));
        expect(stdout).not.toContain('hunter2');
        expect(stdout).not.toMatch(/^(PATH|HOME|NODE_\w+)=/m);
        expect(stdout).toMatch(/^\/$/m);
      } finally {
        delete process.env.LISTING_VIDEO_TEST_SECRET;
      }
    },
  );

  onLinux('that asks for 8 GB fails, and gets none of it', async () => {
    const hog =
      'const a = []; for (let i = 0; i < 8; i++) a.push(Buffer.allocUnsafe(1e9)); console.log(a.length)';
    const path = await script(`exec '${process.execPath}' -e '${hog}'`);
    await expect(runFfmpeg(path, [], { timeoutMs: 20_000 })).rejects.toMatchObject({ code: 'encode_failed' });
  });

  onLinux('that fills the disk with one file is ended', async () => {
    // 64 MB in steps of 1 MB, with a limit of 1 MB: of a real run it is 1 GB.
    const target = join(folder, 'endless');
    const path = await script(`dd if=/dev/zero of='${target}' bs=1048576 count=64`);
    const limits = { memoryBytes: 1024 * MIB, cpuSec: 20, fileBytes: MIB };
    await expect(runFfmpeg(path, [], { timeoutMs: 20_000, limits })).rejects.toMatchObject({
      code: 'encode_failed',
    });
    expect(readFileSync(target)).toHaveLength(MIB);
  });
});

describe('a photo decoder', () => {
  onLinux('has limits and no environment, and is the first to go when memory runs out', async () => {
    const pool = new DecodePool(POOL);
    pools.push(pool);
    await mkdir(join(folder, 'masters'), { recursive: true });
    await pool.decode(await photoIn(join(folder, 'work')), never);
    const proc = `/proc/${pool.processIds[0]}`;
    expectLimits(readFileSync(`${proc}/limits`, 'utf8'), 2048 * MIB);
    expect(scoreOf(pool.processIds[0]!)).toBeGreaterThan(scoreOf(process.pid));
    const names = readFileSync(`${proc}/environ`, 'utf8').split('\0').filter(Boolean);
    for (const variable of names) expect(variable).toMatch(/^(MALLOC_ARENA_MAX|NODE_CHANNEL_\w+|PWD)=/);
  });

  // Sources run through a loader that the permissions would stop.
  it.skipIf(process.platform === 'win32')('reads no file outside its folder, and writes none', async () => {
    const built = await buildModule('src/media/assets/decode/decode-process.ts');
    const { DecodePool: BuiltPool } = (await import(built.path)) as { DecodePool: typeof DecodePool };
    await built.remove();
    const [readDir, writeDir] = [join(folder, 'work'), join(folder, 'masters')];
    await mkdir(writeDir, { recursive: true });
    const pool = new BuiltPool({ ...POOL, folders: { readDir, writeDir } });
    pools.push(pool);
    const good = await photoIn(readDir);
    expect(await pool.decode(good, never)).toMatchObject({ widthPx: 400 });
    // Its decoder is a file of WebAssembly in another package.
    const phone = { ...good, ...(await sourceIn(readDir, QUARTERS_FILE)), format: 'heic' as const };
    expect(await pool.decode(phone, never)).toMatchObject({ widthPx: 480 });
    const secret = await photoIn(join(folder, 'elsewhere'));
    await expect(pool.decode(secret, never)).rejects.toMatchObject({ code: 'unreachable' });
    const outside = { ...(await photoIn(readDir)), masterPath: join(folder, 'elsewhere', 'planted') };
    await expect(pool.decode(outside, never)).rejects.toMatchObject({ code: 'store_unwritable' });
    expect(await readdir(join(folder, 'elsewhere'))).not.toContain('planted');
  });
});

describe('the process of a task', () => {
  onLinux('is ended by the kernel before the server', async () => {
    const entry = fileURLToPath(new URL('../../src/wiring/server/run-task-entry.js', import.meta.url));
    const child = fork(entry, [], { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    try {
      await vi.waitUntil(() => scoreOf(child.pid!) !== scoreOf(process.pid), { timeout: 20_000 });
      expect(scoreOf(child.pid!)).toBeGreaterThan(scoreOf(process.pid));
    } finally {
      child.kill('SIGKILL');
    }
  });
});

describe('music', async () => {
  const { path: ffmpeg } = await findFfmpeg({ searchPath: process.env.PATH });

  async function fileWithVideo(): Promise<string> {
    const path = join(folder, 'video.m4a');
    const inputs = ['-f', 'lavfi', '-i', 'sine=d=2', '-f', 'lavfi', '-i', 'testsrc=d=2:s=64x64:r=5'];
    const codecs = ['-c:a', 'aac', '-c:v', 'libx264', '-f', 'mp4'];
    await promisify(execFile)(ffmpeg, ['-v', 'error', '-y', ...inputs, ...codecs, path]);
    return path;
  }

  async function play(path: string, by: string, decodesMusic: boolean) {
    const found = await inspectMusic(path);
    if (!('file' in found)) throw new Error(found.problem);
    const outDir = await mkdtemp(join(folder, 'out-'));
    const music = { kind: 'file', file: found.file } as const;
    return makeMusicTrack(music, { ffmpeg: by, decodesMusic, durationFrames: 30, fps: 30, outDir });
  }

  it('with a video in it is played, and no decoder of videos opens it', async () => {
    const path = await fileWithVideo();
    const log = join(folder, 'log');
    const traced = await script(
      `export FFREPORT='file=${log}-'$$':level=48'; echo "$@" >>'${log}'; exec '${ffmpeg}' "$@"`,
    );
    await play(path, traced, true);
    const reports = (await readdir(folder)).filter((name) => name.startsWith('log-'));
    const texts = await Promise.all(reports.map((name) => readFile(join(folder, name), 'utf8')));
    expect(texts.join('')).toContain('Codec (h264) not on whitelist');
    expect(texts.join('')).toContain('Audio: aac');
  });

  it('is not shown to an ffmpeg older than 5.1', async () => {
    const path = join(folder, 'tune.flac');
    const tune = ['-f', 'lavfi', '-i', 'sine=d=2', '-c:a', 'flac'];
    await promisify(execFile)(ffmpeg, ['-v', 'error', '-y', ...tune, path]);
    const log = join(folder, 'old-log');
    const traced = await script(`printf '%s ' "$@" >>'${log}'; exec '${ffmpeg}' "$@"`);
    await play(path, traced, false);
    const inputs = [...(await readFile(log, 'utf8')).matchAll(/-f (\S+)(?: -ar \S+ -ac \S+)? -i /g)];
    expect(inputs.length).toBeGreaterThan(1);
    expect(new Set(inputs.map(([, format]) => format))).toEqual(new Set(['f32le']));
    // No decoder in WebAssembly reads M4A.
    await expect(play(await fileWithVideo(), traced, false)).rejects.toMatchObject({
      code: 'music_unusable',
      message: expect.stringContaining('too old for M4A'),
      hint: expect.stringContaining('install ffmpeg 5.1 or newer'),
    });
  });

  it('that is a bomb is refused: a minute in eight channels at 96 kHz is 180 MB, in 30 kB', async () => {
    const path = join(folder, 'bomb.flac');
    const silence = ['-f', 'lavfi', '-i', 'anullsrc=cl=7.1:r=96000', '-t', '60', '-c:a', 'flac'];
    await promisify(execFile)(ffmpeg, ['-v', 'error', '-y', ...silence, path]);
    for (const decodesMusic of [true, false]) {
      await expect(play(path, ffmpeg, decodesMusic)).rejects.toMatchObject({
        code: 'music_unusable',
        message: expect.stringContaining('it is silent'),
      });
    }
  });
});
