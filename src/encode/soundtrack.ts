/**
 * Makes the sound of a video, as a track file exactly as long as the picture. Today that is silence, which several social
 * networks want rather than no sound at all; music only needs another input for {@link encodeSoundtrack}.
 */
import { randomUUID } from 'node:crypto';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FfmpegCommand } from 'fluent-ffmpeg';
import { ListingVideoError } from '../errors.ts';
import { type AdtsSound, readAdtsPackets } from './adts-packets.ts';
import { toWriteError } from './disk-errors.ts';
import { AAC_PACKET_SAMPLES } from './mp4-boxes.ts';
import { TrackFileWriter } from './track-file.ts';

export const SOUND_RATE_HZ = 48_000;
/** What ffmpeg's AAC encoder puts before the sound; the MP4's edit list has players skip it, so that sound is in sync. */
const PRIMING_SAMPLES = 1024;
const TIMEOUT_MS = 60_000;

export interface SoundtrackRequest {
  readonly ffmpeg: string;
  /** Length of the picture. */
  readonly durationFrames: number;
  /** A divisor of 48000. */
  readonly fps: number;
  /** Existing folder for the track file. */
  readonly outDir: string;
  /** Name of the track file in `outDir`; an existing one is replaced. */
  readonly fileName: string;
  readonly signal?: AbortSignal;
}

/** Name of the silence of a length: its key in the cache. */
export function silentTrackKey(durationFrames: number, fps: number): string {
  return `silence-${soundSamples(durationFrames, fps)}`;
}

/**
 * AAC-LC stereo silence, 48 kHz.
 *
 * @returns Path of the track file.
 * @throws As {@link encodeSoundtrack}.
 */
export function silentTrack(request: Omit<SoundtrackRequest, 'fileName'>): Promise<string> {
  const { durationFrames, fps } = request;
  return encodeSoundtrack(
    { ...request, fileName: `${silentTrackKey(durationFrames, fps)}.track` },
    (command) =>
      // As an option, not as `inputFormat`, so that fluent-ffmpeg has nothing to say about it.
      command.input(`anullsrc=r=${SOUND_RATE_HZ}:cl=stereo`).inputOptions(['-f lavfi']),
  );
}

/**
 * Encodes whatever `addInput` brings to AAC-LC stereo, cut to the picture's length.
 *
 * @param addInput - Adds one input of at least the picture's length, from files of ours or a generator: never a URL.
 * @returns Path of the track file.
 * @throws {@link ListingVideoError} `encode_failed` when ffmpeg fails or the input is too short, `disk_full`, or the
 *   signal's reason.
 */
export async function encodeSoundtrack(
  request: SoundtrackRequest,
  addInput: (command: FfmpegCommand) => FfmpegCommand,
): Promise<string> {
  const samples = soundSamples(request.durationFrames, request.fps);
  const rawPath = join(request.outDir, `.${request.fileName}.${randomUUID()}.aac`);
  const asidePath = `${rawPath}.part`;
  const outPath = join(request.outDir, request.fileName);
  try {
    // Loaded here, so that asking for a track's key does not pay for what runs ffmpeg.
    const { runFfmpegJob } = await import('./run-ffmpeg.ts');
    await runFfmpegJob(
      request.ffmpeg,
      (command) =>
        addInput(command)
          .audioCodec('aac')
          .audioBitrate('128k')
          .audioFrequency(SOUND_RATE_HZ)
          .audioChannels(2)
          .audioFilters(`atrim=end_sample=${samples}`)
          .format('adts')
          .output(rawPath),
      { timeoutMs: TIMEOUT_MS, ...(request.signal === undefined ? {} : { signal: request.signal }) },
    );
    await writeTrack(asidePath, readAdtsPackets(await readFile(rawPath)), samples);
    await rename(asidePath, outPath);
    return outPath;
  } catch (error) {
    await rm(asidePath, { force: true });
    throw toWriteError(error, outPath);
  } finally {
    await rm(rawPath, { force: true });
  }
}

async function writeTrack(path: string, sound: AdtsSound, samples: number): Promise<void> {
  const packets = sound.packets.slice(0, Math.ceil((PRIMING_SAMPLES + samples) / AAC_PACKET_SAMPLES));
  if (packets.length * AAC_PACKET_SAMPLES < PRIMING_SAMPLES + samples) {
    throw new ListingVideoError(
      'encode_failed',
      `The soundtrack was to have ${samples} samples, but has fewer`,
    );
  }
  const writer = await TrackFileWriter.create(path);
  try {
    for (const packet of packets) await writer.write(packet);
    await writer.finish({
      codec: 'aac',
      config: sound.config.toString('base64'),
      sizes: packets.map((packet) => packet.length),
      frames: [],
      idrPackets: [],
      audio: { sampleRateHz: SOUND_RATE_HZ, primingSamples: PRIMING_SAMPLES, soundSamples: samples },
    });
  } finally {
    await writer.close();
  }
}

function soundSamples(durationFrames: number, fps: number): number {
  return (durationFrames * SOUND_RATE_HZ) / fps;
}
