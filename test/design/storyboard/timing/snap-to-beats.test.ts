/** Scene changes on beats: how far lengths give way, and what they never give up. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  MAX_GROWTH,
  SCENE_TOLERANCE,
  type SceneTarget,
  snapToBeats,
} from '../../../../src/design/storyboard/timing/snap-to-beats.ts';

const FPS = 30;
const wish = (sec: number, leastSec = 0, leadSec = 0.25): SceneTarget => ({
  frames: Math.round(sec * FPS),
  minFrames: Math.round(leastSec * FPS),
  leadFrames: Math.round(leadSec * FPS),
});

/** Beats from the start of the music to each felt change, and to the end. */
function beatsOf(scenes: readonly SceneTarget[], lengths: readonly number[], bpm: number): number[] {
  let end = 0;
  return lengths.map((length, index) => {
    end += length;
    const lead = index === lengths.length - 1 ? 0 : scenes[index]!.leadFrames;
    return ((end - lead) * bpm) / (60 * FPS);
  });
}

/** Half a frame, in beats. */
const near = (beats: number, bpm: number) => Math.abs(beats - Math.round(beats)) <= (0.51 * bpm) / (60 * FPS);

// Hero, body, card as the built-in templates pace 14 photos.
const VIDEOS = [
  ['classic', 84, [4.5, 3.2, 3.2, 3.8, 3.2, 4.5, 3.6, 3.2, 3.2, 3.8, 5]],
  ['modern', 110, [4, 2.8, 2.8, 3.3, 2.8, 4, 3.2, 2.8, 2.8, 3.3, 5]],
  ['luxury', 66, [5, 4, 4, 4.8, 4, 5, 4.5, 4, 4, 4.8, 5]],
  ['social', 124, [2.4, 1.5, 1.8, 2.1, 1.5, 3.2, 1.8, 2.1, 1.5, 1.8, 4.2]],
  ['unbranded', 72, [4.5, 3.2, 3.2, 3.8, 3.2, 4.5, 3.6, 3.2, 3.2, 3.8, 5]],
] as const;

describe('scene changes', () => {
  it.each(VIDEOS)('of %s at %i BPM all fall on beats, the close too', (_name, bpm, seconds) => {
    const scenes = seconds.map((sec) => wish(sec));
    const lengths = snapToBeats(scenes, { bpm, beatsPerBar: 4 }, { fps: FPS, capFrames: 90 * FPS });
    const beats = beatsOf(scenes, lengths, bpm);
    expect(beats.filter((beat) => !near(beat, bpm))).toEqual([]);
    lengths.slice(0, -1).forEach((length, index) => {
      const share = Math.abs(length / scenes[index]!.frames - 1);
      expect(share).toBeLessThanOrEqual(SCENE_TOLERANCE);
    });
  });

  it('end where others of the same sum end, so that a photo more never makes a video shorter', () => {
    for (const bpm of [62, 70, 84, 110, 124]) {
      const ends = [
        [3.4, 2.4, 2.4, 2.4, 2.4, 3, 2.4, 2.4, 2.4, 4.2],
        [3.4, 2.7, 2.7, 3, 2.7, 2.4, 2.4, 3.9, 4.2],
      ].map((seconds) => {
        const scenes = seconds.map((sec) => wish(sec, 2.28));
        const limits = { fps: FPS, capFrames: 28 * FPS };
        return snapToBeats(scenes, { bpm, beatsPerBar: 4 }, limits).reduce((sum, frames) => sum + frames, 0);
      });
      expect(ends[1], `${bpm} BPM`).toBe(ends[0]);
    }
  });

  it('fall on the beats of music whose first beat is later than the video’s start', () => {
    const scenes = [4.5, 3.2, 3.2, 3.8, 3.2, 4.5, 5].map((sec) => wish(sec));
    const [bpm, firstBeatSec] = [118, 0.3];
    const grid = { bpm, beatsPerBar: 1, firstBeatSec };
    const lengths = snapToBeats(scenes, grid, { fps: FPS, capFrames: 90 * FPS });
    const beats = beatsOf(scenes, lengths, bpm).map((beat) => beat - (firstBeatSec * bpm) / 60);
    expect(beats.filter((beat) => !near(beat, bpm))).toEqual([]);
  });

  it('stay at their targets when these are on beats already', () => {
    const scenes = [2, 2, 4, 2, 4].map((sec) => wish(sec, 0, 0));
    const lengths = snapToBeats(scenes, { bpm: 120, beatsPerBar: 4 }, { fps: FPS, capFrames: 9999 });
    expect(lengths).toEqual(scenes.map(({ frames }) => frames));
  });

  it('leave a scene with no beat in reach at its target, and find the beat again', () => {
    // At 30 BPM a beat lasts two seconds: half a second is in reach of none but a lucky one.
    const scenes = [wish(2, 0, 0), wish(0.5, 0, 0), wish(5.4, 0, 0), wish(4, 0, 0), wish(4, 0, 0)];
    const lengths = snapToBeats(scenes, { bpm: 30, beatsPerBar: 4 }, { fps: FPS, capFrames: 9999 });
    expect(lengths[1]).toBe(15);
    const onBeat = beatsOf(scenes, lengths, 30).map((beat) => near(beat, 30));
    expect(onBeat).toEqual([true, false, true, true, true]);
  });

  it('prefer bar lines', () => {
    const scenes = [wish(2.1, 0, 0), wish(2.1, 0, 0), wish(2, 0, 0)];
    const lengths = snapToBeats(scenes, { bpm: 120, beatsPerBar: 4 }, { fps: FPS, capFrames: 9999 });
    expect(lengths).toEqual([60, 60, 60]);
  });

  it('never cut reading short, leave the tolerance, end a beat off, nor lengthen a video past its cap', () => {
    const scene = fc.record({
      frames: fc.integer({ min: 30, max: 200 }),
      minFrames: fc.integer({ min: 0, max: 220 }),
      leadFrames: fc.integer({ min: 0, max: 12 }),
    });
    const grid = fc.record({
      bpm: fc.integer({ min: 40, max: 180 }),
      beatsPerBar: fc.constantFrom(3, 4, 6),
    });
    const video = fc.array(scene, { minLength: 1, maxLength: 25 });
    fc.assert(
      fc.property(video, grid, fc.integer({ min: 0, max: 5400 }), (scenes, beats, capFrames) => {
        const lengths = snapToBeats(scenes, beats, { fps: FPS, capFrames });
        expect(lengths).toHaveLength(scenes.length);
        const targets = scenes.map(({ frames, minFrames }) => Math.max(frames, minFrames));
        lengths.forEach((length, index) => {
          expect(length).toBeGreaterThanOrEqual(scenes[index]!.minFrames);
          expect(length).toBeGreaterThanOrEqual(targets[index]! * (1 - SCENE_TOLERANCE));
          expect(length).toBeLessThanOrEqual(targets[index]! * (1 + MAX_GROWTH));
          expect(Number.isInteger(length)).toBe(true);
        });
        const [total, targetSum] = [lengths, targets].map((list) =>
          list.reduce((sum, frames) => sum + frames, 0),
        );
        expect(Math.abs(total! - targetSum!)).toBeLessThanOrEqual((60 * FPS) / beats.bpm);
        expect(total).toBeLessThanOrEqual(Math.max(capFrames, targetSum!));
      }),
      { numRuns: 200 },
    );
  });

  it('of no scenes are none', () => {
    expect(snapToBeats([], { bpm: 84, beatsPerBar: 4 }, { fps: FPS, capFrames: 100 })).toEqual([]);
  });
});
