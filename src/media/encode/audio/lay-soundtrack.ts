/** Fits a soundtrack to a video: which parts of the body, where it lifts, where the ending starts. Pure. */
import type { Soundtrack } from './soundtrack-table.ts';

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
  /** The video's sample at which the music lifts: the first part ends there. Null without a lift. */
  readonly liftSample: number | null;
  /**
   * Number of samples of the ending, from its start; its lead-in is mixed into the end of the body. 0 when the video is
   * too short for it.
   */
  readonly endingSamples: number;
  /** The video's sample of the ending's downbeat; without an ending the video's length. */
  readonly cutSample: number;
}

export interface LayingRequest {
  /** Length of the video. */
  readonly totalSamples: number;
  /** The video's samples of the scene changes that a lift can fall on; the first of equally good ones is taken. */
  readonly changeSamples?: readonly number[];
}

/** The bars that a video begins with: `leadBars` from `leadBar`, then the body from `bar`. */
interface Start {
  readonly leadBar: number;
  readonly leadBars: number;
  readonly bar: number;
}

/** The last chord fades out with the picture for so much of its last bar rather than decay for most of another one. */
const UNRESOLVED_BARS = 0.25;

const FROM_THE_START: Start = { leadBar: 0, leadBars: 0, bar: 0 };

/**
 * The arrangement for a video.
 *
 * The music lifts on the bar line nearest to a scene change. The body is cut at the last bar line from which the ending
 * can resolve before the video ends, so that the last chord rings up to the last frame. A video that is too short for
 * the ending has the body alone; one that ends before its lift has the start of the body.
 */
export function laySoundtrack(soundtrack: Soundtrack, request: LayingRequest): Laying {
  const start = chooseStart(soundtrack, request.changeSamples ?? []);
  const laying = layFrom(soundtrack, start, request);
  const isLifted = laying.liftSample === null || laying.liftSample < laying.cutSample;
  return isLifted ? laying : layFrom(soundtrack, FROM_THE_START, request);
}

function layFrom(soundtrack: Soundtrack, start: Start, { totalSamples }: LayingRequest): Laying {
  const { body, ending } = soundtrack;
  const leastSamples = ending.resolvedSamples - UNRESOLVED_BARS * body.barSamples[1]!;
  const canEndAt = (bar: number) => barOffset(soundtrack, bar, start) + leastSamples <= totalSamples;
  let bar = 1;
  while (canEndAt(bar + 1)) bar += 1;
  const downbeat = barOffset(soundtrack, bar, start);
  const hasEnding = canEndAt(bar);
  const cutSample = hasEnding ? downbeat : totalSamples;
  return {
    stretches: stretchesOf(soundtrack, start, cutSample),
    liftSample: start.leadBars === 0 ? null : barOffset(soundtrack, start.leadBars, start),
    endingSamples: hasEnding ? Math.min(ending.samples, ending.leadInSamples + totalSamples - downbeat) : 0,
    cutSample,
  };
}

/** The bar line nearest to a change becomes that of the first lift that enough bars can lead to. */
function chooseStart({ body, lifts, lead }: Soundtrack, changeSamples: readonly number[]): Start {
  const barLength = body.barSamples[1]!;
  const leads = changeSamples
    .map((sample) => ({ bars: Math.round(sample / barLength), sample }))
    .filter(({ bars }) => bars > 0)
    .map(({ bars, sample }) => ({ bars, distance: Math.abs(sample - bars * barLength) }))
    .sort((a, b) => a.distance - b.distance);
  const lastBar = body.barSamples.indexOf(body.loop.endSample) - 1;
  for (const { bars: leadBars } of leads) {
    for (const bar of lifts) {
      const leadBar = lead.startBar ?? bar - leadBars;
      if (leadBar >= 0 && leadBar + leadBars <= lastBar) return { leadBar, leadBars, bar };
    }
  }
  return FROM_THE_START;
}

/** Position of the video's bar line `bar` when the body repeats, samples. */
export function barOffset({ body }: Pick<Soundtrack, 'body'>, bar: number, start = FROM_THE_START): number {
  const { barSamples, loop } = body;
  const { leadBar, leadBars } = start;
  if (bar <= leadBars) return barSamples[leadBar + bar]! - barSamples[leadBar]!;
  const leadSamples = barSamples[leadBar + leadBars]! - barSamples[leadBar]!;
  const startBar = barSamples.indexOf(loop.startSample);
  const endBar = barSamples.indexOf(loop.endSample);
  const barInBody = start.bar + bar - leadBars;
  const turns = barInBody <= endBar ? 0 : Math.floor((barInBody - startBar) / (endBar - startBar));
  const sample = barSamples[barInBody - turns * (endBar - startBar)]!;
  return leadSamples + sample + turns * (loop.endSample - loop.startSample) - barSamples[start.bar]!;
}

function stretchesOf({ body }: Soundtrack, start: Start, lengthSamples: number): Stretch[] {
  const { barSamples, loop } = body;
  const stretches: Stretch[] = [];
  let laid = 0;
  const add = (startSample: number, endSample: number) => {
    const length = Math.min(endSample - startSample, lengthSamples - laid);
    if (length <= 0) return;
    const overlap = stretches.length === 0 ? 0 : loop.crossfadeSamples;
    stretches.push({ startSample: startSample - overlap, endSample: startSample + length });
    laid += length;
  };
  add(barSamples[start.leadBar]!, barSamples[start.leadBar + start.leadBars]!);
  add(barSamples[start.bar]!, loop.endSample);
  while (laid < lengthSamples) add(loop.startSample, loop.endSample);
  return stretches;
}
