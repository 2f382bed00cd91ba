/**
 * The readers of what ffmpeg sends: FLV with H.264, parameter sets, ADTS. ffmpeg runs on photos and music that anyone
 * can send, so its output is not trusted either. The samples are of ffmpeg 4.1: `-c:v libx264` and `-c:a aac`.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BitWriter, withEmulation } from '../../src/media/encode/h264/h264-bits.ts';
import { HeldFrames } from '../../src/media/encode/h264/held-frames.ts';
import { readVideoParameters } from '../../src/media/encode/h264/read-sps.ts';
import { SegmentCutter } from '../../src/media/encode/h264/segment-cutter.ts';
import { readAdtsPackets } from '../../src/media/encode/mp4/adts-packets.ts';
import { FlvReader, type VideoPacket } from '../../src/media/encode/mp4/flv-packets.ts';
import { ListingVideoError } from '../../src/platform/errors.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import { contain } from './contained.ts';
import { FUZZ_TIMEOUT_MS, fuzz } from './fuzz-runs.ts';
import { damagedFiles, mutated } from './mutations.ts';

const readSample = (name: string): Buffer => readFileSync(new URL(`samples/${name}`, import.meta.url));
const STREAMS = ['high.flv', 'baseline.flv'].map(readSample);
const SAMPLE_FRAMES = 10;

interface Stream {
  readonly configs: Buffer[];
  readonly packets: VideoPacket[];
}

/** Reads a stream in chunks of `chunkBytes`. */
function readStream(bytes: Buffer, chunkBytes = bytes.length): Stream {
  const stream: Stream = { configs: [], packets: [] };
  const reader = new FlvReader({
    onConfig: (config) => void stream.configs.push(config),
    onPacket: (packet) => void stream.packets.push(packet),
  });
  for (let at = 0; at < bytes.length; at += Math.max(1, chunkBytes)) {
    reader.push(bytes.subarray(at, at + Math.max(1, chunkBytes)));
  }
  return stream;
}

const [HIGH, BASELINE] = STREAMS.map((bytes) => readStream(bytes)) as [Stream, Stream];
const CONFIGS = [HIGH.configs[0]!, BASELINE.configs[0]!];

function expectPlainError(error: unknown): void {
  if (error === undefined) return;
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(TypeError);
}

describe('a hostile FLV stream', () => {
  it('is read or refused, however it is cut into chunks', { timeout: FUZZ_TIMEOUT_MS }, () => {
    fc.assert(
      fc.property(damagedFiles(...STREAMS), fc.integer({ min: 1, max: 5_000 }), (bytes, chunkBytes) => {
        const { value, error, allocatedBytes } = contain(() => readStream(bytes, chunkBytes));
        expectPlainError(error);
        // Each byte is copied when its tag is complete, and once more for the receiver.
        expect(allocatedBytes).toBeLessThan(6 * bytes.length + 1_000);
        const kept = (value?.packets ?? []).reduce((sum, { data }) => sum + data.length, 0);
        expect(kept).toBeLessThanOrEqual(bytes.length);
      }),
      fuzz(150),
    );
  });

  it('in single bytes costs no more than its length', () => {
    const endless = Buffer.concat([
      STREAMS[0]!.subarray(0, 13),
      Buffer.from([9, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0]),
    ]);
    const bytes = Buffer.concat([endless, Buffer.alloc(200_000)]);
    const { error, allocatedBytes } = contain(() => readStream(bytes, 1));
    expect(error).toBeUndefined();
    expect(allocatedBytes).toBeLessThan(3 * bytes.length);
  });
});

describe('a segment of hostile packets', () => {
  const folder = temporaryFolder();

  /** Cuts a stream into one segment, and expects a whole file or none. */
  async function cut({ configs, packets }: Stream, heldFrames: number): Promise<void> {
    for (const name of readdirSync(folder)) rmSync(path.join(folder, name));
    let written = 0;
    const cutter = new SegmentCutter({
      format: { widthPx: 64, heightPx: 64, fps: 30 },
      segments: [{ key: 'x', startFrame: 0, endFrame: SAMPLE_FRAMES + heldFrames, heldFrames }],
      outDir: folder,
      onSegment: () => {
        written += 1;
      },
    });
    const [config] = configs;
    if (config !== undefined) cutter.setConfig(config);
    try {
      for (const packet of packets) await cutter.take(packet);
      await cutter.finish();
    } catch (refusal) {
      expect(refusal).toBeInstanceOf(ListingVideoError);
      expect(refusal).toMatchObject({ code: 'encode_failed' });
    } finally {
      await cutter.close();
    }
    expect(readdirSync(folder)).toEqual(written === 1 ? ['x.segment'] : []);
  }

  it('is written whole or not at all', { timeout: FUZZ_TIMEOUT_MS }, async () => {
    await cut(HIGH, 3);
    expect(readdirSync(folder)).toEqual(['x.segment']);
    await fc.assert(
      fc.asyncProperty(mutated(STREAMS[0]!), fc.constantFrom(0, 3), async (bytes, heldFrames) => {
        const stream: Stream = { configs: [], packets: [] };
        const { error } = contain(() => Object.assign(stream, readStream(bytes, 500)));
        expectPlainError(error);
        await cut(stream, heldFrames);
      }),
      fuzz(40),
    );
  });

  it('leaves no file when its parameter sets cannot be read', async () => {
    await cut({ ...HIGH, configs: [Buffer.from([1, 100, 0])] }, 3);
  });
});

describe('hostile parameter sets', () => {
  it('are read or refused', { timeout: FUZZ_TIMEOUT_MS }, () => {
    fc.assert(
      fc.property(damagedFiles(...CONFIGS), (config) => {
        const { value, error, allocatedBytes } = contain(() => readVideoParameters(config));
        expectPlainError(error);
        expect(allocatedBytes).toBeLessThan(1_000 + config.length);
        if (value !== undefined) expect(Number.isSafeInteger(value.widthPx + value.heightPx)).toBe(true);
      }),
      fuzz(300),
    );
  });

  it('give held frames of a bounded size, or none', { timeout: FUZZ_TIMEOUT_MS }, () => {
    fc.assert(
      fc.property(damagedFiles(...CONFIGS), mutated(HIGH.packets[0]!.data), (config, packet) => {
        const { value, error } = contain(() => {
          const held = new HeldFrames(config);
          held.note(packet, 0);
          return [held.next(), held.next()];
        });
        expectPlainError(error);
        for (const frame of value ?? []) expect(frame.length).toBeLessThan(40_000);
      }),
      fuzz(200),
    );
  });

  it('cannot ask for a held frame of billions of macroblocks', () => {
    const rules = new BitWriter();
    rules.write(0x68, 8);
    // Ids, CABAC, one slice group, and no option that changes slice headers.
    for (const [value, count] of [
      [0b111, 3],
      [0, 1],
      [0b111, 3],
      [0, 3],
      [0b111, 3],
      [0, 3],
    ] as const) {
      rules.write(value, count);
    }
    rules.align(1);
    const pps = rules.toBytes();
    const bits = new BitWriter();
    // NAL header, baseline profile, constraints, level.
    for (const byte of [0x67, 66, 0, 30]) bits.write(byte, 8);
    // Id, bits of frame numbers, order type, bits of the order, references.
    for (const value of [0, 0, 0, 0, 1]) bits.writeUe(value);
    bits.write(0, 1);
    // Width and height in macroblocks, less 1; frames only.
    for (const value of [2 ** 31, 2 ** 20]) bits.writeUe(value);
    bits.write(1, 1);
    bits.align(0);
    const sps = withEmulation(bits.toBytes());
    const config = Buffer.from([1, 66, 0, 30, 255, 225, 0, sps.length, ...sps, 1, 0, pps.length, ...pps]);
    const { error } = contain(() => new HeldFrames(config));
    expect(String(error)).toMatch(/a size that levels allow/);
  });
});

describe('a hostile ADTS file', () => {
  it('is read or refused', { timeout: FUZZ_TIMEOUT_MS }, () => {
    fc.assert(
      fc.property(damagedFiles(readSample('tone.aac')), (bytes) => {
        const { value, error, allocatedBytes } = contain(() => readAdtsPackets(bytes));
        expectPlainError(error);
        expect(allocatedBytes).toBeLessThan(100);
        const packetBytes = (value?.packets ?? []).reduce((sum, packet) => sum + packet.length, 0);
        expect(packetBytes).toBeLessThan(bytes.length + 1);
      }),
      fuzz(200),
    );
  });
});
