/** Finds the picture in a WebP file (RFC 9649), and damage that its decoder does not report. Pure. */
import { isVp8Broken } from './walk-vp8.ts';

/** Of the first picture: the chunk's name and its content. Null if there is none within the file. */
export function findWebpPicture(webp: Buffer): { readonly name: string; readonly data: Buffer } | null {
  let at = 12;
  while (at + 8 <= webp.length) {
    const name = webp.toString('latin1', at, at + 4);
    const end = at + 8 + webp.readUInt32LE(at + 4);
    if (name === 'VP8 ' || name === 'VP8L') {
      return end > webp.length ? null : { name, data: webp.subarray(at + 8, end) };
    }
    // A frame of an animation has the chunks of its picture inside, after its place and duration.
    at = name === 'ANMF' ? at + 24 : end + (end & 1);
  }
  return null;
}

/** True when the data of a lossy picture is damaged, or none is there. */
export function isWebpBroken(webp: Buffer): boolean {
  const picture = findWebpPicture(webp);
  return picture === null || (picture.name === 'VP8 ' && isVp8Broken(picture.data));
}

/** Of sound files of this size, up to eight bytes are not needed. */
const END_BYTES = 64;
const MIN_BYTES = 64 * END_BYTES;

/**
 * The file of a lossless picture without its last bytes, which no decoder reads to its end: or there is other data
 * before them. Null for a lossy or very small one.
 */
export function withoutEnd(webp: Buffer): Buffer | null {
  const picture = findWebpPicture(webp);
  if (picture?.name !== 'VP8L' || picture.data.length < MIN_BYTES) return null;
  const data = picture.data.subarray(0, -END_BYTES);
  const head = Buffer.from('RIFF    WEBPVP8L    ', 'latin1');
  head.writeUInt32LE(data.length + 12 + (data.length & 1), 4);
  head.writeUInt32LE(data.length, 16);
  return Buffer.concat([head, data, Buffer.alloc(data.length & 1)]);
}
