/** Finds the beats of music with a constant tempo, or that it has none. Pure. */
import { ENVELOPE_RATE_HZ, onsetEnvelope } from './onset-envelope.ts';

/** A constant tempo from start to end. */
export interface MusicBeats {
  /** Of what listeners tap along to, or of its half or double. */
  readonly bpm: number;
  /** Less than a beat. */
  readonly firstBeatSec: number;
}

const SLOWEST_BPM = 66;
const FASTEST_BPM = 180;
/** Fewer beats fit any tempo. */
const MIN_SEC = 8;
/** Width of a beat: a triangle of two moments to each side. */
const SPREAD = [0.5, 1, 0.5];
/** So many of the tempos whose beats stand out most are compared by what is between their beats. */
const CANDIDATES = 12;
/** Halves and quarters of a beat have onsets too: else "one and a half beats" would be found in a syncopated rhythm. */
const LEVELS = [
  { parts: 1, weight: 1 },
  { parts: 2, weight: 0.5 },
  { parts: 4, weight: 0.5 },
];
/** Beats that are by so much weaker than those of half the tempo are upbeats between them. */
const UPBEAT_SHARE = 0.62;
/** How far beats stand out of what is between them. Noise that comes and goes like speech has 0.55, a quiet piano 1. */
const MIN_CONTRAST = 0.75;
/** The tempo is constant if the beats stand out in so many parts of the music. */
const PARTS = 5;
const MIN_AGREEING = 4;
/** Beats stand out if they do so by this share of the strongest place between two of them. */
const MIN_SHARE = 0.5;
/** Tempos whose beats drift apart by this share of a beat from start to end are tried, first coarsely, then finely. */
const COARSE_DRIFT = 0.12;
const FINE_DRIFT = 0.01;

interface Beat {
  /** In beats per moment. */
  readonly rate: number;
  /** Where the beats fall, in beats: from 0 to 1. */
  readonly phase: number;
  readonly contrast: number;
}

interface Folded extends Beat {
  /** How far another phase stands out. */
  readonly around: (phase: number) => number;
}

/**
 * @param music - Mono.
 * @returns Null where no tempo fits from start to end: speech, noise, silence, rubato.
 */
export function findBeats(music: Float32Array, rateHz: number): MusicBeats | null {
  if (music.length < MIN_SEC * rateHz) return null;
  const envelope = onsetEnvelope(music, rateHz);
  if (envelope === null) return null;
  const { strengths, startSec } = envelope;
  const beat = findTempo(strengths);
  if (beat.contrast < MIN_CONTRAST || !isSteady(strengths, beat)) return null;
  const bpm = 60 * ENVELOPE_RATE_HZ * beat.rate;
  const beatSec = 60 / bpm;
  const firstBeatSec = (beat.phase * beatSec + startSec) % beatSec;
  return { bpm: round(bpm, 1000), firstBeatSec: round(firstBeatSec, 10_000) };
}

function findTempo(strengths: Float64Array): Beat {
  const slowest = SLOWEST_BPM / (60 * ENVELOPE_RATE_HZ);
  const fastest = FASTEST_BPM / (60 * ENVELOPE_RATE_HZ);
  const around = COARSE_DRIFT / strengths.length;
  const refine = (rate: number) =>
    foldAll(strengths, rate - around, rate + around, FINE_DRIFT).reduce(stronger);
  const coarse = foldAll(strengths, slowest, fastest, COARSE_DRIFT);
  const best = coarse
    .filter(({ contrast }, index) =>
      [coarse[index - 1], coarse[index + 1]].every(
        (near) => contrast >= (near?.contrast ?? Number.NEGATIVE_INFINITY),
      ),
    )
    .sort((a, b) => b.contrast - a.contrast)
    .slice(0, CANDIDATES)
    .map(({ rate }) => refine(rate))
    .map((beat) => ({ beat, score: scoreOf(strengths, beat) }))
    .reduce((a, b) => (b.score > a.score ? b : a)).beat;
  // All beats of the double tempo are onsets too, or they are not.
  const double = 2 * best.rate > fastest ? undefined : refine(2 * best.rate);
  return double !== undefined && double.contrast > UPBEAT_SHARE * best.contrast ? double : best;
}

function scoreOf(strengths: Float64Array, { rate }: Beat): number {
  return LEVELS.reduce((sum, { parts, weight }) => sum + weight * fold(strengths, rate * parts).contrast, 0);
}

function foldAll(strengths: Float64Array, from: number, to: number, drift: number): Beat[] {
  const step = drift / strengths.length;
  const count = Math.ceil((to - from) / step);
  return Array.from({ length: count }, (_, index) => fold(strengths, from + index * step));
}

function stronger(a: Beat, b: Beat): Beat {
  return b.contrast > a.contrast ? b : a;
}

/** Lays all beats of a tempo over each other: where most begins, and by how much it stands out. */
function fold(strengths: Float64Array, rate: number, from = 0, to = strengths.length): Folded {
  const places = Math.round(1 / rate);
  const sums = new Float64Array(places);
  const counts = new Float64Array(places);
  let total = 0;
  for (let moment = from; moment < to; moment++) {
    const beats = moment * rate;
    const place = Math.floor((beats - Math.floor(beats)) * places);
    sums[place] = sums[place]! + strengths[moment]!;
    counts[place] = counts[place]! + 1;
    total += strengths[moment]!;
  }
  const mean = total / (to - from);
  const standingOut = (place: number) =>
    SPREAD.reduce((sum, share, offset) => {
      const at = (place + offset - 1 + places) % places;
      return sum + (share / 2) * (sums[at]! / Math.max(1, counts[at]!) - mean);
    }, 0);
  let top = 0;
  let contrast = Number.NEGATIVE_INFINITY;
  for (let place = 0; place < places; place++) {
    const value = standingOut(place);
    if (value <= contrast) continue;
    top = place;
    contrast = value;
  }
  // The top of the parabola through three places.
  const before = standingOut((top + places - 1) % places);
  const after = standingOut((top + 1) % places);
  const bend = 2 * contrast - before - after;
  const shift = bend > 0 ? (after - before) / (2 * bend) : 0;
  return {
    rate,
    phase: ((top + 0.5 + shift) / places + 1) % 1,
    contrast,
    around: (phase) => standingOut(Math.floor(phase * places)),
  };
}

/** The same beats stand out in nearly all parts. */
function isSteady(strengths: Float64Array, { rate, phase }: Beat): boolean {
  const length = Math.floor(strengths.length / PARTS);
  const agreeing = Array.from({ length: PARTS }, (_, part) =>
    fold(strengths, rate, part * length, (part + 1) * length),
  ).filter(({ around, contrast }) => around(phase) > MIN_SHARE * contrast);
  return agreeing.length >= MIN_AGREEING;
}

function round(value: number, parts: number): number {
  return Math.round(value * parts) / parts;
}
