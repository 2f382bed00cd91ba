/** A graded photo keeps its black, its white and its clipped highlights, and nothing in it moves far. */
import { describe, expect, it } from 'vitest';
import type { PhotoGrade } from '../../../src/design/storyboard/storyboard.ts';
import { loadKernel } from '../../../src/media/render/kernel/load-kernel.ts';
import { gradePlanes } from '../../../src/media/render/photos/grade-planes.ts';
import { PhotoPlaneStore } from '../../../src/media/render/photos/photo-planes.ts';
import { planPhotoPlanes } from '../../../src/media/render/photos/plan-photo-planes.ts';
import { paintI420, scene, stillCamera, storyboard, Workbench } from './synthetic.ts';

const LIFT: PhotoGrade = { stops: 0.6 };

/** One value of Y, U and V everywhere, graded. */
function graded(grade: PhotoGrade, y: number, u = 128, v = 128): number[] {
  const yuv = new Uint8Array(paintI420({ digest: 'x', w: 4, h: 4, y: () => y, u: () => u, v: () => v }));
  gradePlanes(yuv, 4, 4, grade);
  return [yuv[5]!, yuv[17]!, yuv[21]!];
}

describe('a graded photo', () => {
  it.each([
    ['black', 16],
    ['white', 235],
    ['blacker than black', 4],
    ['whiter than white', 250],
  ])('keeps %s', (_, y) => {
    expect(graded(LIFT, y)).toEqual([y, 128, 128]);
  });

  it('has lighter middle tones after the greatest lift, in order and without a jump', () => {
    const lifted = Array.from({ length: 220 }, (_, i) => graded(LIFT, 16 + i)[0]!);
    const change = lifted.map((y, i) => y - 16 - i);
    expect(Math.min(...change)).toBe(0);
    // Middle grey, whose code is 1/2: 2^(0.6 / 2.2) times as much.
    expect(Math.abs(lifted[109]! - (16 + 219 * 0.5 * 2 ** (0.6 / 2.2)))).toBeLessThanOrEqual(1);
    expect(Math.max(...change)).toBeLessThanOrEqual(26);
    const steps = lifted.slice(1).map((y, i) => y - lifted[i]!);
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...steps.slice(8))).toBeLessThanOrEqual(2);
  });

  it('keeps its saturation when it is lifted', () => {
    const [y, u, v] = graded(LIFT, 120, 108, 158) as [number, number, number];
    const ratio = (y - 16) / (120 - 16);
    expect(Math.abs(u - 128 + 20 * ratio)).toBeLessThanOrEqual(1);
    expect(Math.abs(v - 128 - 30 * ratio)).toBeLessThanOrEqual(1);
  });

  it('gets no other color, and none in what is gray', () => {
    for (let y = 0; y < 256; y++) expect(graded(LIFT, y).slice(1)).toEqual([128, 128]);
    for (const y of [40, 120, 200]) {
      const [, u, v] = graded(LIFT, y, 98, 158) as [number, number, number];
      expect(Math.abs(u - 128 + v - 128)).toBeLessThanOrEqual(1);
    }
  });

  it('is loaded apart from the same photo without grade', async () => {
    const bench = await Workbench.open();
    try {
      await bench.addPhoto({ digest: 'grey', w: 64, h: 32, y: () => 126 });
      const layer = (grade?: PhotoGrade) =>
        ({
          type: 'photo',
          id: 'photo',
          box: { x: 0, y: 0, w: 64, h: 32 },
          digest: 'grey',
          camera: stillCamera(),
          ...(grade ? { grade } : {}),
        }) as const;
      const kernel = await loadKernel();
      const store = new PhotoPlaneStore(kernel);
      const lumaOf = async (grade?: PhotoGrade) => {
        const uses = planPhotoPlanes(storyboard([scene([layer(grade)])], 64, 32), bench.photos, 0);
        await store.load(uses, bench.photos);
        return kernel.memory.bytes[store.planesOf(uses[0]!).planes[0].address];
      };
      expect([await lumaOf(), await lumaOf(LIFT), await lumaOf()]).toEqual([126, 149, 126]);
    } finally {
      await bench.close();
    }
  });
});
