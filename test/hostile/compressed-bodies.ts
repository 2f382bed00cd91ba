/** Bodies that cost little to send and much to unpack. */
import { constants, deflateRawSync, gzipSync } from 'node:zlib';

const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
/** A deflate block that holds nothing: stored, not the last, length zero. */
const EMPTY_BLOCK = Buffer.from([0, 0, 0, 0xff, 0xff]);

/** A valid gzip stream of `sizeBytes` that unpacks to nothing at all. */
export function emptyBlocks(sizeBytes: number): Buffer {
  const blocks = Buffer.alloc(Math.floor(sizeBytes / EMPTY_BLOCK.length) * EMPTY_BLOCK.length, EMPTY_BLOCK);
  const end = Buffer.concat([Buffer.from([1, 0, 0, 0xff, 0xff]), Buffer.alloc(8)]);
  return Buffer.concat([GZIP_HEADER, blocks, end]);
}

/**
 * Three layers of gzip, some ten kilobytes long. The middle layer unpacks to `innerBytes` of empty blocks, which unpack
 * to nothing.
 */
export function nestedGzip(innerBytes: number): Buffer {
  // Raw deflate that ends on a byte with a full flush can be repeated, so a gigabyte takes no time to make.
  const part = Buffer.alloc(1_000_000, EMPTY_BLOCK);
  const flushed = deflateRawSync(part, { finishFlush: constants.Z_FULL_FLUSH });
  const head = deflateRawSync(GZIP_HEADER, { finishFlush: constants.Z_FULL_FLUSH });
  const parts = Array.from({ length: Math.ceil(innerBytes / part.length) }, () => flushed);
  return gzipSync(Buffer.concat([GZIP_HEADER, head, ...parts]), { level: 9 });
}

/** As many valid gzip members as fit in `sizeBytes`, each of which unpacks to nothing. */
export function emptyMembers(sizeBytes: number): Buffer {
  const member = gzipSync(Buffer.alloc(0));
  return Buffer.alloc(Math.floor(sizeBytes / member.length) * member.length, member);
}

/** Valid gzip of `sizeBytes` zeros. */
export function zeros(sizeBytes: number): Buffer {
  return gzipSync(Buffer.alloc(sizeBytes));
}
