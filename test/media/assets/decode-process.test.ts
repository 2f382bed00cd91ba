/** Hostile pictures against the decoding processes: time, memory, crashes, and parents that die. */
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { DecodePool, type DecodePoolOptions } from '../../../src/media/assets/decode/decode-process.ts';
import type { DecodeRequest } from '../../../src/media/assets/decode/decode-protocol.ts';
import type { SupportedFormat } from '../../../src/media/assets/decode/sniff-format.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { isRunning } from '../../live-processes.ts';
import { heic, heicGrid, heicOf, irot, ispe, QUARTERS, QUARTERS_FILE } from './heic-files.ts';
import { bombPng, manyScans, sha256, texture, tiff } from './sample-pictures.ts';

const MIB = 1024 * 1024;
const never = new AbortController().signal;
const pools: DecodePool[] = [];
const folder = temporaryFolder();
let files = 0;
let slow: Buffer;

beforeAll(async () => {
  // Some tenths of a second at least on any machine of today.
  slow = await sharp({ create: { width: 7000, height: 7000, channels: 3, background: '#888' } })
    .jpeg({ progressive: true })
    .toBuffer();
});

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

function openPool(options: Partial<DecodePoolOptions> = {}): DecodePool {
  const pool = new DecodePool({
    maxProcesses: 1,
    timeoutMs: 10_000,
    memoryLimitBytes: 1024 * MIB,
    ...options,
  });
  pools.push(pool);
  return pool;
}

function toRequest(bytes: Buffer, format: SupportedFormat): DecodeRequest {
  files += 1;
  const sourcePath = join(folder, `source-${files}`);
  writeFileSync(sourcePath, bytes);
  return {
    kind: 'photo',
    sourcePath,
    sourceSha256: sha256(bytes),
    format,
    maxPixels: 100_000_000,
    masterPath: join(folder, `master-${files}`),
  };
}

const good = async () => toRequest(await texture(1).jpeg().toBuffer(), 'jpeg');

describe('a decoding process', () => {
  it('is reused while it is healthy', async () => {
    const pool = openPool();
    await pool.decode(await good(), never);
    const [first] = pool.processIds;
    expect(isRunning(first!)).toBe(true);
    await pool.decode(await good(), never);
    await expect(pool.decode(toRequest(Buffer.from('no picture'), 'jpeg'), never)).rejects.toThrow(
      'corrupt: ',
    );
    expect(pool.processIds).toEqual([first]);
  });

  it('is stopped when a picture takes too long', async () => {
    const pool = openPool({ timeoutMs: 10 });
    await expect(pool.decode(toRequest(slow, 'jpeg'), never)).rejects.toThrow(
      'too_large: takes more than 0.01 s to decode',
    );
    expect(pool.processIds).toEqual([]);
  });

  it.runIf(process.platform === 'linux')(
    'has more time while a busy machine gives it little CPU',
    async () => {
      const pool = openPool();
      await pool.decode(await good(), never);
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const decoding = pool.decode(await good(), never);
      await vi.advanceTimersByTimeAsync(10_000);
      expect((await decoding).widthPx).toBe(400);
      const stopped = expect(pool.decode(toRequest(slow, 'jpeg'), never)).rejects.toThrow('more than 10 s');
      await vi.advanceTimersByTimeAsync(60_000);
      await stopped;
    },
  );

  it('is stopped when a HEIC takes too long, although its decoder blocks it', async () => {
    const pool = openPool({ timeoutMs: 10 });
    // 99 megapixels in 30 kB: seconds of work.
    const request = toRequest(heicGrid(QUARTERS, 24, 24), 'heic');
    await expect(pool.decode(request, never)).rejects.toThrow('too_large: takes more than 0.03 s to decode');
    expect(pool.processIds).toEqual([]);
  });

  it('is reused after a HEIC, damaged or not', async () => {
    const pool = openPool();
    expect(await pool.decode(toRequest(heic(QUARTERS, irot(1)), 'heic'), never)).toMatchObject({
      widthPx: 360,
      heightPx: 480,
      sourceWidthPx: 360,
    });
    const [first] = pool.processIds;
    const cut = toRequest(QUARTERS_FILE.subarray(0, -200), 'heic');
    await expect(pool.decode(cut, never)).rejects.toThrow('corrupt: ');
    const other = toRequest(
      heicOf([{ type: 'unci', properties: [ispe(64, 64)], data: Buffer.of(0) }]),
      'heic',
    );
    await expect(pool.decode(other, never)).rejects.toThrow('unsupported_format: ');
    expect(await pool.decode(await good(), never)).toMatchObject({ widthPx: 400 });
    expect(pool.processIds).toEqual([first]);
  });

  it('is stopped when it outgrows its memory', async () => {
    const pool = openPool({ memoryLimitBytes: 180 * MIB });
    // An interlaced picture cannot be read in strips: 36 megapixels are 108 MB at once, from a small file.
    const big = sharp({ create: { width: 6000, height: 6000, channels: 3, background: '#888' } });
    const request = toRequest(await big.png({ progressive: true, compressionLevel: 1 }).toBuffer(), 'png');
    await expect(pool.decode(request, never)).rejects.toThrow(
      'too_large: takes more than 180 MiB of memory to decode',
    );
    expect(pool.processIds).toEqual([]);
  });

  it('decodes no camera original, whose directory is at its end, as its thumbnail', async () => {
    const pool = openPool();
    const photo = await texture(1).tiff({ compression: 'none' }).toBuffer();
    const dng = Buffer.concat([photo, tiff({ 254: 1, 271: 'SONY', 330: 900 }).subarray(8)]);
    dng.writeUInt32LE(photo.length, 4);
    await expect(pool.decode(toRequest(dng, 'tiff'), never)).rejects.toThrow(
      'unsupported_format: camera raw; export it as JPEG',
    );
  });

  it('is not even asked to decode more pixels than allowed', async () => {
    const pool = openPool();
    await expect(pool.decode(toRequest(await bombPng(50_000, 50_000), 'png'), never)).rejects.toThrow(
      'too_large: 50000 x 50000 px, 2500 megapixels, at most 100 megapixels',
    );
    expect(pool.processIds).toHaveLength(1);
  });

  it('refuses a JPEG of 2,000 scans without decoding it', async () => {
    const pool = openPool();
    await expect(pool.decode(toRequest(await manyScans(2000, 800, 600), 'jpeg'), never)).rejects.toThrow(
      'corrupt: more than 500 passes over the picture',
    );
  });

  it('decodes what was hashed, or nothing', async () => {
    const pool = openPool();
    const request = await good();
    writeFileSync(request.sourcePath, await texture(2).jpeg().toBuffer());
    await expect(pool.decode(request, never)).rejects.toThrow(
      'unreachable: the file changed while it was read',
    );
  });

  it('reaches no loader but those of the formats', async () => {
    const pool = openPool();
    const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"/>');
    await expect(pool.decode(toRequest(drawing, 'png'), never)).rejects.toThrow(
      'corrupt: the header cannot be read',
    );
  });

  it('is replaced when something kills it, and the picture tried once more', async () => {
    const pool = openPool();
    await pool.decode(await good(), never);
    const [first] = pool.processIds;
    const decoding = pool.decode(await good(), never);
    process.kill(first!, 'SIGKILL');
    expect((await decoding).widthPx).toBe(400);
    expect(isRunning(first!)).toBe(false);
  });

  it('says when our own disk is at fault', async () => {
    const pool = openPool();
    const request = { ...(await good()), masterPath: join(folder, 'no', 'such', 'folder') };
    await expect(pool.decode(request, never)).rejects.toMatchObject({ code: 'store_unwritable' });
  });

  it('stops at once when aborted', async () => {
    const pool = openPool();
    await pool.decode(await good(), never);
    const [pid] = pool.processIds;
    const controller = new AbortController();
    const request = toRequest(slow, 'jpeg');
    const decoding = pool.decode(request, controller.signal);
    await new Promise(setImmediate);
    controller.abort();
    await expect(decoding).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    expect(isRunning(pid!)).toBe(false);
    expect(existsSync(request.masterPath)).toBe(false);
  });

  it('dies with its parent, in the middle of a picture', async () => {
    const request = toRequest(slow, 'jpeg');
    const script = join(folder, 'parent.mts');
    const module = new URL('../../../src/media/assets/decode/decode-process.ts', import.meta.url).href;
    writeFileSync(
      script,
      `import { DecodePool } from ${JSON.stringify(module)};
      const pool = new DecodePool({ maxProcesses: 1, timeoutMs: 60_000, memoryLimitBytes: ${1024 * MIB} });
      const idle = setInterval(() => {
        if (pool.processIds.length === 1) process.send?.(pool.processIds[0]);
        clearInterval(idle);
      }, 1);
      pool.decode(${JSON.stringify(request)}, new AbortController().signal).catch(() => {});`,
    );
    const parent: ChildProcess = fork(script, [], { execArgv: ['--import', 'tsx'], cwd: process.cwd() });
    const pid = await new Promise<number>((resolve) => parent.once('message', resolve));
    expect(isRunning(pid)).toBe(true);
    const gone = new Promise((resolve) => parent.once('exit', resolve));
    parent.kill('SIGKILL');
    await gone;
    while (isRunning(pid)) await new Promise(setImmediate);
    expect(isRunning(pid)).toBe(false);
  });
});
