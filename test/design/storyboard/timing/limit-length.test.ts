/** Captions that take long to read, against the length a video can have. */
import { describe, expect, it } from 'vitest';
import { limitLength } from '../../../../src/design/storyboard/timing/limit-length.ts';
import { capOf } from '../../../../src/design/storyboard/timing/pacing.ts';
import { classic, RATIOS, samplePhotos, sampleStoryboard } from '../sample.ts';

const LIMITS = { capSec: 20, minSceneSec: 1.5 };
const opening = { sec: 4, readingSec: 0, leastReadingSec: 0, canShrink: false };
const plain = { sec: 3, readingSec: 0, leastReadingSec: 0, canShrink: true };
const captioned = (readingSec: number, leastReadingSec = 0) => ({
  ...{ sec: 3, readingSec, leastReadingSec, canShrink: true },
});
const sum = (lengths: readonly number[]) => lengths.reduce((total, sec) => total + sec, 0);

describe('limitLength', () => {
  it('gives captions their time where the video has it', () => {
    expect(limitLength([opening, plain, captioned(5)], LIMITS)).toEqual([4, 3, 5]);
  });

  it('takes it from photos without a caption first, alike', () => {
    const [first, second, third, ...rest] = limitLength(
      [opening, plain, plain, captioned(6), captioned(5)],
      LIMITS,
    );
    expect([first, ...rest]).toEqual([4, 6, 5]);
    expect(second).toBeCloseTo(2.5);
    expect(third).toBeCloseTo(2.5);
  });

  it('then has words read faster: captions, and those of the opening', () => {
    const long = { ...opening, readingSec: 6, leastReadingSec: 5 };
    const lengths = limitLength([long, plain, captioned(9, 6), captioned(9, 6)], LIMITS);
    expect(sum(lengths)).toBeCloseTo(20);
    expect(lengths[0]).toBeGreaterThan(5);
    expect(lengths[1]).toBeCloseTo(2.1);
    expect(Math.min(...lengths.slice(2))).toBeGreaterThan(5.9);
  });

  it('then gives captions less than they take, never less than their pace', () => {
    const lengths = limitLength([opening, plain, captioned(9), captioned(12)], LIMITS);
    expect(sum(lengths)).toBeCloseTo(20);
    expect(lengths[1]).toBeCloseTo(2.1);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(1.5);
  });

  it('never makes a photo shorter than the least scene, nor longer than it was', () => {
    const short = { sec: 1.6, readingSec: 0, leastReadingSec: 0, canShrink: true };
    expect(limitLength([short, captioned(30)], LIMITS)[0]).toBeCloseTo(1.5);
    expect(limitLength([{ ...short, sec: 1.2 }, captioned(30)], LIMITS)[0]).toBeCloseTo(1.2);
  });
});

describe.each(RATIOS)('a video of long captions in %s', (ratio) => {
  const words =
    'The kitchen, with a marble island, a window seat over the garden, and light the whole day long';
  const captioned = (text: string) =>
    Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`caption_${String(index + 1).padStart(2, '0')}`, text]),
    );

  it.each([14, 36, 60, 100])('stays within the cap, %d photos', (count) => {
    for (const pace of ['0.8', '1']) {
      const board = sampleStoryboard({
        ratio,
        photos: samplePhotos(count),
        data: { ...captioned(words), pace },
      });
      const frames = board.scenes.reduce((total, scene) => total + scene.durationFrames, 0);
      expect(frames).toBeLessThanOrEqual(capOf(classic.ratios[ratio].pacing, count) * board.fps);
    }
  });

  it('says which captions have no room, and gives no time to words that are not shown', () => {
    const board = (text: string) =>
      sampleStoryboard({ ratio, photos: samplePhotos(14), data: captioned(text) });
    // Without commas there is no first phrase to show.
    const whole = words.replaceAll(',', '');
    const long = board(Array(12).fill(whole).join(' and '));
    expect(long.warnings.join()).toMatch(/a text is too long and ends in an ellipsis: The kitchen .*…/);
    expect(board(Array(24).fill(whole).join(' and ')).scenes.length).toBeLessThanOrEqual(long.scenes.length);
    // A scene has at most two.
    for (const scene of long.scenes) expect(scene.durationFrames).toBeLessThan(12 * long.fps);
    // Photos of the opening are repeated with their captions.
    expect(board('The kitchen').warnings).toEqual([]);
  });
});
