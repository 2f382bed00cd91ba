/**
 * Makes the audio of a video: a track file exactly as long as the video. Its source is a filter graph with inputs (see
 * `audio/`) or silence, because several social networks refuse a video without an audio track.
 */

import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FfmpegCommand } from 'fluent-ffmpeg';
import { replaceFile } from '../../../platform/disk/atomic-write.ts';
import { toOutputError } from '../../../platform/disk/disk-error.ts';
import { ListingVideoError } from '../../../platform/errors.ts';
import { type AdtsAudio, readAdtsPackets } from '../mp4/adts-packets.ts';
import { AAC_PACKET_SAMPLES } from '../mp4/mp4-boxes.ts';
import { TrackFileWriter } from '../mp4/track-file.ts';
import { LOUDNESS_FILTER, readLoudness } from './read-loudness.ts';

export const SOUND_RATE_HZ = 48_000;
/** Samples that ffmpeg's AAC encoder puts before the audio. The MP4's edit list makes players skip them. */
const PRIMING_SAMPLES = 1024;
/** Input options of raw audio: stereo, 32-bit floats. */
export const PCM_OPTIONS = ['-f f32le', `-ar ${SOUND_RATE_HZ}`, '-ac 2'];
const TIMEOUT_MS = 60_000;
/**
 * The fast coder takes 0.45 of the two-loop coder's CPU (0.55 s per minute). Without noise substitution and intensity
 * stereo it has less noise in every band on our soundtracks. More bits cost no CPU: at 160 kbit/s a second generation
 * of AAC is 18 dB above its noise up to 6 kHz, 4 dB more than at 128.
 */
const ENCODER_OPTIONS = ['-aac_coder fast', '-aac_pns 0', '-aac_is 0'];
/** Bit/s of the usual file. */
export const AUDIO_BIT_RATE = 160_000;

export interface SoundtrackRequest {
  readonly ffmpeg: string;
  /** It is new enough to read a user's music file; see `FfmpegAnswer`. Default: no. */
  readonly decodesMusic?: boolean;
  /** Length of the video. */
  readonly durationFrames: number;
  /** A divisor of 48000. */
  readonly fps: number;
  readonly outDir: string;
  /** Bit/s; {@link AUDIO_BIT_RATE} by default. */
  readonly bitRate?: number;
  /** Name of the track file in `outDir`; an existing one is replaced. */
  readonly fileName: string;
  readonly signal?: AbortSignal;
}

export interface AudioSource {
  /** Adds inputs: our own files or generators, never a URL. */
  readonly addInputs: (command: FfmpegCommand) => unknown;
  /** An ffmpeg filter graph over the inputs with one unlabeled stereo output, at least as long as the video. */
  readonly graph: string;
}

/** Raise it when the encoding of silence changes. */
const SILENCE_VERSION = 2;

export function silentTrackKey(durationFrames: number, fps: number, bitRate?: number): string {
  return `silence-${audioSamples(durationFrames, fps)}-v${SILENCE_VERSION}${bitRateWord(bitRate)}`;
}

/** The end of a key: none for the usual bit rate. */
export function bitRateWord(bitRate = AUDIO_BIT_RATE): string {
  return bitRate === AUDIO_BIT_RATE ? '' : `-${bitRate}`;
}

/**
 * AAC-LC stereo silence, 48 kHz.
 *
 * @returns Path of the track file.
 * @throws As {@link encodeSoundtrack}.
 */
export function silentTrack(request: Omit<SoundtrackRequest, 'fileName'>): Promise<string> {
  const { durationFrames, fps, bitRate } = request;
  return encodeSoundtrack(
    { ...request, fileName: `${silentTrackKey(durationFrames, fps, bitRate)}.track` },
    {
      // As an option, not as `inputFormat`, which fluent-ffmpeg would check.
      addInputs: (command) =>
        command.input(`anullsrc=r=${SOUND_RATE_HZ}:cl=stereo`).inputOptions(['-f lavfi']),
      graph: 'anull',
    },
  );
}

/**
 * Encodes audio to AAC-LC stereo with the video's length, and measures its loudness.
 *
 * @returns Path of the track file.
 * @throws {@link ListingVideoError} `encode_failed` when ffmpeg fails or the audio is too short, `disk_full`, or the
 *   signal's reason.
 */
export async function encodeSoundtrack(request: SoundtrackRequest, source: AudioSource): Promise<string> {
  const samples = audioSamples(request.durationFrames, request.fps);
  const rawPath = join(request.outDir, `.${request.fileName}.${randomUUID()}.aac`);
  const outPath = join(request.outDir, request.fileName);
  try {
    // Loaded here, because computing a track's key must not load the modules that run ffmpeg.
    const { runFfmpegJob } = await import('../ffmpeg/run-ffmpeg.ts');
    const { stderr } = await runFfmpegJob(
      request.ffmpeg,
      (command) => {
        source.addInputs(command);
        command
          .complexFilter(`${source.graph},atrim=end_sample=${samples},${LOUDNESS_FILTER}[sound]`, 'sound')
          .audioCodec('aac')
          .audioBitrate(`${(request.bitRate ?? AUDIO_BIT_RATE) / 1000}k`)
          .audioFrequency(SOUND_RATE_HZ)
          .audioChannels(2)
          .outputOptions(ENCODER_OPTIONS)
          .format('adts')
          .output(rawPath);
      },
      {
        timeoutMs: TIMEOUT_MS,
        isVerbose: true,
        ...(request.signal === undefined ? {} : { signal: request.signal }),
      },
    );
    const { integratedLufs } = readLoudness(stderr);
    const audio = readAdtsPackets(await readFile(rawPath));
    await replaceFile(outPath, (aside) => writeTrack(aside, audio, samples, integratedLufs));
    return outPath;
  } catch (error) {
    throw toOutputError(error, outPath);
  } finally {
    await rm(rawPath, { force: true });
  }
}

async function writeTrack(
  path: string,
  audio: AdtsAudio,
  samples: number,
  loudnessLufs: number | null,
): Promise<void> {
  const packets = audio.packets.slice(0, Math.ceil((PRIMING_SAMPLES + samples) / AAC_PACKET_SAMPLES));
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
      config: audio.config.toString('base64'),
      sizes: packets.map((packet) => packet.length),
      frames: [],
      idrPackets: [],
      audio: {
        sampleRateHz: SOUND_RATE_HZ,
        primingSamples: PRIMING_SAMPLES,
        soundSamples: samples,
        loudnessLufs,
      },
    });
  } finally {
    await writer.close();
  }
}

export function audioSamples(durationFrames: number, fps: number): number {
  return (durationFrames * SOUND_RATE_HZ) / fps;
}
