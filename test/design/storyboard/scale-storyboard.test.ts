/** A draft shows what the whole video shows, at half the size and half the frame rate. */
import { describe, expect, it } from 'vitest';
import { toQuality } from '../../../src/design/storyboard/scale-storyboard.ts';
import type { Storyboard } from '../../../src/design/storyboard/storyboard.ts';
import { RATIOS, sampleStoryboard, templates } from './sample.ts';

/** Names of lengths (px) and of times (frames) in a storyboard. Pixel tracks name theirs `from` and `to`. */
const LENGTH = /^[xywh]$|Px$/;
const TIME = /Frames?$/;

/** Every number of a storyboard by its path, the layers' ids in it. */
function numbersOf(value: unknown, path = ''): Map<string, number> {
  const found = new Map<string, number>();
  if (typeof value === 'number') return found.set(path, value);
  if (typeof value !== 'object' || value === null) return found;
  const isPixelTrack = 'property' in value && /^d[xy]$/.test(String(value.property));
  for (const [name, field] of Object.entries(value)) {
    const unit = isPixelTrack && /^(from|to)$/.test(name) ? 'Px' : '';
    for (const [inner, number] of numbersOf(field, `${path}/${name}${unit}`)) found.set(inner, number);
  }
  return found;
}

const boards = templates.flatMap((template) =>
  RATIOS.map((ratio): [string, Storyboard] => [
    `${template.id} ${ratio}`,
    sampleStoryboard({ template, ratio }),
  ]),
);

describe.each(boards)('a draft of %s', (_, whole) => {
  const draft = toQuality(whole, 'draft');

  it('halves every length and every time, and leaves everything else', () => {
    const halved = numbersOf(draft);
    const differences = [...numbersOf(whole)].filter(([path, number]) => {
      const name = path.split('/').at(-1)!;
      const isTime = TIME.test(name);
      const factor = name === 'fps' || isTime || LENGTH.test(name) ? 0.5 : 1;
      // Scenes and transitions last whole frames.
      const tolerance = isTime && (path.includes('transition') || name === 'durationFrames') ? 0.51 : 1e-9;
      return !(Math.abs(halved.get(path)! - number * factor) <= tolerance);
    });
    expect(differences).toEqual([]);
    expect(JSON.stringify(draft).replace(/-?[\d.]+(e-?\d+)?/g, '')).toBe(
      JSON.stringify(whole).replace(/-?[\d.]+(e-?\d+)?/g, ''),
    );
  });

  it('stays as it is in other qualities', () => {
    expect([toQuality(whole, 'standard'), toQuality(whole, 'high')]).toEqual([whole, whole]);
  });

  it('starts every scene in the frame nearest to its time', () => {
    let [wholeFrame, draftFrame] = [0, 0];
    for (const [index, scene] of draft.scenes.entries()) {
      expect(Number.isInteger(scene.durationFrames)).toBe(true);
      expect(Number.isInteger(scene.transition.durationFrames)).toBe(true);
      expect(scene.transition.durationFrames).toBeLessThan(scene.durationFrames);
      wholeFrame += whole.scenes[index]!.durationFrames;
      draftFrame += scene.durationFrames;
      expect(Math.abs(draftFrame - wholeFrame / 2)).toBeLessThanOrEqual(0.5);
    }
  });
});
