/** Which segments make a batch. */
import { describe, expect, it } from 'vitest';
import { openBatch, sealBatch } from '../../src/video/make/batch-work.ts';
import { divideSegments, MIN_BATCH_FRAMES } from '../../src/video/make/divide-segments.ts';

const segments = (...frames: number[]) => frames.map((count, index) => ({ key: `${index}`, frames: count }));
const framesOf = (batches: string[][], all: { key: string; frames: number }[]) =>
  batches.map((keys) => keys.reduce((sum, key) => sum + all.find((one) => one.key === key)!.frames, 0));

describe('batches', () => {
  it('have at least some frames each, so that few frames are one batch', () => {
    expect(divideSegments(segments(90, 90), 8)).toEqual([['0', '1']]);
    expect(divideSegments(segments(...Array(19).fill(10)), 2)).toHaveLength(1);
    expect(divideSegments(segments(...Array(30).fill(10)), 8)).toHaveLength(3);
    expect(MIN_BATCH_FRAMES).toBe(100);
  });

  it('are as many as the workers, of about equal size, the first one larger', () => {
    const all = segments(...Array(40).fill(30));
    for (const workers of [1, 2, 3, 4]) {
      const sizes = framesOf(divideSegments(all, workers), all);
      expect(sizes).toHaveLength(workers);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(90);
      expect(sizes[0]).toBe(Math.max(...sizes));
    }
  });

  it('have every segment once, in their order', () => {
    for (const all of [
      segments(),
      segments(5000),
      segments(1, 5000, 1),
      segments(700, 1, 1, 1),
      segments(1, 1, 900),
    ]) {
      const batches = divideSegments(all, 4);
      expect(batches.flat()).toEqual(all.map(({ key }) => key));
      expect(batches.every((batch) => batch.length > 0)).toBe(true);
    }
  });
});

describe('a stored batch', () => {
  const work = {
    segments: ['a', 'b'],
    images: [{ url: 'u', kind: 'photo', code: 'corrupt', detail: 'x' }],
  } as const;

  it('is read as it was written', () => {
    const stored = JSON.parse(JSON.stringify(sealBatch(work, 'secret')));
    expect(openBatch(stored, 'secret')).toEqual(work);
  });

  it('is refused if it was edited, or belongs to another task', () => {
    const stored = sealBatch(work, 'secret') as { work: string; seal: string };
    const edited = { ...stored, work: stored.work.replace('"u"', '"/etc/passwd"') };
    for (const wrong of [edited, { ...stored, seal: '' }, { work: stored.work }, null, [], 'x', 1, {}])
      expect(() => openBatch(wrong, 'secret')).toThrow(expect.objectContaining({ code: 'store_corrupt' }));
    expect(() => openBatch(stored, 'secret of another task')).toThrow();
  });
});
