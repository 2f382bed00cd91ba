/** The smallest file that a player accepts as a video: headers without frames. */

/** @param salt - Makes videos of the same size differ. */
export function tinyVideo({ frames = 30, seconds = 1, salt = 0, bytes = 400 } = {}): Buffer {
  const mvhd = Buffer.alloc(100);
  mvhd.writeUInt32BE(1000, 12);
  mvhd.writeUInt32BE(seconds * 1000, 16);
  const stsz = Buffer.alloc(12);
  stsz.writeUInt32BE(frames, 8);
  const hdlr = Buffer.alloc(24);
  hdlr.write('vide', 8, 'latin1');
  const media = box('mdia', box('hdlr', hdlr), box('minf', box('stbl', box('stsz', stsz))));
  const head = Buffer.concat([
    box('ftyp', Buffer.from('isom0000isom')),
    box('moov', box('mvhd', mvhd), box('trak', media)),
  ]);
  const filling = Buffer.alloc(Math.max(0, bytes - head.length - 8), salt);
  return Buffer.concat([head, box('mdat', filling)]);
}

export const TINY_GIF = Buffer.from('GIF89a-preview');
export const TINY_JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);

function box(type: string, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}
