/** The reader of the MP4 files that a server sends to `create --server`. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVideoFacts } from '../../src/video/plan/read-video-facts.ts';
import { tinyVideo } from '../api/client/tiny-video.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import { FUZZ_TIMEOUT_MS, fuzz } from './fuzz-runs.ts';
import { damagedFiles } from './mutations.ts';

const folder = temporaryFolder();
const file = path.join(folder, 'video.mp4');

const SAMPLES = [tinyVideo(), tinyVideo({ frames: 1, bytes: 1 }), tinyVideo({ bytes: 70_000 }), longVideo()];

/** A video whose length has 64 bits (version 1 of `mvhd`). */
function longVideo(): Buffer {
  const video = tinyVideo();
  const at = video.indexOf('mvhd') + 4;
  video[at] = 1;
  video.writeUInt32BE(1000, at + 20);
  video.writeBigUInt64BE(5000n, at + 24);
  return video;
}

/** A box with its size in 32 bits, or in 64 bits where `size` is larger. */
function box(type: string, content: Buffer, size: number | bigint = content.length + 8): Buffer {
  const isLong = typeof size === 'bigint';
  const head = Buffer.alloc(isLong ? 16 : 8);
  head.writeUInt32BE(isLong ? 1 : size, 0);
  head.write(type, 4, 'latin1');
  if (isLong) head.writeBigUInt64BE(size, 8);
  return Buffer.concat([head, content]);
}

async function read(bytes: Buffer): Promise<{ readonly facts: unknown; readonly allocatedBytes: number }> {
  writeFileSync(file, bytes);
  const before = process.memoryUsage().arrayBuffers;
  const facts = await readVideoFacts(file);
  return { facts, allocatedBytes: process.memoryUsage().arrayBuffers - before };
}

describe('a hostile MP4', () => {
  it('has facts that can be true, or none', { timeout: FUZZ_TIMEOUT_MS }, async () => {
    await fc.assert(
      fc.asyncProperty(damagedFiles(...SAMPLES), async (bytes) => {
        const { facts } = await read(bytes);
        if (facts === null) return;
        const { durationSec, frames } = facts as { durationSec: number; frames: number };
        expect(durationSec > 0 && Number.isFinite(durationSec)).toBe(true);
        expect(Number.isSafeInteger(frames) && frames > 0).toBe(true);
      }),
      fuzz(150),
    );
  });

  it.each([
    ['larger than the file', box('moov', Buffer.alloc(100), 0x7fff_ffff)],
    ['of 2^63 bytes', box('moov', Buffer.alloc(100), 2n ** 63n)],
    ['smaller than its head', box('moov', Buffer.alloc(100), 3)],
    ['with a long size smaller than its head', box('moov', Buffer.alloc(100), 15n)],
  ])('with a box %s has no facts and costs no memory', async (_, moov) => {
    const bytes = Buffer.concat([box('ftyp', Buffer.from('isom')), moov]);
    const { facts, allocatedBytes } = await read(bytes);
    expect(facts).toBeNull();
    expect(allocatedBytes).toBeLessThan(1_000_000);
  });

  it('of nothing but empty boxes ends after the first thousand', async () => {
    const boxes = Buffer.concat([
      box('ftyp', Buffer.from('isom')),
      ...Array(100_000).fill(box('free', Buffer.alloc(0))),
    ]);
    const moov = tinyVideo().subarray(tinyVideo().indexOf('moov') - 4);
    expect((await read(Buffer.concat([boxes, moov]))).facts).toBeNull();
  });

  it('of nested empty boxes ends', async () => {
    const empty = Buffer.concat(Array(50_000).fill(box('trak', box('mdia', Buffer.alloc(0)))));
    const bytes = Buffer.concat([box('ftyp', Buffer.from('isom')), box('moov', empty)]);
    expect((await read(bytes)).facts).toBeNull();
  });
});
