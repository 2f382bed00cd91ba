/**
 * Brings audio to the loudness of every video, under its peak ceiling. It measures first: no table knows each length. The
 * first time writes the mix as raw audio, from which all later ones read: decoding and mixing takes half of their CPU.
 * So does each trial of the limiter.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LOUDNESS_AND_PEAK_FILTER, LOUDNESS_FILTER, type Loudness, readLoudness } from './read-loudness.ts';
import {
  type AudioSource,
  encodeSoundtrack,
  PCM_OPTIONS,
  SOUND_RATE_HZ,
  type SoundtrackRequest,
} from './soundtrack.ts';

/** Target loudness of every video: the streaming value of EBU R 128 s2, which most social networks use. */
const TARGET_LUFS = -16;
/** Maximum true peak of the delivered audio, dBTP. */
const CEILING_DBTP = -1;
const MEASURE_TIMEOUT_MS = 60_000;
/** What the encoder can add to a peak, dB: up to 0.6 measured on clipped white noise. */
const ENCODER_HEADROOM_DB = 1;
/** Maximum gain: more would raise the noise of very quiet music too much. */
const MAX_GAIN_DB = 24;
/** The limiter also lowers loudness, so the gain is corrected in this many trials. */
const LIMITED_TRIALS = 4;
const MIN_SLOPE = 0.25;
const CLOSE_ENOUGH_LU = 0.2;

/**
 * Encodes `source` at the loudness of every video.
 *
 * @returns Path of the track file; null, and no file, for silence.
 * @throws {@link ListingVideoError} `encode_failed`, `disk_full`, or the signal's reason.
 */
export async function encodeLeveled(source: AudioSource, request: SoundtrackRequest): Promise<string | null> {
  const mixPath = join(request.outDir, `.${request.fileName}.mix`);
  const limitedPath = join(request.outDir, `.${request.fileName}.limited`);
  const raw = (path: string, graph: string): AudioSource => ({
    addInputs: (command) => command.input(path).inputOptions(PCM_OPTIONS),
    graph: `[0:a]${graph}`,
  });
  try {
    const plain = await measure(source, LOUDNESS_AND_PEAK_FILTER, request, mixPath);
    let limited = '';
    const level = await levelFilters(plain, (filters) => {
      limited = filters;
      return measure(raw(mixPath, filters), LOUDNESS_FILTER, request, limitedPath);
    });
    if (level === null) return null;
    // The last trial was right: limiting at four times the rate takes as long as encoding.
    const leveled = level === limited ? raw(limitedPath, 'anull') : raw(mixPath, level);
    return await encodeSoundtrack(request, leveled);
  } finally {
    await Promise.all([mixPath, limitedPath].map((path) => rm(path, { force: true })));
  }
}

/** Null for silence. @param loudnessAfter - That of the mix after filters. */
async function levelFilters(
  plain: Loudness,
  loudnessAfter: (filters: string) => Promise<Loudness>,
): Promise<string | null> {
  if (plain.integratedLufs === null || plain.truePeakDb === null) return null;
  let gainDb = Math.min(TARGET_LUFS - plain.integratedLufs, MAX_GAIN_DB);
  if (plain.truePeakDb + gainDb <= CEILING_DBTP - ENCODER_HEADROOM_DB) return `volume=${gainDb.toFixed(2)}dB`;
  // Loudness per decibel of gain: 1 without limiting, less with it.
  let slope = 1;
  let before = { gainDb: 0, lufs: plain.integratedLufs };
  for (let trial = 0; trial < LIMITED_TRIALS; trial++) {
    const limited = await loudnessAfter(limitFilters(gainDb));
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
  return `volume=${gainDb.toFixed(2)}dB,aresample=${4 * SOUND_RATE_HZ},${limiter},aresample=${SOUND_RATE_HZ}`;
}

/** @param outPath - Where the audio is written raw; an earlier file is replaced. */
async function measure(
  { addInputs, graph }: AudioSource,
  filter: string,
  { ffmpeg, signal }: SoundtrackRequest,
  outPath: string,
): Promise<Loudness> {
  const { runFfmpegJob } = await import('../ffmpeg/run-ffmpeg.ts');
  const { stderr } = await runFfmpegJob(
    ffmpeg,
    (command) => {
      addInputs(command);
      command.complexFilter(`${graph},${filter}[heard]`, 'heard');
      command.outputOptions([...PCM_OPTIONS, '-y']).output(outPath);
    },
    { timeoutMs: MEASURE_TIMEOUT_MS, isVerbose: true, ...(signal ? { signal } : {}) },
  );
  return readLoudness(stderr);
}
