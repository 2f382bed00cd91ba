/**
 * Makes the sound of a video, as a track file exactly as long as the picture. What is heard comes in as inputs and a filter
 * graph (see `sound/`); silence is made here, since several social networks want it rather than no sound at all.
 */

import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FfmpegCommand } from 'fluent-ffmpeg';
import { replaceFile } from '../disk/atomic-write.ts';
import { toOutputError } from '../disk/disk-error.ts';
import { ListingVideoError } from '../errors.ts';
import { type AdtsAudio, readAdtsPackets } from './adts-packets.ts';
import { LOUDNESS_FILTER, readLoudness } from './audio/read-loudness.ts';
import { AAC_PACKET_SAMPLES } from './mp4-boxes.ts';
import { TrackFileWriter } from './track-file.ts';

export const SOUND_RATE_HZ = 48_000;
/** What ffmpeg's AAC encoder puts before the sound; the MP4's edit list has players skip it, so that sound is in sync. */
const PRIMING_SAMPLES = 1024;
const TIMEOUT_MS = 60_000;
/**
 * The fast coder takes 0.45 of the two-loop coder's CPU (0.55 s for a minute) and, without noise substitution and intensity
 * stereo, has less noise in every band on our soundtracks. More bits cost no CPU; at 160 kbit/s a second generation of AAC
 * stays 18 dB above its noise up to 6 kHz, 4 dB more than at 128.
 */
const ENCODER_OPTIONS = ['-aac_coder fast', '-aac_pns 0', '-aac_is 0'];
const BIT_RATE = '160k';

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

/** What is to be heard. */
export interface AudioSource {
  /** Adds inputs, from files of ours or generators: never a URL. */
  readonly addInputs: (command: FfmpegCommand) => unknown;
  /** An ffmpeg filter graph over them with one unlabelled end, stereo, at least as long as the picture. */
  readonly graph: string;
}

/** Raised when silence comes to be encoded otherwise. */
const SILENCE_VERSION = 2;

/** Name of the silence of a length: its key in the cache. */
export function silentTrackKey(durationFrames: number, fps: number): string {
  return `silence-${audioSamples(durationFrames, fps)}-v${SILENCE_VERSION}`;
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
    {
      // As an option, not as `inputFormat`, so that fluent-ffmpeg has nothing to say about it.
      addInputs: (command) =>
        command.input(`anullsrc=r=${SOUND_RATE_HZ}:cl=stereo`).inputOptions(['-f lavfi']),
      graph: 'anull',
    },
  );
}

/**
 * Encodes a sound to AAC-LC stereo, cut to the picture's length, and notes its loudness.
 *
 * @returns Path of the track file.
 * @throws {@link ListingVideoError} `encode_failed` when ffmpeg fails or the sound is too short, `disk_full`, or the
 *   signal's reason.
 */
export async function encodeSoundtrack(request: SoundtrackRequest, source: AudioSource): Promise<string> {
  const samples = audioSamples(request.durationFrames, request.fps);
  const rawPath = join(request.outDir, `.${request.fileName}.${randomUUID()}.aac`);
  const outPath = join(request.outDir, request.fileName);
  try {
    // Loaded here, so that asking for a track's key does not pay for what runs ffmpeg.
    const { runFfmpegJob } = await import('./run-ffmpeg.ts');
    const { stderr } = await runFfmpegJob(
      request.ffmpeg,
      (command) => {
        source.addInputs(command);
        command
          .complexFilter(`${source.graph},atrim=end_sample=${samples},${LOUDNESS_FILTER}[sound]`, 'sound')
          .audioCodec('aac')
          .audioBitrate(BIT_RATE)
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

/** Samples that sound as long as the picture lasts. */
export function audioSamples(durationFrames: number, fps: number): number {
  return (durationFrames * SOUND_RATE_HZ) / fps;
}
