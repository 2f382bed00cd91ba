/** When a caption can be read, and for how long its scene lasts. */
import { expect, it } from 'vitest';
import type { Track } from '../../../../src/design/storyboard/storyboard.ts';
import { readableSec, readingSec } from '../../../../src/design/storyboard/timing/reading-time.ts';

const FPS = 30;
/** A layer that fades in within a second, from `atSec` on: it can be read half a second later. */
const fades = (atSec: number): { tracks: readonly Track[] } => {
  const startFrame = atSec * FPS;
  const times = { startFrame, endFrame: startFrame + FPS, easing: 'settle' } as const;
  return { tracks: [{ property: 'opacity', from: 0, to: 1, ...times }] };
};

it('begins with the first words where the others come faster than they are read', () => {
  const text = 'one two three four five six seven eight';
  expect(readingSec(text)).toBe(2);
  expect(readableSec([fades(0)], text, FPS)).toBe(0.5);
  expect(readableSec([fades(0), fades(0.4), fades(0.8)], text, FPS)).toBe(0.5);
  // The last words stand half of the reading time.
  expect(readableSec([fades(0), fades(2)], text, FPS)).toBe(1.5);
});
