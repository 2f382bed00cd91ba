import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CameraPath, PhotoLayer } from '../../../src/design/storyboard/storyboard.ts';
import { loadKernel } from '../../../src/media/render/kernel/load-kernel.ts';
import { PhotoPlaneStore } from '../../../src/media/render/photos/photo-planes.ts';
import { planPhotoPlanes } from '../../../src/media/render/photos/plan-photo-planes.ts';
import { scene, stillCamera, storyboard, Workbench } from './synthetic.ts';

let bench: Workbench;

beforeAll(async () => {
  bench = await Workbench.open();
  await bench.addPhoto({
    digest: 'slope',
    w: 640,
    h: 320,
    y: (x) => x / 3,
    u: (x) => x / 4,
    v: (_, y) => y / 2,
  });
});

afterAll(() => bench.close());

async function openStore() {
  const kernel = await loadKernel();
  return { memory: kernel.memory, store: new PhotoPlaneStore(kernel) };
}

const layer = (w: number, h: number, camera: CameraPath = stillCamera()): PhotoLayer => ({
  type: 'photo',
  id: 'photo',
  box: { x: 0, y: 0, w, h },
  digest: 'slope',
  camera,
});

describe('planPhotoPlanes', () => {
  const inwardsTo = (span: number): CameraPath => ({
    ...stillCamera({ cx: 0.5, cy: 0.5, span: 1 }),
    to: { cx: 0.5, cy: 0.5, span },
    endFrame: 9,
  });
  const widthFor = (photoLayer: PhotoLayer) =>
    planPhotoPlanes(storyboard([scene([photoLayer])], 640, 320), bench.photos, 0)[0]?.widthPx;

  it('asks for 1.15 to 1.3 times what the widest view shows', () => {
    expect(widthFor(layer(200, 100))).toBe(230);
    expect(widthFor(layer(200, 100, inwardsTo(0.5)))).toBe(260);
    // Half of the photo is shown: twice as much of it is needed.
    expect(widthFor(layer(200, 100, stillCamera({ cx: 0.5, cy: 0.5, span: 0.5 })))).toBe(460);
  });

  it('leaves alone what is nearly right', () => {
    expect(widthFor(layer(640, 320))).toBe(640);
    expect(widthFor(layer(520, 260))).toBe(640);
    expect(widthFor(layer(780, 390))).toBe(640);
  });

  it('enlarges what is far too small to what the tightest view shows, up to the size of the largest master', () => {
    expect(widthFor(layer(1216, 608))).toBe(1216);
    expect(widthFor(layer(960, 480, inwardsTo(0.8)))).toBe(1200);
    expect(widthFor(layer(1600, 800, stillCamera({ cx: 0.5, cy: 0.5, span: 0.5 })))).toBe(2560);
  });

  it('asks in a match-zoom for each photo at both sizes', () => {
    const zoom = {
      kind: 'match-zoom',
      durationFrames: 4,
      easing: 'linear',
      fromLayerId: 'photo',
      toLayerId: 'photo',
      fadeFrames: 2,
    } as const;
    const board = storyboard(
      [
        scene([layer(120, 60)], { durationFrames: 10, transition: zoom }),
        scene([layer(300, 150)], { durationFrames: 10 }),
      ],
      640,
      320,
    );
    const widths = (frame: number) =>
      [...new Set(planPhotoPlanes(board, bench.photos, frame).map(({ widthPx }) => widthPx))].sort(
        (a, b) => a - b,
      );
    expect([widths(0), widths(7), widths(12)]).toEqual([[138], [138, 346], [346]]);
  });
});

describe('PhotoPlaneStore', () => {
  const use = (widthPx: number) => ({ digest: 'slope', widthPx, heightPx: widthPx / 2 });

  /** The planes of a width, and how far a sample of one is from what the photo has there. */
  async function planesOf(widthPx: number) {
    const { memory, store } = await openStore();
    await store.load([use(widthPx)], bench.photos);
    const photo = store.planesOf(use(widthPx));
    const [y, u, v] = photo.planes;
    const distance = (plane: typeof y, column: number, row: number, expected: number) =>
      Math.abs(memory.bytes[plane.address + row * plane.w + column]! - expected);
    return { photo, y, u, v, distance };
  }

  it('keeps the planes on their grid: luma edges aligned, chroma where the reduced photo says', async () => {
    const { photo, y, u, v, distance } = await planesOf(320);
    expect(photo.chromaSiteX).toBe(0.25);
    // Luma pixel 100 has its centre at 201 in the master; chroma pixel 60 of the half-size plane lies at 240.5.
    expect(distance(y, 100, 80, 201 / 3)).toBeLessThanOrEqual(1);
    expect(distance(u, 60, 40, (4 * 60 + 1 + 0.5) / 4)).toBeLessThanOrEqual(1);
    expect(distance(v, 60, 40, (4 * 40 + 2) / 2)).toBeLessThanOrEqual(1);
  });

  it('keeps enlarged planes on their grid, too', async () => {
    const { photo, y, u, v, distance } = await planesOf(1216);
    expect(photo.chromaSiteX).toBeCloseTo(0.95, 10);
    // A pixel of the master is 1.9 wide. Luma pixel 189 has its centre at 189.5 / 1.9, chroma pixel 113 at 2 * 113.5 /
    // 1.9 - 0.5.
    expect(distance(y, 189, 80, 189.5 / 1.9 / 3)).toBeLessThanOrEqual(1);
    expect(distance(u, 113, 40, (227 / 1.9 - 0.5) / 4)).toBeLessThanOrEqual(1);
    expect(distance(v, 113, 40, 81 / 1.9 / 2)).toBeLessThanOrEqual(1);
  });

  it('frees what nobody claims any more, but not what the next user needs', async () => {
    const { memory, store } = await openStore();
    const unused = memory.usedBytes;
    const [first, second] = [{}, {}];
    store.retain(first, [use(160), use(320)]);
    await store.load([use(160), use(320)], bench.photos);
    const before = store.planesOf(use(320));
    store.release(first);
    store.retain(second, [use(320)]);
    await store.load([use(320)], bench.photos);
    // The same block: it was not loaded again.
    expect(store.planesOf(use(320))).toBe(before);
    expect(() => store.planesOf(use(160))).toThrow();
    store.release(second);
    store.retain(second, []);
    expect(memory.usedBytes).toBe(unused);
  });

  it('says which master has the wrong length, and reads it again when asked again', async () => {
    const { store } = await openStore();
    const photo = bench.photos.get('slope')!;
    const masterPath = `${bench.dir}/short.yuv`;
    await writeFile(masterPath, Buffer.alloc(100));
    const photos = new Map([['slope', { ...photo, masterPath }]]);
    await expect(store.load([use(320)], photos)).rejects.toMatchObject({
      code: 'render_failed',
      message: expect.stringContaining('307200 bytes, but holds 100'),
    });
    await store.load([use(320)], bench.photos);
    expect(store.planesOf(use(320)).widthPx).toBe(320);
  });
});
