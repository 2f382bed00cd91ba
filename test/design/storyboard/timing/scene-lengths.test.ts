/** Lengths of scenes with and without music, and what the texts of an agent can move. */
import { describe, expect, it } from 'vitest';
import {
  type SceneLengthsRequest,
  sceneLengths,
} from '../../../../src/design/storyboard/timing/scene-lengths.ts';

const SECONDS = [4.5, 3.2, 3.2, 4.5, 3.8, 5];
const lengthsOf = (change: Partial<SceneLengthsRequest> = {}, readingSec: readonly number[] = []): number[] =>
  sceneLengths({
    scenes: SECONDS.map((sec, index) => ({
      sec,
      readingSec: readingSec[index] ?? 0,
      leastReadingSec: readingSec[index] ?? 0,
      isForReading: [0, 3, 5].includes(index),
      leadFrames: 8,
    })),
    fps: 30,
    capSec: 90,
    minSceneSec: 1.5,
    beats: { bpm: 84, beatsPerBar: 4 },
    ...change,
  });

describe('the lengths of scenes', () => {
  it('are those of the pacing without music', () => {
    expect(lengthsOf({ beats: null })).toEqual(SECONDS.map((sec) => sec * 30));
  });

  it('put the middle of every transition, and the end, on a beat', () => {
    let end = 0;
    lengthsOf().forEach((length, index) => {
      end += length;
      const beats = ((end - (index < SECONDS.length - 1 ? 8 : 0)) * 84) / 1800;
      expect(Math.abs(beats - Math.round(beats))).toBeLessThan(0.03);
    });
  });

  it('leave scenes for reading nearly all their time', () => {
    const lengths = lengthsOf();
    for (const index of [0, 3, 5]) expect(lengths[index]).toBeGreaterThanOrEqual(SECONDS[index]! * 30 * 0.95);
  });

  it('give words the beats they need, and leave every other scene as it is', () => {
    const plain = lengthsOf();
    const wordy = lengthsOf({}, [0, 6, 0, 0, 6.5, 9]);
    for (const index of [0, 2, 3]) expect(wordy[index]).toBe(plain[index]);
    for (const [index, sec] of [
      [1, 6],
      [4, 6.5],
      [5, 9],
    ] as const) {
      expect(wordy[index]).toBeGreaterThanOrEqual(sec * 30);
      expect(wordy[index]).toBeLessThan(sec * 30 + 23);
    }
    // On the beat to a frame.
    let end = 0;
    wordy.forEach((length, index) => {
      end += length;
      const beats = ((end - (index < SECONDS.length - 1 ? 8 : 0)) * 84) / 1800;
      expect(Math.abs(beats - Math.round(beats)) * (1800 / 84)).toBeLessThanOrEqual(1.01);
    });
  });

  it('give words their time without music too', () => {
    expect(lengthsOf({ beats: null }, [0, 6, 0, 0, 0, 9])[5]).toBe(270);
    expect(lengthsOf({ beats: null }, [0, 6, 0, 0, 0, 9])[1]).toBe(180);
  });
});
