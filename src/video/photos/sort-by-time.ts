/** Sorts photos by the time at which they were taken. */
import { stat } from 'node:fs/promises';
import pLimit from 'p-limit';
import { readCaptureTime } from '../../media/assets/decode/read-capture-time.ts';

export interface PhotosByTime {
  readonly files: readonly string[];
  /** Those of `files` without a time of the camera; the time of the file counts for them. */
  readonly withoutCameraTime: readonly string[];
}

/**
 * Sorts by the camera's time, which photos keep when they are copied, else by the time of the file's last change.
 * Photos of one time keep their order.
 *
 * @param files - Absolute. A file that is absent comes first.
 */
export async function sortByTime(files: readonly string[]): Promise<PhotosByTime> {
  const limit = pLimit(8);
  const times = await Promise.all(files.map((file) => limit(() => readTime(file))));
  const order = files.map((_, index) => index).sort((a, b) => times[a]!.timeMs - times[b]!.timeMs);
  return {
    files: order.map((index) => files[index]!),
    withoutCameraTime: order.filter((index) => !times[index]!.isOfCamera).map((index) => files[index]!),
  };
}

async function readTime(file: string): Promise<{ timeMs: number; isOfCamera: boolean }> {
  const captured = await readCaptureTime(file);
  if (captured !== null) return { timeMs: captured, isOfCamera: true };
  const changed = await stat(file).catch(() => null);
  if (changed === null) return { timeMs: 0, isOfCamera: false };
  // A camera writes its wall clock: the file's time is compared as the wall clock of this machine.
  const offsetMs = changed.mtime.getTimezoneOffset() * 60_000;
  return { timeMs: changed.mtimeMs - offsetMs, isOfCamera: false };
}
