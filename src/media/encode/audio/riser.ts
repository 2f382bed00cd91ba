/** A riser: filtered noise that rises in pitch and level, and ends on a cut. Pure: each one is the same. */
import { SOUND_RATE_HZ } from './soundtrack.ts';

/** From its first sample to the cut. */
export const RISER_SAMPLES = 2 * SOUND_RATE_HZ;
/** After the cut, so that it does not break off. */
const TAIL_SAMPLES = 0.25 * SOUND_RATE_HZ;
/** Time in which the tail falls to a third. */
const TAIL_DECAY_SEC = 0.05;
const LOW_HZ = 700;
const HIGH_HZ = 9000;
/** Broad, so that no pitch is heard that could be out of key. */
const DAMPING = 1.2;
/** A slow start, and most of the rise in the last half second. */
const GROWTH = 3;
/** Root mean square of the filter's output for uniform noise, measured in the last tenth of a second. */
const FILTERED_RMS = 0.4;

/** @param levelDb - Of the last moment before the cut, dBFS (RMS). @returns Stereo, interleaved. */
export function makeRiser(levelDb: number): Float32Array {
  const samples = new Float32Array(2 * (RISER_SAMPLES + TAIL_SAMPLES));
  const peak = 10 ** (levelDb / 20) / FILTERED_RMS;
  const channels = [0, 1].map((channel) => ({ seed: 0x9e3779b9 + channel, low: 0, band: 0 }));
  for (let at = 0; at < samples.length; at += 2) {
    const share = Math.min(1, (at >> 1) / RISER_SAMPLES);
    const tune = 2 * Math.sin((Math.PI * LOW_HZ * (HIGH_HZ / LOW_HZ) ** share) / SOUND_RATE_HZ);
    const afterSec = Math.max(0, (at >> 1) - RISER_SAMPLES) / SOUND_RATE_HZ;
    const level = peak * share ** GROWTH * (afterSec === 0 ? 1 : Math.exp(-afterSec / TAIL_DECAY_SEC));
    for (let n = 0; n < 2; n++) {
      const channel = channels[n]!;
      // Numerical Recipes' generator: noise needs no better one.
      channel.seed = (Math.imul(channel.seed, 1_664_525) + 1_013_904_223) >>> 0;
      const noise = channel.seed / 2 ** 31 - 1;
      // A state variable filter (Chamberlin), whose band output is used.
      channel.low += tune * channel.band;
      channel.band += tune * (noise - channel.low - DAMPING * channel.band);
      samples[at + n] = channel.band * level;
    }
  }
  return samples;
}
