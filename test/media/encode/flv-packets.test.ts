import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FlvReader, type VideoPacket } from '../../../src/media/encode/mp4/flv-packets.ts';

function tag(type: number, timestampMs: number, data: Buffer): Buffer {
  const header = Buffer.alloc(11);
  header[0] = type;
  header.writeUIntBE(data.length, 1, 3);
  header.writeUIntBE(timestampMs & 0xffffff, 4, 3);
  header[7] = timestampMs >>> 24;
  const previousSize = Buffer.alloc(4);
  previousSize.writeUInt32BE(11 + data.length);
  return Buffer.concat([header, data, previousSize]);
}

function avc(packetType: number, shiftMs: number, body: Buffer): Buffer {
  const head = Buffer.from([0x17, packetType, 0, 0, 0]);
  head.writeIntBE(shiftMs, 2, 3);
  return Buffer.concat([head, body]);
}

function nal(...bytes: number[]): Buffer {
  return Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), Buffer.from(bytes)]);
}

const CONFIG = Buffer.from([1, 100, 0, 40, 255]);
const NOTE = nal(0x06, 5, 16, 1, 2, 3);
const STREAM = Buffer.concat([
  Buffer.from('FLV\x01\x01\x00\x00\x00\x09\x00\x00\x00\x00', 'latin1'),
  tag(18, 0, Buffer.from('metadata')),
  tag(9, 0, avc(0, 0, CONFIG)),
  tag(9, 0, avc(1, 67, Buffer.concat([NOTE, nal(0x65, 1, 2, 3)]))),
  tag(9, 33, avc(1, 100, nal(0x41, 9))),
  tag(9, 0x1000042, avc(1, 0, nal(0x01, 7, 7))),
]);

function read(chunks: readonly Buffer[]) {
  const packets: VideoPacket[] = [];
  const configs: Buffer[] = [];
  const reader = new FlvReader({
    onConfig: (config) => void configs.push(config),
    onPacket: (packet) => void packets.push(packet),
  });
  for (const chunk of chunks) reader.push(chunk);
  return { packets, configs, isIncomplete: reader.isIncomplete };
}

describe('FlvReader', () => {
  it('finds parameter sets and packets, without the encoder note, however the stream is cut into chunks', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: STREAM.length })), (cuts) => {
        const edges = [0, ...cuts.sort((a, b) => a - b), STREAM.length];
        const chunks = edges.slice(1).map((end, i) => Buffer.from(STREAM.subarray(edges[i], end)));
        const { packets, configs, isIncomplete } = read(chunks);
        expect(isIncomplete).toBe(false);
        expect(configs).toEqual([CONFIG]);
        expect(packets).toEqual([
          { data: nal(0x65, 1, 2, 3), isIdr: true, timestampMs: 67 },
          { data: nal(0x41, 9), isIdr: false, timestampMs: 133 },
          { data: nal(0x01, 7, 7), isIdr: false, timestampMs: 0x1000042 },
        ]);
      }),
      { numRuns: 100 },
    );
  });

  it('knows when a stream stops in the middle', () => {
    expect(read([STREAM.subarray(0, -1)]).isIncomplete).toBe(true);
    expect(read([]).isIncomplete).toBe(true);
  });

  it.each([
    ['another container', Buffer.from('RIFF0000AVI LIST')],
    ['another codec', Buffer.concat([STREAM.subarray(0, 13), tag(9, 0, Buffer.from([0x12, 0, 0, 0, 0]))])],
    [
      'a broken NAL unit',
      Buffer.concat([STREAM.subarray(0, 13), tag(9, 0, avc(1, 0, Buffer.from([0, 0, 0, 9, 1])))]),
    ],
  ])('refuses %s', (_what, bytes) => {
    expect(() => read([bytes])).toThrow();
  });
});
