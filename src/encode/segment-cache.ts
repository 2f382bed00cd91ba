/** Finished segments and soundtracks in the disk cache: what is cached under which name, and how damage is noticed. */
import { join } from 'node:path';
import type { DiskCache } from './disk-cache.ts';
import { segmentFileName } from './encode-segments.ts';
import { type SoundtrackRequest, silentTrack, silentTrackKey } from './soundtrack.ts';
import { readTrackFile } from './track-file.ts';

const SEGMENTS = 'segments';
const AUDIO = 'audio';

/**
 * Brings a segment from the cache into a job's own folder, where eviction cannot reach it.
 *
 * @returns Its path there, or undefined when there is no sound one.
 */
export async function takeSegment(
  cache: DiskCache,
  key: string,
  workDir: string,
): Promise<string | undefined> {
  const path = join(workDir, segmentFileName(key));
  return (await cache.take(SEGMENTS, segmentFileName(key), path, isSoundTrack)) ? path : undefined;
}

/** Adds a segment that `encodeSegments` has written. @returns Whether it is in the cache now. */
export function putSegment(cache: DiskCache, key: string, path: string): Promise<boolean> {
  return cache.put(SEGMENTS, segmentFileName(key), path);
}

/**
 * Silence of a length, encoded once and kept.
 *
 * @returns Path of the track file in `request.outDir`.
 * @throws As `silentTrack`.
 */
export async function cachedSilentTrack(
  cache: DiskCache,
  request: Omit<SoundtrackRequest, 'fileName'>,
): Promise<string> {
  const fileName = `${silentTrackKey(request.durationFrames, request.fps)}.track`;
  const path = join(request.outDir, fileName);
  if (await cache.take(AUDIO, fileName, path, isSoundTrack)) return path;
  const made = await silentTrack(request);
  await cache.put(AUDIO, fileName, made);
  return made;
}

async function isSoundTrack(path: string): Promise<boolean> {
  return (await readTrackFile(path)) !== undefined;
}
