/** When a caption can be read, and for how long its scene lasts. */
import { describe, expect, it } from 'vitest';
import type { Track } from '../../../../src/design/storyboard/storyboard.ts';
import { readableSec, readingSec } from '../../../../src/design/storyboard/timing/reading-time.ts';
import { withWordTime } from '../../../../src/design/storyboard/timing/word-time.ts';
import type { RatioDesign } from '../../../../src/design/template/template.ts';
import { classic } from '../sample.ts';

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

describe('an opening', () => {
  const phone: RatioDesign = classic.ratios['1080:1920'];
  // Of which the hook says status and street alone.
  const hook = phone.scenes.hook.map((variant) => ({
    ...variant,
    elements: variant.elements.map((element) =>
      element.type === 'stack'
        ? {
            ...element,
            items: element.items.filter((item) => !('id' in item) || !/headline|city/.test(item.id)),
          }
        : element,
    ),
  }));
  const design: RatioDesign = { ...phone, scenes: { ...phone.scenes, hook } };
  const secOf = (texts: Record<string, string>, of = design) => withWordTime(of, texts, []).pacing.heroSec;
  const sentence = (words: number) => Array(words).fill('word').join(' ');

  it('lasts as the template says where its words are few', () => {
    expect(secOf({ street: '1 Main Street', city: 'Portland, OR' })).toBe(design.pacing.heroSec);
  });

  it('lasts a quarter of a second for each word, at most 3.5 s or as long as its longest line takes', () => {
    expect(secOf({ headline: sentence(8), city: sentence(4) })).toBeCloseTo(4, 5);
    expect(secOf({ headline: sentence(12), city: sentence(9), open_house_line: sentence(7) })).toBeCloseTo(
      4.5,
      5,
    );
    expect(secOf({ headline: sentence(20) })).toBeCloseTo(6, 5);
  });

  it('is not longer for words that the hook has just said', () => {
    expect(secOf({ headline: sentence(8), status: sentence(2), street: sentence(6) })).toBeCloseTo(3, 5);
    expect(secOf({ headline: sentence(8), city: sentence(4) }, phone)).toBeCloseTo(3, 5);
  });

  it('leaves the time of the open house to facts that say it', () => {
    const texts = { city: sentence(3), open_house_line: sentence(9) };
    const { heroSec, factsSec, factsAgainSec } = withWordTime(design, texts, [], true).pacing;
    expect(heroSec).toBe(design.pacing.heroSec);
    expect([factsSec, factsAgainSec]).toEqual([3.25, 3.25]);
  });

  it('is the same object for the same time, by which plans are kept', () => {
    const texts = { headline: sentence(12) };
    expect(withWordTime(design, texts, [])).toBe(withWordTime(design, { ...texts }, []));
  });
});
