/** Reads the loudness that ffmpeg's `ebur128` filter reports (ITU-R BS.1770, EBU R 128). Pure. */

/** Passes audio through unchanged and prints its loudness at the end, on stderr at log level `info`. */
export const LOUDNESS_FILTER = 'ebur128=framelog=verbose';
/** The same with true peaks, for three times the CPU. */
export const LOUDNESS_AND_PEAK_FILTER = `${LOUDNESS_FILTER}:peak=true`;

export interface Loudness {
  /** LUFS; null for silence and for audio under 0.4 s. */
  readonly integratedLufs: number | null;
  /** dBTP; null for silence, or when it was not measured. */
  readonly truePeakDb: number | null;
}

/** The filter's value for audio below its absolute gate. */
const SILENCE_LUFS = -70;

export function readLoudness(stderr: string): Loudness {
  const summary = stderr.slice(stderr.lastIndexOf('Summary:'));
  const integrated = Number(/\bI:\s+(\S+) LUFS/.exec(summary)?.[1]);
  const peak = Number(/\bPeak:\s+(\S+) dBFS/.exec(summary)?.[1]);
  return {
    integratedLufs: Number.isFinite(integrated) && integrated > SILENCE_LUFS ? integrated : null,
    truePeakDb: Number.isFinite(peak) ? peak : null,
  };
}
