/** The ffmpeg filter graph of an arrangement. Pure. */
import type { Laying } from './lay-soundtrack.ts';
import type { Soundtrack } from './soundtrack-table.ts';

/** Prevents a click at the start or end. */
const FADE_IN_SAMPLES = 14_400;
/** Fade of the last chord, which would otherwise be cut. */
const FADE_OUT_SAMPLES = 38_400;

/**
 * The graph. Its inputs are the body once per part, then the ending if there is one.
 *
 * Joins within the body crossfade equal music, for which linear gains keep the level; the ending is other music, which
 * needs equal power. Its fade-in is a cube root, so that the first note keeps its attack (half its level after 40 ms).
 *
 * @param totalSamples - Length of the video; the audio is padded with silence up to it.
 */
export function soundtrackGraph(soundtrack: Soundtrack, laying: Laying, totalSamples: number): string {
  const { stretches, endingSamples, gainDb } = laying;
  const parts = stretches.map(
    ({ startSample, endSample }, input) =>
      `[${input}:a]atrim=start_sample=${startSample}:end_sample=${endSample},asetpts=N/SR/TB[s${input}]`,
  );
  let joined = 's0';
  for (let next = 1; next < stretches.length; next++) {
    const overlap = soundtrack.body.loop.crossfadeSamples;
    parts.push(`[${joined}][s${next}]acrossfade=ns=${overlap}:c1=tri:c2=tri[j${next}]`);
    joined = `j${next}`;
  }
  if (endingSamples > 0) {
    const overlap = soundtrack.ending.leadInSamples;
    parts.push(`[${stretches.length}:a]atrim=end_sample=${endingSamples}[ending]`);
    parts.push(`[${joined}][ending]acrossfade=ns=${overlap}:c1=qsin:c2=qsin[laid]`);
    joined = 'laid';
  }
  const fades = fadeFilters(totalSamples, {
    inSamples: FADE_IN_SAMPLES,
    inCurve: 'cbr',
    outSamples: FADE_OUT_SAMPLES,
  });
  parts.push(`[${joined}]volume=${gainDb.toFixed(2)}dB,${fades},apad=whole_len=${totalSamples}`);
  return parts.join(';');
}

/** Fades at both ends of audio with `totalSamples`, each at most half of it. */
export function fadeFilters(
  totalSamples: number,
  fades: { readonly inSamples: number; readonly inCurve: 'cbr' | 'tri'; readonly outSamples: number },
): string {
  const rise = Math.min(fades.inSamples, Math.floor(totalSamples / 2));
  const fall = Math.min(fades.outSamples, Math.floor(totalSamples / 2));
  return `afade=t=in:ns=${rise}:curve=${fades.inCurve},afade=t=out:ss=${totalSamples - fall}:ns=${fall}`;
}
