/**
 * Joins encoded segments and a soundtrack to the final MP4 by copying packets, without ffmpeg and in constant memory.
 *
 * `openTrackFile` has checked the segments before; `verify-video.ts` checks the result.
 */

import { type FileHandle, open } from 'node:fs/promises';
import { replaceFile } from '../../../platform/disk/atomic-write.ts';
import { toOutputError } from '../../../platform/disk/disk-error.ts';
import { ListingVideoError } from '../../../platform/errors.ts';
import { reportLiveness } from '../../../platform/liveness.ts';
import type { VideoFormat } from '../encode-settings.ts';
import {
  AAC_PACKET_SAMPLES,
  type AudioTrack,
  type Chunk,
  formatMovieHead,
  type VideoTrack,
} from './mp4-boxes.ts';
import { readInto, readTrackFile, type TrackFile } from './track-file.ts';

export interface AssembleVideoRequest {
  readonly format: Pick<VideoFormat, 'widthPx' | 'heightPx' | 'fps'>;
  /** Segment files in playing order, or parts of them; a file can occur more than once. */
  readonly segments: readonly (string | SegmentPart)[];
  /** A soundtrack file (see `soundtrack.ts`) exactly as long as the segments together. */
  readonly audio: string;
  readonly title: string;
  readonly comment: string;
  /**
   * Default: true. Some places want none; then the first packet of audio, which only prepares the decoder, is left out:
   * the first 1,024 samples fade in, all others are the same.
   */
  readonly hasEditLists?: boolean;
  /** The finished file is renamed to this path and replaces an existing one. */
  readonly outPath: string;
  /** Files that were read for other videos of this run, by path: each is checked once. Gets those of this one. */
  readonly tracks?: Map<string, TrackFile>;
  readonly signal?: AbortSignal;
}

/** The first frames of a segment file. */
export interface SegmentPart {
  readonly path: string;
  readonly frames: number;
}

export interface AssembledVideo {
  readonly frameCount: number;
  readonly sizeBytes: number;
  /** Integrated loudness of the audio, LUFS; null for silence. */
  readonly loudnessLufs: number | null;
}

/** Frames after which the tracks alternate in the file, so that a player finds audio and video close together. */
const CHUNK_FRAMES = 30;

/**
 * Writes the MP4: `moov` first, then video and audio, interleaved by the second. Equal input gives equal bytes.
 *
 * @throws {@link ListingVideoError} `encode_failed` when a segment is missing, damaged or from another encoder, or the
 *   audio has another length; `disk_full`; the signal's reason. After an error nothing is left at or beside `outPath`.
 */
export async function assembleVideo(request: AssembleVideoRequest): Promise<AssembledVideo> {
  request.signal?.throwIfAborted();
  const pathOf = (part: string | SegmentPart) => (typeof part === 'string' ? part : part.path);
  const { tracks: files = new Map() } = request;
  await readTracks([...request.segments.map(pathOf), request.audio], files);
  const segments = request.segments.map((part) => {
    const file = files.get(pathOf(part))!;
    return typeof part === 'string' ? file : beginningOf(file, part);
  });
  const audioFile = files.get(request.audio)!;
  const video = joinSegments(request, segments);
  const { hasEditLists = true } = request;
  const sound = hasEditLists ? audioFile : withoutPriming(audioFile);
  const audio = toAudioTrack(request, sound, video.track.sizes.length);
  const chunkOrder = video.track.chunks.flatMap((_, index) =>
    index < audio.chunks.length ? (['video', 'audio'] as const) : (['video'] as const),
  );
  const head = formatMovieHead({
    video: video.track,
    audio,
    chunkOrder,
    title: request.title,
    comment: request.comment,
    hasEditLists,
  });
  const pieces = video.pieces.flatMap((piece, index) => [...piece, ...audioPiece(sound, audio, index)]);
  const sizeBytes = await writeAside(request, head, pieces);
  const { loudnessLufs } = audioFile.index.audio!;
  return { frameCount: video.track.sizes.length, sizeBytes, loudnessLufs };
}

/** A run of bytes to copy. */
interface Piece {
  readonly path: string;
  readonly position: number;
  readonly bytes: number;
}

async function readTracks(paths: readonly string[], files: Map<string, TrackFile>): Promise<void> {
  for (const path of paths) {
    if (files.has(path)) continue;
    const file = await readTrackFile(path);
    if (file === undefined) {
      throw new ListingVideoError('encode_failed', `A finished segment is missing or damaged: ${path}`, {
        hint: 'run the same command again: it is encoded anew',
        context: { path },
      });
    }
    files.set(path, file);
  }
}

/**
 * The first packets of a segment, whose pictures are exactly its first frames.
 *
 * @throws {@link ListingVideoError} `encode_failed` where a picture among them is shown later.
 */
function beginningOf(file: TrackFile, { path, frames: count }: SegmentPart): TrackFile {
  const { index } = file;
  if (count === index.frames.length) return file;
  const frames = index.frames.slice(0, count);
  if (frames.length < count || Math.max(...frames) >= count)
    throw new ListingVideoError('encode_failed', `A segment cannot be cut after ${count} frames: ${path}`, {
      context: { path },
    });
  const idrPackets = index.idrPackets.filter((packet) => packet < count);
  return { ...file, index: { ...index, frames, sizes: index.sizes.slice(0, count), idrPackets } };
}

/** One track of all segments: its chunks, and the bytes of each chunk. */
function joinSegments(
  request: AssembleVideoRequest,
  segments: readonly TrackFile[],
): { track: VideoTrack; pieces: Piece[][] } {
  const first = segments[0];
  if (first === undefined) throw new ListingVideoError('encode_failed', 'A video needs at least one segment');
  const sizes: number[] = [];
  const frames: number[] = [];
  const idrPackets: number[] = [];
  const chunks: Chunk[] = [];
  const pieces: Piece[][] = [];
  for (const { path, index } of segments) {
    if (index.codec !== 'h264' || index.config !== first.index.config) {
      throw new ListingVideoError('encode_failed', 'Segments of different encoders cannot be joined', {
        hint: 'remove the cache folder and run the same command again',
        context: { first: first.path, second: path },
      });
    }
    const start = sizes.length;
    idrPackets.push(...index.idrPackets.map((packet) => packet + start));
    let position = 0;
    for (const [packet, size] of index.sizes.entries()) {
      const isNewChunk = sizes.length % CHUNK_FRAMES === 0;
      if (isNewChunk) {
        chunks.push({ packetCount: 0, bytes: 0 });
        pieces.push([]);
      }
      const chunk = chunks.at(-1)!;
      chunks[chunks.length - 1] = { packetCount: chunk.packetCount + 1, bytes: chunk.bytes + size };
      addToPieces(pieces.at(-1)!, path, position, size);
      position += size;
      sizes.push(size);
      frames.push(start + index.frames[packet]!);
    }
  }
  const { widthPx, heightPx, fps } = request.format;
  const avcC = Buffer.from(first.index.config, 'base64');
  return { track: { widthPx, heightPx, fps, avcC, sizes, frames, idrPackets, chunks }, pieces };
}

function addToPieces(pieces: Piece[], path: string, position: number, bytes: number): void {
  const last = pieces.at(-1);
  if (last?.path === path && last.position + last.bytes === position) {
    pieces[pieces.length - 1] = { ...last, bytes: last.bytes + bytes };
  } else {
    pieces.push({ path, position, bytes });
  }
}

/** A track file whose packets start at `position`. */
interface Sound extends Pick<TrackFile, 'path' | 'index'> {
  readonly position?: number;
}

function withoutPriming({ path, index }: TrackFile): Sound {
  const { audio } = index;
  if (audio === undefined) return { path, index };
  const dropped = audio.primingSamples / AAC_PACKET_SAMPLES;
  if (!Number.isInteger(dropped)) {
    throw new ListingVideoError('encode_failed', `The soundtrack begins with ${dropped} packets of priming`, {
      context: { path },
    });
  }
  const position = index.sizes.slice(0, dropped).reduce((total, size) => total + size, 0);
  const sizes = index.sizes.slice(dropped);
  return { path, index: { ...index, sizes, audio: { ...audio, primingSamples: 0 } }, position };
}

function toAudioTrack(request: AssembleVideoRequest, file: Sound, frameCount: number): AudioTrack {
  const { index } = file;
  const expectedSamples = (frameCount * (index.audio?.sampleRateHz ?? 0)) / request.format.fps;
  if (index.codec !== 'aac' || index.audio === undefined || index.audio.soundSamples !== expectedSamples) {
    throw new ListingVideoError(
      'encode_failed',
      `The soundtrack must be ${expectedSamples} samples long, as the picture is, but has ${index.audio?.soundSamples}`,
      { context: { path: file.path } },
    );
  }
  const { sampleRateHz } = index.audio;
  const packetsPerChunk = Math.ceil((CHUNK_FRAMES * sampleRateHz) / request.format.fps / AAC_PACKET_SAMPLES);
  const chunkCount = Math.ceil(frameCount / CHUNK_FRAMES);
  const chunks: Chunk[] = [];
  for (let chunk = 0, packet = 0; packet < index.sizes.length; chunk++) {
    // The last chunk takes the rest: priming makes the audio one or two packets longer than the video.
    const end = chunk === chunkCount - 1 ? index.sizes.length : packet + packetsPerChunk;
    const sizes = index.sizes.slice(packet, end);
    chunks.push({ packetCount: sizes.length, bytes: sizes.reduce((total, size) => total + size, 0) });
    packet = end;
  }
  return { ...index.audio, config: Buffer.from(index.config, 'base64'), sizes: index.sizes, chunks };
}

function audioPiece(file: Sound, track: AudioTrack, chunk: number): Piece[] {
  const bytes = track.chunks[chunk]?.bytes;
  if (bytes === undefined) return [];
  const before = track.chunks.slice(0, chunk);
  const position = before.reduce((total, { bytes }) => total + bytes, file.position ?? 0);
  return [{ path: file.path, position, bytes }];
}

async function writeAside(
  request: AssembleVideoRequest,
  head: Buffer,
  pieces: readonly Piece[],
): Promise<number> {
  const { outPath, signal } = request;
  const write = async (path: string): Promise<number> => {
    const out = await open(path, 'wx');
    try {
      await out.appendFile(head);
      const pieceBytes = await copyPieces(out, pieces, signal);
      await out.sync();
      return head.length + pieceBytes;
    } finally {
      await out.close();
    }
  };
  return replaceFile(outPath, write).catch((error) => {
    throw toOutputError(error, outPath);
  });
}

/** Through one buffer: with one for each piece, V8 marked its whole heap once or twice for each video. */
const COPY_BYTES = 1 << 19;

/** Every file stays open until the end, because the soundtrack is read again after each second. */
async function copyPieces(
  out: FileHandle,
  pieces: readonly Piece[],
  signal: AbortSignal | undefined,
): Promise<number> {
  const handles = new Map<string, FileHandle>();
  const buffer = Buffer.allocUnsafeSlow(COPY_BYTES);
  let bytes = 0;
  try {
    for (const piece of pieces) {
      signal?.throwIfAborted();
      reportLiveness();
      let handle = handles.get(piece.path);
      if (handle === undefined) {
        handle = await open(piece.path, 'r');
        handles.set(piece.path, handle);
      }
      for (let copied = 0; copied < piece.bytes; ) {
        const part = buffer.subarray(0, Math.min(buffer.length, piece.bytes - copied));
        await readInto(handle, part, piece.position + copied);
        await out.appendFile(part);
        copied += part.length;
      }
      bytes += piece.bytes;
    }
    return bytes;
  } finally {
    await Promise.all([...handles.values()].map((handle) => handle.close()));
  }
}
