/**
 * Decodes the user's music file to raw audio. The file is not trusted: ffmpeg gets its format from the file's first
 * bytes, has no decoders but those for music, opens no other file and no network, and has limits. An ffmpeg before 5.1
 * has known security holes in its decoders, so it never reads the file: WebAssembly decodes it, except M4A.
 */
import { copyFile, rm, stat } from 'node:fs/promises';
import { ListingVideoError } from '../../../platform/errors.ts';
import type { ProcessLimits } from '../../../platform/limit-process.ts';
import { decodeInWasm, USE_NEWER_FFMPEG } from './decode-in-wasm.ts';
import { inspectMusic, type MusicFile, type MusicFormat } from './inspect-music.ts';
import { BYTES_PER_SAMPLE } from './loop-pcm.ts';
import { SOUND_RATE_HZ, type SoundtrackRequest } from './soundtrack.ts';

const TIMEOUT_MS = 60_000;
/** Limit of one allocation of ffmpeg; no valid file needs more. */
const MAX_ALLOC_BYTES = 64 * 1024 * 1024;
/** Many times what a minute of music takes. A decoder needs 60 to 120 MB. */
const LIMITS: ProcessLimits = { memoryBytes: 2 ** 30, cpuSec: 120, fileBytes: 2 ** 30 };
/** The decoders of the five formats. A cover or a video in the file is not decoded. */
const DECODERS = [
  ...['aac', 'alac', 'flac', 'mp3float', 'mp3', 'opus', 'libopus', 'vorbis', 'libvorbis'],
  ...['pcm_u8', 'pcm_s16le', 'pcm_s24le', 'pcm_s32le', 'pcm_f32le', 'pcm_f64le', 'pcm_alaw', 'pcm_mulaw'],
];
/** How much ffmpeg reads to find out what the tracks are: the header says it in all five formats. */
const PROBE_BYTES = 1_000_000;
const PROBE_MICROSEC = 1_000_000;

/** Path and length of the raw audio: 48 kHz, stereo, 32-bit floats. */
export interface MusicDecoding {
  readonly to: string;
  /** Decodes at most this many. */
  readonly totalSamples: number;
}

export type MusicDecoder = Pick<SoundtrackRequest, 'ffmpeg' | 'decodesMusic' | 'signal'>;

/**
 * @returns The number of samples in `to`.
 * @throws {@link ListingVideoError} `music_unusable` when the file has changed or cannot be decoded within the limits;
 *   `disk_full`, `ffmpeg_missing`, or the signal's reason.
 */
export async function decodeMusic(
  music: MusicFile,
  decoding: MusicDecoding,
  decoder: MusicDecoder,
): Promise<number> {
  const copy = `${decoding.to}.copy`;
  try {
    // Decodes the bytes that were inspected, under a name that ffmpeg can only read as a file.
    await copyFile(music.path, copy);
    const found = await inspectMusic(copy, decoder.signal);
    if (!('file' in found) || found.file.digest !== music.digest)
      throw musicUnusable(music, 'it is being changed');
    return await decodeCopy(music, copy, decoding, decoder);
  } finally {
    await rm(copy, { force: true });
  }
}

async function decodeCopy(
  music: MusicFile,
  from: string,
  { to, totalSamples }: MusicDecoding,
  { ffmpeg, decodesMusic = false, signal }: MusicDecoder,
): Promise<number> {
  const { runFfmpeg } = await import('../ffmpeg/run-ffmpeg.ts');
  const wave = `${to}.wave`;
  try {
    const input = decodesMusic
      ? musicInput(music.format, from)
      : await waveInput(music, { from, to: wave, maxSec: totalSamples / SOUND_RATE_HZ }, signal);
    const args = [
      ...['-hide_banner', '-loglevel', 'error', '-nostdin', '-max_alloc', `${MAX_ALLOC_BYTES}`],
      ...input,
      // Resampled first: the length is in samples of the output.
      ...['-map', '0:a:0', '-ac', '2', '-ar', `${SOUND_RATE_HZ}`],
      ...['-af', `aresample=${SOUND_RATE_HZ},atrim=end_sample=${totalSamples}`],
      ...['-fs', `${(totalSamples + 1) * BYTES_PER_SAMPLE}`, '-f', 'f32le', `file:${to}`],
    ];
    await runFfmpeg(ffmpeg, args, {
      timeoutMs: TIMEOUT_MS,
      limits: LIMITS,
      ...(signal ? { signal } : {}),
    });
    return Math.floor((await stat(to)).size / BYTES_PER_SAMPLE);
  } catch (error) {
    signal?.throwIfAborted();
    // An ffmpeg that somebody stopped says nothing about the music.
    const isAboutMusic = error instanceof ListingVideoError && error.code === 'encode_failed';
    if (isAboutMusic && error.context?.interrupted !== true)
      throw musicUnusable(music, 'it cannot be decoded', error);
    throw error;
  } finally {
    await rm(wave, { force: true });
  }
}

/** Input options for the file itself. */
function musicInput(format: MusicFormat, from: string): string[] {
  return [
    ...['-protocol_whitelist', 'file', '-format_whitelist', format, '-codec_whitelist', DECODERS.join(',')],
    ...['-probesize', `${PROBE_BYTES}`, '-analyzeduration', `${PROBE_MICROSEC}`],
    // One thread: each one more has a stack and a frame of its own, and a minute of music takes a second.
    ...['-threads', '1', '-vn', '-sn', '-dn', '-f', format, '-i', `file:${from}`],
  ];
}

/** Input options for the audio that WebAssembly decoded: raw, so that no decoder of ffmpeg is needed. */
async function waveInput(
  music: MusicFile,
  decoding: { from: string; to: string; maxSec: number },
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const { format } = music;
  if (format === 'mov')
    throw musicUnusable(music, 'this ffmpeg is older than 5.1, too old for M4A', undefined, USE_NEWER_FFMPEG);
  const decoded = await decodeInWasm(
    { ...decoding, format },
    { timeoutMs: TIMEOUT_MS, ...(signal ? { signal } : {}) },
  );
  if ('problem' in decoded) throw musicUnusable(music, decoded.problem, undefined, decoded.hint);
  const { sampleRateHz, channels } = decoded;
  return ['-f', 'f32le', '-ar', `${sampleRateHz}`, '-ac', `${channels}`, '-i', `file:${decoding.to}`];
}

/** The error for a file that cannot be played. */
export function musicUnusable(
  { name, path }: MusicFile,
  problem: string,
  cause?: unknown,
  hint = 'name another file (MP3, M4A, WAV, FLAC or Ogg), a soundtrack, or none',
): ListingVideoError {
  return new ListingVideoError('music_unusable', `the music "${name}" cannot be used: ${problem}`, {
    ...(cause === undefined ? {} : { cause }),
    hint,
    context: { path, ...(cause instanceof ListingVideoError ? cause.context : {}) },
  });
}
