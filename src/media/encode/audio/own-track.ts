/**
 * Makes the audio of a video from the user's music file: loops or cuts it, and sets its loudness. The file is not
 * trusted; `decode-music.ts` reads it.
 */
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeMusic, musicUnusable } from './decode-music.ts';
import { inspectMusic, type MusicFile } from './inspect-music.ts';
import { CEILING_DBTP, TARGET_LUFS } from './lay-soundtrack.ts';
import { loopPcm } from './loop-pcm.ts';
import { LOUDNESS_AND_PEAK_FILTER, type Loudness, readLoudness } from './read-loudness.ts';
import { audioSamples, encodeSoundtrack, SOUND_RATE_HZ, type SoundtrackRequest } from './soundtrack.ts';
import { fadeFilters } from './soundtrack-graph.ts';

const MEASURE_TIMEOUT_MS = 60_000;
/** Minimum length of a music file. */
const MIN_SAMPLES = SOUND_RATE_HZ;
const LOOP_CROSSFADE_SAMPLES = SOUND_RATE_HZ / 4;
const FADES = { inSamples: 14_400, inCurve: 'tri', outSamples: 72_000 } as const;
/** What the encoder can add to a peak, dB: up to 0.6 measured on clipped white noise. */
const ENCODER_HEADROOM_DB = 1;
/** Maximum gain: more would raise the noise of very quiet music too much. */
const MAX_GAIN_DB = 24;
/** The limiter also lowers loudness, so the gain is corrected in this many trials. */
const LIMITED_TRIALS = 4;
const MIN_SLOPE = 0.25;
const CLOSE_ENOUGH_LU = 0.2;

/**
 * @returns Path of the track file.
 * @throws {@link ListingVideoError} `music_unusable` when the file cannot be decoded, is silent, or is too short;
 *   `encode_failed`, `disk_full`, or the signal's reason.
 */
export async function ownTrack(music: MusicFile, request: SoundtrackRequest): Promise<string> {
  const base = join(request.outDir, `.${request.fileName}`);
  const [copy, decoded, looped] = [`${base}.copy`, `${base}.pcm`, `${base}.loop`];
  try {
    // Decodes a link to the inspected file, with a name that ffmpeg can only read as a file.
    await copyFile(music.path, copy);
    const found = await inspectMusic(copy, request.signal);
    if (!('file' in found) || found.file.digest !== music.digest)
      throw musicUnusable(music, 'it is being changed');
    const totalSamples = audioSamples(request.durationFrames, request.fps);
    const samples = await decodeMusic(music, { from: copy, to: decoded, totalSamples }, request);
    if (samples < Math.min(MIN_SAMPLES, totalSamples))
      throw musicUnusable(music, 'it holds less than a second of sound');
    const isLooped = samples < totalSamples;
    if (isLooped) {
      const crossfadeSamples = LOOP_CROSSFADE_SAMPLES;
      await loopPcm(decoded, looped, { samples, totalSamples, crossfadeSamples }, request.signal);
    }
    const input = isLooped ? looped : decoded;
    const fades = fadeFilters(totalSamples, FADES);
    const level = await levelFilters(music, { input, fades }, request);
    return await encodeSoundtrack(request, {
      addInputs: (command) => command.input(input).inputOptions(PCM_OPTIONS),
      graph: `[0:a]${level}${fades}`,
    });
  } finally {
    for (const path of [copy, decoded, looped]) await rm(path, { force: true });
  }
}

const PCM_OPTIONS = ['-f f32le', `-ar ${SOUND_RATE_HZ}`, '-ac 2'];

/**
 * The filters that bring the audio to the target loudness, with a comma at the end. Measured together with the fades.
 */
async function levelFilters(
  music: MusicFile,
  audio: { input: string; fades: string },
  request: SoundtrackRequest,
): Promise<string> {
  const plain = await measure(audio.input, audio.fades, request);
  if (plain.integratedLufs === null || plain.truePeakDb === null) throw musicUnusable(music, 'it is silent');
  let gainDb = Math.min(TARGET_LUFS - plain.integratedLufs, MAX_GAIN_DB);
  if (plain.truePeakDb + gainDb <= CEILING_DBTP - ENCODER_HEADROOM_DB)
    return `volume=${gainDb.toFixed(2)}dB,`;
  // Loudness per decibel of gain: 1 without limiting, less with it.
  let slope = 1;
  let before = { gainDb: 0, lufs: plain.integratedLufs };
  for (let trial = 0; trial < LIMITED_TRIALS; trial++) {
    const limited = await measure(audio.input, `${limitFilters(gainDb)}${audio.fades}`, request);
    const lufs = limited.integratedLufs ?? TARGET_LUFS;
    const missing = TARGET_LUFS - lufs;
    if (Math.abs(missing) <= CLOSE_ENOUGH_LU) break;
    const rise = (lufs - before.lufs) / (gainDb - before.gainDb);
    if (Number.isFinite(rise)) slope = Math.min(1, Math.max(MIN_SLOPE, rise));
    before = { gainDb, lufs };
    gainDb = Math.min(gainDb + missing / slope, MAX_GAIN_DB);
  }
  return limitFilters(gainDb);
}

/** At four times the rate, to catch peaks between samples. `level=0` turns the automatic make-up gain off. */
function limitFilters(gainDb: number): string {
  const limit = 10 ** ((CEILING_DBTP - ENCODER_HEADROOM_DB) / 20);
  const limiter = `alimiter=limit=${limit.toFixed(4)}:attack=5:release=80:level=0`;
  return `volume=${gainDb.toFixed(2)}dB,aresample=${4 * SOUND_RATE_HZ},${limiter},aresample=${SOUND_RATE_HZ},`;
}

async function measure(input: string, filters: string, request: SoundtrackRequest): Promise<Loudness> {
  const { runFfmpegJob } = await import('../ffmpeg/run-ffmpeg.ts');
  const { signal } = request;
  const { stderr } = await runFfmpegJob(
    request.ffmpeg,
    (command) => {
      command
        .input(input)
        .inputOptions(PCM_OPTIONS)
        .audioFilters(`${filters},${LOUDNESS_AND_PEAK_FILTER}`)
        .format('null')
        .output('-');
    },
    { timeoutMs: MEASURE_TIMEOUT_MS, isVerbose: true, ...(signal ? { signal } : {}) },
  );
  return readLoudness(stderr);
}
