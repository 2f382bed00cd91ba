/** What the cache consists of: kinds, entries, and the names of their files. Pure. */
import { crc32 } from 'node:zlib';

/** Kinds of entries; each is a folder of the cache. */
export const CACHE_KINDS = [
  'photos',
  'segments',
  'audio',
  'stills',
  'posters',
  'previews',
  'storyboards',
] as const;
export type CacheKind = (typeof CACHE_KINDS)[number];

/**
 * The kind of the files directly in the cache folder: what was found out about ffmpeg, and a copy of it that can be
 * run.
 */
export const PROGRAM_KIND = 'ffmpeg';

/**
 * CPU milliseconds to make a megabyte (10^6 bytes) of each kind again. Measured with 12 photos of 12 MP and a video of
 * 44 s at 1080p: decoding took 3.8 s for 79 MB, the segments about 30 s for 15 MB. The others are estimates: a track
 * takes 0.6 s for 0.9 MB, a poster 0.4 s for 0.3 MB, a still 0.1 s for 15 kB, a preview 2 s for 1 MB, a storyboard 0.2
 * s for 0.1 MB. Only the ratios matter.
 */
const CPU_MS_PER_MB: Readonly<Record<CacheKind, number>> = {
  photos: 50,
  segments: 2000,
  audio: 700,
  stills: 5000,
  posters: 1200,
  previews: 2000,
  storyboards: 2000,
};

/** One thing that was made: a file, or a photo with the file that describes it. */
export interface CacheEntry {
  /** A {@link CacheKind}, or the folder of another version of the program. */
  readonly kind: string;
  /** Unique within its kind. */
  readonly key: string;
  readonly sizeBytes: number;
  /** Time of its last use, ms since the epoch. 0 when no version of today can use it. */
  readonly usedMs: number;
  /** A run uses it: its file has a second name, in the work folder of that run. */
  readonly isHeld: boolean;
}

export function costPerByte(kind: string): number {
  return (CPU_MS_PER_MB[kind as CacheKind] ?? CPU_MS_PER_MB.photos) / 1e6;
}

/** The suffix of a file name: `~<size>-<CRC-32>`, hexadecimal. It shows whether the content is damaged. */
export function contentSuffix(sizeBytes: number, crc: number): string {
  return `~${sizeBytes.toString(16)}-${crc.toString(16)}`;
}

/** Size of the file with this name; undefined for a name that {@link contentSuffix} did not make. */
export function sizeOfName(fileName: string): number | undefined {
  const match = /~([0-9a-f]{1,12})-[0-9a-f]{1,8}$/.exec(fileName);
  return match ? Number.parseInt(match[1]!, 16) : undefined;
}

/** The key of the entry that a file belongs to: `abc` of `abc.yuv~51-1f` and `abc.json~20-2e`. */
export function keyOfName(fileName: string): string {
  return /^[^.~]*/.exec(fileName)![0];
}

/**
 * The subfolder of a key. A look-up reads the names of one subfolder, which takes 200 ms of CPU for 100,000 names and
 * 12 ms for a sixteenth.
 */
export function shardOf(key: string): string {
  return (crc32(key) & 15).toString(16);
}
