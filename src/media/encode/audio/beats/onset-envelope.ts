/** How much begins at each moment of a piece of music: spectral flux. Pure. */

/** Moments in a second. */
export const ENVELOPE_RATE_HZ = 100;
/** Samples of a spectrum: 43 ms at half of 48 kHz, which resolves a bass drum. */
const WINDOW = 1024;
/** Bands have equal widths on a scale of tones, from a bass drum to a hi-hat. */
const BANDS = 40;
const LOWEST_HZ = 30;
const HIGHEST_HZ = 10_000;
/** Bass and drum begin more beats than chords do, so they count as much as all bands together. */
const BASS_HZ = 160;
/** A rise is the difference to this many moments before: attacks of strings take longer than one. */
const LAG = 2;
/** Logarithms above this share of the music's mean: soft onsets count, noise in rests does not. */
const FLOOR_SHARE = 0.02;
/** Mean level of a band below which nothing is heard: that of the noise of 16 bits. */
const SILENCE = 1e-3;
/** A moment is compared with this many on each side: half a second. */
const AROUND = 50;
/** From the moment of an onset to the sample where its window begins, in windows; measured with clicks. */
const ONSET_IN_WINDOW = 0.64;

export interface OnsetEnvelope {
  /** Per moment: how much more begins than around it; mean square 1. */
  readonly strengths: Float64Array;
  /** Of the first moment. */
  readonly startSec: number;
}

/**
 * @param music - Mono.
 * @param rateHz - Of its samples; a multiple of {@link ENVELOPE_RATE_HZ}.
 * @returns Null for silence.
 */
export function onsetEnvelope(music: Float32Array, rateHz: number): OnsetEnvelope | null {
  const hop = rateHz / ENVELOPE_RATE_HZ;
  const moments = Math.max(0, Math.floor((music.length - WINDOW) / hop) + 1);
  const edges = bandEdges(rateHz);
  const bassBands = edges.findIndex((bin) => bin * (rateHz / WINDOW) > BASS_HZ);
  const levels = new Float64Array(moments * BANDS);
  const transform = createTransform();
  let total = 0;
  for (let moment = 0; moment < moments; moment++) {
    const powers = transform(music, moment * hop);
    for (let band = 0; band < BANDS; band++) {
      let sum = 0;
      for (let bin = edges[band]!; bin < edges[band + 1]!; bin++) sum += powers[bin]!;
      const level = Math.sqrt(sum);
      levels[moment * BANDS + band] = level;
      total += level;
    }
  }
  if (!(total / levels.length > SILENCE)) return null;
  const floor = FLOOR_SHARE * (total / levels.length);
  const logs = levels.map((level) => Math.log(level + floor));
  const flux = (from: number, to: number) =>
    Float64Array.from({ length: moments - LAG }, (_, moment) => {
      let rise = 0;
      for (let band = from; band < to; band++) {
        const now = (moment + LAG) * BANDS + band;
        rise += Math.max(0, logs[now]! - logs[now - LAG * BANDS]!);
      }
      return rise;
    });
  const all = standOut(flux(0, BANDS));
  const bass = standOut(flux(0, bassBands));
  const strengths = toUnit(all.map((strength, moment) => strength + bass[moment]!));
  return { strengths, startSec: (LAG * hop + WINDOW * ONSET_IN_WINDOW) / rateHz };
}

/** What exceeds the mean around each moment, with mean square 1. */
function standOut(values: Float64Array): Float64Array {
  const sums = new Float64Array(values.length + 1);
  for (const [index, value] of values.entries()) sums[index + 1] = sums[index]! + value;
  return toUnit(
    values.map((value, index) => {
      const from = Math.max(0, index - AROUND);
      const to = Math.min(values.length, index + AROUND + 1);
      return Math.max(0, value - (sums[to]! - sums[from]!) / (to - from));
    }),
  );
}

function toUnit(values: Float64Array): Float64Array {
  const scale = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length) || 1;
  return values.map((value) => value / scale);
}

/** Bins between the bands, ascending; each band has at least one bin. */
function bandEdges(rateHz: number): number[] {
  const edges: number[] = [];
  for (let band = 0; band <= BANDS; band++) {
    const hz = LOWEST_HZ * (HIGHEST_HZ / LOWEST_HZ) ** (band / BANDS);
    edges.push(Math.max(Math.round((hz * WINDOW) / rateHz), (edges.at(-1) ?? 0) + 1));
  }
  return edges;
}

/** A transform of {@link WINDOW} samples from `start`, windowed by Hann, to powers; the result is overwritten. */
function createTransform(): (music: Float32Array, start: number) => Float64Array {
  const window = Float64Array.from(
    { length: WINDOW },
    (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / WINDOW),
  );
  const cos = window.map((_, i) => Math.cos((2 * Math.PI * i) / WINDOW));
  const sin = window.map((_, i) => -Math.sin((2 * Math.PI * i) / WINDOW));
  const bits = Math.log2(WINDOW);
  const reversed = Uint16Array.from({ length: WINDOW }, (_, i) => {
    let place = 0;
    for (let bit = 0; bit < bits; bit++) place |= ((i >> bit) & 1) << (bits - 1 - bit);
    return place;
  });
  const real = new Float64Array(WINDOW);
  const imaginary = new Float64Array(WINDOW);
  const powers = new Float64Array(WINDOW / 2);
  return (music, start) => {
    for (let i = 0; i < WINDOW; i++) real[reversed[i]!] = music[start + i]! * window[i]!;
    imaginary.fill(0);
    // Cooley and Tukey, radix 2.
    for (let half = 1; half < WINDOW; half *= 2) {
      const step = WINDOW / (2 * half);
      for (let base = 0; base < WINDOW; base += 2 * half) {
        for (let k = 0; k < half; k++) {
          const a = base + k;
          const b = a + half;
          const c = cos[k * step]!;
          const s = sin[k * step]!;
          const re = real[b]! * c - imaginary[b]! * s;
          const im = real[b]! * s + imaginary[b]! * c;
          real[b] = real[a]! - re;
          imaginary[b] = imaginary[a]! - im;
          real[a] = real[a]! + re;
          imaginary[a] = imaginary[a]! + im;
        }
      }
    }
    for (let bin = 0; bin < powers.length; bin++) powers[bin] = real[bin]! ** 2 + imaginary[bin]! ** 2;
    return powers;
  };
}
