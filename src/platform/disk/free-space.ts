/** How much space a disk has left, and how much of it work needs. */
import { statfs } from 'node:fs/promises';

/**
 * Free space below which no task is started: the photos, segments and videos of a listing with a hundred photos need
 * 900 MB at most, one with twelve photos 200 MB. In bytes.
 */
export const MIN_FREE_BYTES = 500_000_000;

/** Bytes that this process can still write on the disk of `path`. @throws The file system's error. */
export async function freeBytesOf(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}
