/**
 * Inspects the user's music file before any decoder reads it: its format by its bytes, its size and its hash. It does
 * not check whether the file can be decoded.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';

/** ffmpeg's demuxers for music files. The bytes select one, so that ffmpeg does not guess. */
export type MusicFormat = 'mp3' | 'mov' | 'wav' | 'flac' | 'ogg';

export interface MusicFile {
  /** Absolute. */
  readonly path: string;
  /** File name without folder. */
  readonly name: string;
  readonly format: MusicFormat;
  /** SHA-256 of its bytes, hex. */
  readonly digest: string;
}

/** Twenty minutes of CD sound. */
export const MAX_MUSIC_BYTES = 200 * 1024 * 1024;
const HEAD_BYTES = 16;
const READ_BYTES = 1 << 20;

/**
 * Reads the whole file once, through one buffer.
 *
 * @returns The file, or the reason why it is not usable: "there is no such file".
 */
export async function inspectMusic(
  path: string,
  signal?: AbortSignal,
): Promise<{ readonly file: MusicFile } | { readonly problem: string }> {
  let file: FileHandle;
  try {
    // Non-blocking: opening a pipe without a writer would wait forever.
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    return { problem: openProblem(error as NodeJS.ErrnoException) };
  }
  try {
    const info = await file.stat();
    if (!info.isFile()) return { problem: 'it is not a file' };
    if (info.size > MAX_MUSIC_BYTES) {
      const limit = `${MAX_MUSIC_BYTES / 1024 / 1024} MiB`;
      return { problem: `it has ${Math.ceil(info.size / 1024 / 1024)} MiB, at most ${limit} are read` };
    }
    const head = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0);
    const format = sniffMusic(head.subarray(0, bytesRead));
    if (format === undefined) return { problem: 'it is not an MP3, M4A, WAV, FLAC or Ogg file' };
    const digest = await digestOf(file, info.size, signal);
    return { file: { path, name: basename(path), format, digest } };
  } catch (error) {
    signal?.throwIfAborted();
    return { problem: openProblem(error as NodeJS.ErrnoException) };
  } finally {
    await file.close();
  }
}

/** The format, by the first bytes of a file; undefined for any other than the five. */
function sniffMusic(head: Buffer): MusicFormat | undefined {
  const at = (from: number, text: string) => head.toString('latin1', from, from + text.length) === text;
  if (at(0, 'ID3')) return 'mp3';
  if (at(0, 'fLaC')) return 'flac';
  if (at(0, 'OggS')) return 'ogg';
  if (at(0, 'RIFF') && at(8, 'WAVE')) return 'wav';
  if (at(4, 'ftyp')) return 'mov';
  // A bare MPEG audio frame: eleven bits of sync, layer III, neither a free nor a forbidden bit rate.
  const isLayer3 = head.length >= 3 && head[0] === 0xff && (head[1]! & 0xe6) === 0xe2;
  const rate = (head[2] ?? 0) >> 4;
  return isLayer3 && rate > 0 && rate < 15 ? 'mp3' : undefined;
}

async function digestOf(file: FileHandle, sizeBytes: number, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(Math.min(READ_BYTES, Math.max(1, sizeBytes)));
  for (let position = 0; position < sizeBytes; ) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, sizeBytes - position), position);
    if (bytesRead === 0) break;
    hash.update(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
  return hash.digest('hex');
}

function openProblem({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'there is no such file';
  if (code === 'EACCES' || code === 'EPERM') return 'there is no permission to read it';
  if (code === 'EISDIR') return 'it is a folder';
  return `it cannot be read (${code ?? message})`;
}
