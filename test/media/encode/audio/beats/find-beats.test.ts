/** Tempo and beats that are heard in music, and sounds in which there are none. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { findBeats } from '../../../../../src/media/encode/audio/beats/find-beats.ts';
import {
  BUILT_IN_SOUNDTRACKS_DIR,
  loadSoundtrack,
} from '../../../../../src/media/encode/audio/load-soundtrack.ts';
import { availableFfmpegs } from '../../workbench.ts';

const RATE = 24_000;
const FIRST_BEAT_SEC = 0.237;
const SECONDS = 30;

type Sound = (sample: number) => number;

/** Noise that is the same in every run. */
function createNoise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1;
  };
}

/** Adds `sound` at each of `beats`. */
function play(music: Float32Array, bpm: number, beats: (beat: number) => number | null, sound: Sound): void {
  for (let half = 0; ; half++) {
    const start = Math.round((FIRST_BEAT_SEC + half * (30 / bpm)) * RATE);
    if (start >= music.length) return;
    const gain = beats(half / 2);
    for (let sample = 0; gain !== null && sample < RATE / 4 && start + sample < music.length; sample++)
      music[start + sample] = music[start + sample]! + gain * sound(sample);
  }
}

function clicks(bpm: number): Float32Array {
  const music = new Float32Array(SECONDS * RATE);
  const click: Sound = (sample) => Math.exp(-sample / 120) * Math.sin((2 * Math.PI * 1500 * sample) / RATE);
  play(music, bpm, (beat) => (Number.isInteger(beat) ? 0.6 : null), click);
  return music;
}

/** Bass drum on one and three, snare on two and four, hi-hat on eighths, a held tone. */
function drums(bpm: number): Float32Array {
  const noise = createNoise(7);
  const music = Float32Array.from(
    { length: SECONDS * RATE },
    (_, sample) => 0.03 * Math.sin((2 * Math.PI * 220 * sample) / RATE),
  );
  play(
    music,
    bpm,
    () => 0.12,
    (sample) => noise() * Math.exp(-sample / 300),
  );
  const isOn = (beat: number, first: number) => (beat % 2 === first ? 0.7 : null);
  const drum: Sound = (sample) => Math.exp(-sample / 2500) * Math.sin((2 * Math.PI * 55 * sample) / RATE);
  play(music, bpm, (beat) => isOn(beat, 0), drum);
  play(
    music,
    bpm,
    (beat) => isOn(beat, 1),
    (sample) => 0.6 * noise() * Math.exp(-sample / 1500),
  );
  return music;
}

/** Noise in syllables of uneven lengths and levels, with pauses. */
function speech(seed: number): Float32Array {
  const noise = createNoise(seed);
  let [level, target, next, tone] = [0, 0, 0, 0];
  return Float32Array.from({ length: SECONDS * RATE }, (_, sample) => {
    if (sample >= next) {
      target = noise() > -0.3 ? Math.abs(noise()) : 0;
      next = sample + RATE * (0.08 + 0.15 * Math.abs(noise()));
    }
    level += (target - level) * 0.002;
    tone += 0.3 * (noise() - tone);
    return tone * level;
  });
}

const TEMPOS = [70, 97, 141.7, 170];

describe('the beats of music', () => {
  it.each(TEMPOS)('are those of clicks at %f beats a minute', (bpm) => {
    const found = findBeats(clicks(bpm), RATE)!;
    expect(Math.abs(found.bpm / bpm - 1)).toBeLessThan(0.01);
    expect(offBeatSec(found.firstBeatSec, found.bpm)).toBeLessThan(0.03);
  });

  it.each(TEMPOS)('are those of drums at %f beats a minute, or twice as many', (bpm) => {
    const found = findBeats(drums(bpm), RATE)!;
    expect([1, 2].some((times) => Math.abs(found.bpm / bpm / times - 1) < 0.01)).toBe(true);
    expect(offBeatSec(found.firstBeatSec, found.bpm)).toBeLessThan(0.03);
  });

  it('are the same at any loudness', () => {
    const loud = findBeats(drums(97), RATE)!;
    const quiet = findBeats(
      drums(97).map((value) => value / 50),
      RATE,
    )!;
    expect(quiet.bpm).toBeCloseTo(loud.bpm, 1);
  });

  it.each([1, 2, 3])('are not found in noise like speech (%i)', (seed) => {
    expect(findBeats(speech(seed), RATE)).toBeNull();
  });

  it('are not found in steady noise, a tone, silence and a few seconds', () => {
    const noise = createNoise(3);
    const steady = new Float32Array(SECONDS * RATE);
    expect(
      findBeats(
        steady.map(() => 0.3 * noise()),
        RATE,
      ),
    ).toBeNull();
    expect(
      findBeats(
        steady.map((_, at) => 0.3 * Math.sin(at / 9)),
        RATE,
      ),
    ).toBeNull();
    expect(findBeats(steady, RATE)).toBeNull();
    expect(findBeats(clicks(120).subarray(0, 5 * RATE), RATE)).toBeNull();
    expect(findBeats(new Float32Array(0), RATE)).toBeNull();
  });

  it('are not found where the tempo changes from start to end', () => {
    const music = new Float32Array(SECONDS * RATE);
    for (let sec = 0, beat = 0; sec < SECONDS - 1; sec += 0.8 - 0.009 * beat, beat++)
      for (let sample = 0; sample < 600; sample++)
        music[Math.round(sec * RATE) + sample] = 0.5 * Math.sin(sample) * Math.exp(-sample / 120);
    expect(findBeats(music, RATE)).toBeNull();
  });
});

/** One of each mood: decoding all of them takes long. */
const NAMES = readdirSync(BUILT_IN_SOUNDTRACKS_DIR).flatMap((file) =>
  file.endsWith('-2.json') ? [file.slice(0, -'.json'.length)] : [],
);

describe('the tempo of a built-in soundtrack', () => {
  it.each(NAMES)('is found in %s, or twice as many', async (name) => {
    const { soundtrack, bodyPath } = (await loadSoundtrack(name))!;
    const found = findBeats(await decode(bodyPath), RATE)!;
    const times = found.bpm / soundtrack.bpm;
    expect(Math.min(Math.abs(times - 1), Math.abs(times / 2 - 1))).toBeLessThan(0.01);
  });
});

/** Distance of the found beats from the true ones, where each true one is a beat. */
function offBeatSec(foundSec: number, bpm: number): number {
  const beatSec = 60 / bpm;
  const apart = Math.abs(foundSec - FIRST_BEAT_SEC) % beatSec;
  return Math.min(apart, beatSec - apart);
}

async function decode(path: string): Promise<Float32Array> {
  const ffmpeg = (await availableFfmpegs())[0]!.path;
  const args = ['-v', 'error', '-i', path, '-t', '60', '-f', 'f32le', '-ac', '1', '-ar', `${RATE}`, '-'];
  const { stdout } = await promisify(execFile)(ffmpeg, args, { encoding: 'buffer', maxBuffer: 2 ** 26 });
  return new Float32Array(new Uint8Array(stdout).buffer);
}
