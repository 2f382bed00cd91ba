/** The ffmpeg filter graph of an arrangement. Pure. */
import type { Laying } from './lay-soundtrack.ts';
import type { Soundtrack } from './soundtrack-table.ts';

/** Prevents a click at the start or end. */
const FADE_IN_SAMPLES = 14_400;
/** Fade of the last chord, which would otherwise be cut. */
const FADE_OUT_SAMPLES = 38_400;
/** Slope of a shelf: steeper ones overshoot. */
const SHELF_Q = 0.6;

export interface GraphRequest {
  /** Length of the video; the audio is padded with silence up to it. */
  readonly totalSamples: number;
  /** The video's sample at which the last input, a riser, begins. Null: there is none. */
  readonly riserSample: number | null;
}

/**
 * The graph. Its inputs are the body once per part, then the ending and the riser if there are any.
 *
 * Joins within the body crossfade equal music, for which linear gains keep the level; the ending is other music, which
 * needs equal power. Its fade-in is a cube root, so that the first note keeps its attack (half its level after 40 ms).
 */
export function soundtrackGraph(
  soundtrack: Soundtrack,
  { stretches, liftSample, endingSamples }: Laying,
  { totalSamples, riserSample }: GraphRequest,
): string {
  const { lead, master } = soundtrack;
  const parts = stretches.map(({ startSample, endSample }, input) => {
    const softer = input === 0 && liftSample !== null ? `,volume=${lead.gainDb}dB` : '';
    return `[${input}:a]atrim=start_sample=${startSample}:end_sample=${endSample},asetpts=N/SR/TB${softer}[s${input}]`;
  });
  let joined = 's0';
  for (let next = 1; next < stretches.length; next++) {
    const overlap = soundtrack.body.loop.crossfadeSamples;
    parts.push(`[${joined}][s${next}]acrossfade=ns=${overlap}:c1=tri:c2=tri[j${next}]`);
    joined = `j${next}`;
  }
  let input = stretches.length;
  if (endingSamples > 0) {
    const overlap = soundtrack.ending.leadInSamples;
    parts.push(`[${input++}:a]atrim=end_sample=${endingSamples}[ending]`);
    parts.push(`[${joined}][ending]acrossfade=ns=${overlap}:c1=qsin:c2=qsin[laid]`);
    joined = 'laid';
  }
  const shelves = master.map(({ hz, db }) => `treble=g=${db}:f=${hz}:width_type=q:width=${SHELF_Q},`);
  const fades = fadeFilters(totalSamples, {
    inSamples: FADE_IN_SAMPLES,
    inCurve: 'cbr',
    outSamples: FADE_OUT_SAMPLES,
  });
  const finished = `[${joined}]${shelves.join('')}${fades},apad=whole_len=${totalSamples}`;
  if (riserSample === null) return [...parts, finished].join(';');
  // `amix` halves both, and would raise the one that goes on when the other ends.
  parts.push(`${finished}[music]`);
  parts.push(`[${input}:a]adelay=delays=${riserSample}S|${riserSample}S,apad[riser]`);
  parts.push('[music][riser]amix=inputs=2:duration=first,volume=2');
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
