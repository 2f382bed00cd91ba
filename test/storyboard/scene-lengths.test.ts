/** Lengths of scenes with and without music, and what an agent's words may move. */
import { describe, expect, it } from 'vitest';
import { type SceneLengthsRequest, sceneLengths } from '../../src/storyboard/scene-lengths.ts';

const SECONDS = [4.5, 3.2, 3.2, 4.5, 3.8, 5];
const film = (change: Partial<SceneLengthsRequest> = {}, lastReadingSec = 0): number[] =>
  sceneLengths({
    scenes: SECONDS.map((sec, index) => ({
      sec,
      readingSec: index === SECONDS.length - 1 ? lastReadingSec : 0,
      isForReading: [0, 3, 5].includes(index),
    })),
    fps: 30,
    capSec: 90,
    minSceneSec: 1.5,
    beats: { bpm: 84, beatsPerBar: 4 },
    transitionFrames: (lengths) => lengths.map((_, index) => (index < lengths.length - 1 ? 16 : 0)),
    ...change,
  });

describe('the lengths of scenes', () => {
  it('are those of the pacing without music', () => {
    expect(film({ beats: null })).toEqual(SECONDS.map((sec) => sec * 30));
  });

  it('put the middle of every transition, and the end, on a beat', () => {
    let end = 0;
    film().forEach((length, index) => {
      end += length;
      const beats = ((end - (index < SECONDS.length - 1 ? 8 : 0)) * 84) / 1800;
      expect(Math.abs(beats - Math.round(beats))).toBeLessThan(0.03);
    });
  });

  it('leave scenes for reading nearly all their time', () => {
    const lengths = film();
    for (const index of [0, 3, 5]) expect(lengths[index]).toBeGreaterThanOrEqual(SECONDS[index]! * 30 * 0.95);
  });

  it('give the last scene the time its words need, and move nothing before it', () => {
    const [plain, wordy] = [film(), film({}, 9)];
    expect(wordy.slice(0, -1)).toEqual(plain.slice(0, -1));
    expect(wordy.at(-1)).toBe(270);
  });
});
