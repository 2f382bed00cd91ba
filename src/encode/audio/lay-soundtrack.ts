/** Decides how a soundtrack is cut to a video's length: which stretches of the body, where the ending, how loud. Pure. */
import type { LoudnessAt, Soundtrack } from './soundtrack-table.ts';

/** What every video's sound is brought to: EBU R 128 s2's value for streaming, and what most social networks play at. */
export const TARGET_LUFS = -16;
/** No sample of the delivered sound may reach more, dBTP. */
export const CEILING_DBTP = -1;
/** What the encoder may add to a peak, dB: measured at most 0.5 on the built-in soundtracks at 160 kbit/s. */
const ENCODER_HEADROOM_DB = 0.7;

/** A stretch of the body, `[startSample, endSample)` of its file. */
export interface Stretch {
  readonly startSample: number;
  readonly endSample: number;
}

export interface Laying {
  /**
   * Stretches of the body in playing order. Each but the first begins `crossfadeSamples` early; that much of it is mixed
   * into the end of the one before.
   */
  readonly stretches: readonly Stretch[];
  /**
   * Samples of the ending that are used, from its first; its lead-in is mixed into the end of the body. 0 when the
   * video is too short for it.
   */
  readonly endingSamples: number;
  /** Sample of the video on which the ending's downbeat falls; the video's length without an ending. */
  readonly cutSample: number;
  /** What brings the whole to {@link TARGET_LUFS}. */
  readonly gainDb: number;
}

/**
 * The laying for a video of `totalSamples`.
 *
 * The body is cut at the earliest bar line from which the ending lasts until the video is over, so that its close lands and
 * rings up to the last frame. A video too short for the ending gets the start of the body.
 *
 * @param roundingSamples - By so much the video may outlast the ending; that rest is silent.
 */
export function laySoundtrack(soundtrack: Soundtrack, totalSamples: number, roundingSamples = 0): Laying {
  const { body, ending } = soundtrack;
  const gainDb = gainAt(soundtrack.loudness, totalSamples);
  let bar = 1;
  while (barOffset(soundtrack, bar) + ending.longestSamples + roundingSamples < totalSamples) bar += 1;
  const cutSample = barOffset(soundtrack, bar);
  if (cutSample + ending.resolvedSamples > totalSamples) {
    return {
      stretches: stretchesOf(body, totalSamples),
      endingSamples: 0,
      cutSample: totalSamples,
      gainDb,
    };
  }
  const endingSamples = Math.min(ending.samples, ending.leadInSamples + totalSamples - cutSample);
  return { stretches: stretchesOf(body, cutSample), endingSamples, cutSample, gainDb };
}

/** Where bar line `bar` falls when the body is played on and on, samples. */
export function barOffset({ body }: Pick<Soundtrack, 'body'>, bar: number): number {
  const { startSample, endSample } = body.loop;
  const startBar = body.barSamples.indexOf(startSample);
  const endBar = body.barSamples.indexOf(endSample);
  if (bar <= endBar) return body.barSamples[bar]!;
  const turns = Math.floor((bar - startBar) / (endBar - startBar));
  const barInBody = startBar + ((bar - startBar) % (endBar - startBar));
  return body.barSamples[barInBody]! + turns * (endSample - startSample);
}

function stretchesOf({ loop }: Soundtrack['body'], lengthSamples: number): Stretch[] {
  const stretches = [{ startSample: 0, endSample: Math.min(lengthSamples, loop.endSample) }];
  for (let laid = loop.endSample; laid < lengthSamples; laid += loop.endSample - loop.startSample) {
    const endSample = Math.min(loop.endSample, loop.startSample + lengthSamples - laid);
    stretches.push({ startSample: loop.startSample - loop.crossfadeSamples, endSample });
  }
  return stretches;
}

/** By the loudness known of neighbouring lengths; never so much that a peak passes the ceiling. */
function gainAt(rows: readonly LoudnessAt[], totalSamples: number): number {
  const seconds = totalSamples / 48_000;
  const after = rows.find((row) => row.seconds >= seconds) ?? rows.at(-1)!;
  const before = rows.findLast((row) => row.seconds <= seconds) ?? after;
  const share = after === before ? 0 : (seconds - before.seconds) / (after.seconds - before.seconds);
  const integrated = before.integrated + share * (after.integrated - before.integrated);
  const truePeak = Math.max(before.truePeak, after.truePeak);
  return Math.min(TARGET_LUFS - integrated, CEILING_DBTP - ENCODER_HEADROOM_DB - truePeak);
}
