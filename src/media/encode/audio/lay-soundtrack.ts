/** Fits a soundtrack to a video's length: which parts of the body, where the ending starts, how loud. Pure. */
import type { LoudnessAt, Soundtrack } from './soundtrack-table.ts';

/** Target loudness of every video: the streaming value of EBU R 128 s2, which most social networks use. */
export const TARGET_LUFS = -16;
/** Maximum true peak of the delivered audio, dBTP. */
export const CEILING_DBTP = -1;
/** What the encoder can add to a peak, dB: at most 0.5 measured on the built-in soundtracks at 160 kbit/s. */
const ENCODER_HEADROOM_DB = 0.7;

/** A part of the body, `[startSample, endSample)` of its file. */
export interface Stretch {
  readonly startSample: number;
  readonly endSample: number;
}

export interface Laying {
  /**
   * Parts of the body in playing order. Each one after the first starts `crossfadeSamples` earlier and is mixed into
   * the end of the part before it.
   */
  readonly stretches: readonly Stretch[];
  /**
   * Number of samples of the ending, from its start; its lead-in is mixed into the end of the body. 0 when the video is
   * too short for it.
   */
  readonly endingSamples: number;
  /** The video's sample of the ending's downbeat; without an ending the video's length. */
  readonly cutSample: number;
  /** The gain that brings the whole to {@link TARGET_LUFS}. */
  readonly gainDb: number;
}

/**
 * The arrangement for a video of `totalSamples`.
 *
 * The body is cut at the earliest bar line from which the ending lasts to the end of the video, so that the last chord
 * rings up to the last frame. A video that is too short for the ending gets the start of the body.
 *
 * @param roundingSamples - By how much the video can outlast the ending; that rest is silent.
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

/** Position of bar line `bar` when the body repeats, samples. */
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

/** From the known loudness of neighbouring lengths, limited so that no peak exceeds the ceiling. */
function gainAt(rows: readonly LoudnessAt[], totalSamples: number): number {
  const seconds = totalSamples / 48_000;
  const after = rows.find((row) => row.seconds >= seconds) ?? rows.at(-1)!;
  const before = rows.findLast((row) => row.seconds <= seconds) ?? after;
  const share = after === before ? 0 : (seconds - before.seconds) / (after.seconds - before.seconds);
  const integrated = before.integrated + share * (after.integrated - before.integrated);
  const truePeak = Math.max(before.truePeak, after.truePeak);
  return Math.min(TARGET_LUFS - integrated, CEILING_DBTP - ENCODER_HEADROOM_DB - truePeak);
}
