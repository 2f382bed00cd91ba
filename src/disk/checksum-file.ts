/** CRC-32 of a file's bytes, read in pieces. Meant to notice accidents, not attacks. */
import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

const READ_BYTES = 1 << 20;

/**
 * @param bytes - How many from the file's start; a shorter file is summed to its end.
 */
export async function checksumFile(file: FileHandle, bytes: number): Promise<number> {
  const buffer = Buffer.allocUnsafe(Math.min(READ_BYTES, bytes));
  let crc = 0;
  for (let offset = 0; offset < bytes; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, bytes - offset), offset);
    if (bytesRead === 0) break;
    crc = crc32(buffer.subarray(0, bytesRead), crc);
    offset += bytesRead;
  }
  return crc;
}
