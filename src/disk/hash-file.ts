/** SHA-256 of a file of any size through one buffer: a stream would take fresh memory for every piece. */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

const READ_BYTES = 512 * 1024;

export interface FileHash {
  readonly sizeBytes: number;
  /** Hex. */
  readonly sha256: string;
}

/** @throws The file system's error. */
export async function hashFile(path: string): Promise<FileHash> {
  const file = await open(path, 'r');
  try {
    const hash = createHash('sha256');
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
    let sizeBytes = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) return { sizeBytes, sha256: hash.digest('hex') };
      hash.update(buffer.subarray(0, bytesRead));
      sizeBytes += bytesRead;
    }
  } finally {
    await file.close();
  }
}
