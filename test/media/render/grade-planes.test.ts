/** A graded photo keeps its black, its white and its clipped highlights, and nothing in it moves far. */
import { describe, expect, it } from 'vitest';
import type { PhotoGrade } from '../../../src/design/storyboard/storyboard.ts';
import { loadKernel } from '../../../src/media/render/kernel/load-kernel.ts';
import { gradePlanes } from '../../../src/media/render/photos/grade-planes.ts';
import { PhotoPlaneStore } from '../../../src/media/render/photos/photo-planes.ts';
import { planPhotoPlanes } from '../../../src/media/render/photos/plan-photo-planes.ts';
import { paintI420, scene, stillCamera, storyboard, Workbench } from './synthetic.ts';

const LIFT: PhotoGrade = { stops: 0.25, blue: 0, red: 0 };
const COOL: PhotoGrade = { stops: 0, blue: 0.03, red: -0.03 };

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
    expect(graded(COOL, y)).toEqual([y, 128, 128]);
  });

  it('has lighter middle tones after a lift of a quarter stop, in order and without a jump', () => {
    const lifted = Array.from({ length: 220 }, (_, i) => graded(LIFT, 16 + i)[0]!);
    const change = lifted.map((y, i) => y - 16 - i);
    expect(Math.min(...change)).toBe(0);
    // Middle grey, whose code is 1/2: 2^(0.25 / 2.2) times as much.
    expect(Math.abs(lifted[109]! - (16 + 219 * 0.5 * 2 ** (0.25 / 2.2)))).toBeLessThanOrEqual(1);
    expect(Math.max(...change)).toBeLessThanOrEqual(10);
    const steps = lifted.slice(1).map((y, i) => y - lifted[i]!);
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...steps.slice(4))).toBeLessThanOrEqual(2);
  });

  it('keeps its saturation when it is lifted', () => {
    const [y, u, v] = graded(LIFT, 100, 108, 158) as [number, number, number];
    const ratio = (y - 16) / (100 - 16);
    expect(Math.abs(u - 128 + 20 * ratio)).toBeLessThanOrEqual(1);
    expect(Math.abs(v - 128 - 30 * ratio)).toBeLessThanOrEqual(1);
  });

  it('is less warm by 3 % in its middle tones, and not at all in blown highlights', () => {
    // A grey wall in lamplight: U too low, V too high.
    const [, u, v] = graded(COOL, 140, 118, 138) as [number, number, number];
    expect([u - 118, v - 138]).toEqual([2, -2]);
    for (const y of [225, 230, 235]) {
      const [, u, v] = graded(COOL, y) as [number, number, number];
      expect(Math.max(Math.abs(u - 128), Math.abs(v - 128))).toBeLessThanOrEqual(1);
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
      expect([await lumaOf(), await lumaOf(LIFT), await lumaOf()]).toEqual([126, 135, 126]);
    } finally {
      await bench.close();
    }
  });
});
