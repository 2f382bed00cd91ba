/** Brings audio to the loudness of every video, under its peak ceiling. It measures first: no table knows each length. */
import { LOUDNESS_AND_PEAK_FILTER, type Loudness, readLoudness } from './read-loudness.ts';
import { type AudioSource, SOUND_RATE_HZ, type SoundtrackRequest } from './soundtrack.ts';

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
 * The filters that follow the graph of `source`.
 *
 * @returns Null for silence.
 * @throws {@link ListingVideoError} `encode_failed`, or the signal's reason.
 */
export async function levelFilters(source: AudioSource, request: SoundtrackRequest): Promise<string | null> {
  const plain = await measure(source, '', request);
  if (plain.integratedLufs === null || plain.truePeakDb === null) return null;
  let gainDb = Math.min(TARGET_LUFS - plain.integratedLufs, MAX_GAIN_DB);
  if (plain.truePeakDb + gainDb <= CEILING_DBTP - ENCODER_HEADROOM_DB) return `volume=${gainDb.toFixed(2)}dB`;
  // Loudness per decibel of gain: 1 without limiting, less with it.
  let slope = 1;
  let before = { gainDb: 0, lufs: plain.integratedLufs };
  for (let trial = 0; trial < LIMITED_TRIALS; trial++) {
    const limited = await measure(source, `,${limitFilters(gainDb)}`, request);
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

async function measure(
  { addInputs, graph }: AudioSource,
  filters: string,
  { ffmpeg, signal }: SoundtrackRequest,
): Promise<Loudness> {
  const { runFfmpegJob } = await import('../ffmpeg/run-ffmpeg.ts');
  const { stderr } = await runFfmpegJob(
    ffmpeg,
    (command) => {
      addInputs(command);
      command
        .complexFilter(`${graph}${filters},${LOUDNESS_AND_PEAK_FILTER}[heard]`, 'heard')
        .format('null')
        .output('-');
    },
    { timeoutMs: MEASURE_TIMEOUT_MS, isVerbose: true, ...(signal ? { signal } : {}) },
  );
  return readLoudness(stderr);
}
