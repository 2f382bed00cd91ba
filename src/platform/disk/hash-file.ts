/** Hashes files of any size through one buffer. A stream would allocate memory for every piece. */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

const READ_BYTES = 512 * 1024;

/** Size and SHA-256 of a file. */
export interface FileHash {
  readonly sizeBytes: number;
  /** Hex. */
  readonly sha256: string;
}

/** Size and SHA-256 of the file at `path`. @throws The file system's error. */
export async function hashFile(path: string): Promise<FileHash> {
  const file = await open(path, 'r');
  try {
    const hash = createHash('sha256');
    let sizeBytes = 0;
    for await (const piece of piecesOf(file, Number.POSITIVE_INFINITY)) {
      hash.update(piece);
      sizeBytes += piece.length;
    }
    return { sizeBytes, sha256: hash.digest('hex') };
  } finally {
    await file.close();
  }
}

/** The MD5 of a file, in base64, as HTTP's `Content-MD5` has it. It detects accidents, not attacks. */
export async function md5OfFile(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const hash = createHash('md5');
    for await (const piece of piecesOf(file, Number.POSITIVE_INFINITY)) hash.update(piece);
    return hash.digest('base64');
  } finally {
    await file.close();
  }
}

/**
 * The CRC-32 of the first bytes of a file. It detects accidents, not attacks.
 *
 * @param bytes - Number of bytes from the start, at most the whole file.
 */
export async function checksumFile(file: FileHandle, bytes: number): Promise<number> {
  let crc = 0;
  for await (const piece of piecesOf(file, bytes)) crc = crc32(piece, crc);
  return crc;
}

/** Yields the file in pieces. Each piece is valid until the next one is read. */
async function* piecesOf(file: FileHandle, bytes: number): AsyncGenerator<Buffer, void> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, bytes));
  for (let offset = 0; offset < bytes; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, bytes - offset), offset);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    offset += bytesRead;
  }
}
