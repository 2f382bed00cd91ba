import { describe, expect, it } from 'vitest';
import type { Track } from '../../../src/design/storyboard/storyboard.ts';
import { trackValue } from '../../../src/design/timeline/track-value.ts';

const opacity = (from: number, to: number, startFrame: number, endFrame: number): Track => ({
  property: 'opacity',
  from,
  to,
  startFrame,
  endFrame,
  easing: 'linear',
});

describe('trackValue', () => {
  it('holds before and after, and is at rest without a track of that name', () => {
    const tracks = [opacity(0.2, 0.8, 10, 20)];
    expect([-5, 10, 15, 20, 99].map((frame) => trackValue(tracks, 'opacity', frame, 1))).toEqual([
      0.2, 0.2, 0.5, 0.8, 0.8,
    ]);
    expect(trackValue(tracks, 'dx', 15, 7)).toBe(7);
    expect(trackValue(undefined, 'opacity', 15, 1)).toBe(1);
  });

  it('lets the last track that has started rule, in whatever order they stand', () => {
    const [appear, leave] = [opacity(0, 1, 10, 20), opacity(1, 0, 40, 50)];
    for (const tracks of [
      [appear, leave],
      [leave, appear],
    ]) {
      const values = [0, 15, 30, 40, 45, 60].map((frame) => trackValue(tracks, 'opacity', frame, 1));
      expect(values).toEqual([0, 0.5, 1, 1, 0.5, 0]);
    }
  });

  it('jumps where a track has no length', () => {
    const tracks = [opacity(0, 1, 10, 10)];
    expect([9, 10].map((frame) => trackValue(tracks, 'opacity', frame, 1))).toEqual([0, 1]);
  });
});
