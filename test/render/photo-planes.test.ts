import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KernelMemory } from '../../src/render/kernel/kernel-memory.ts';
import { PhotoPlaneStore } from '../../src/render/photo-planes.ts';
import { planPhotoPlanes } from '../../src/render/plan-photo-planes.ts';
import type { CameraPath, PhotoLayer } from '../../src/storyboard/storyboard.ts';
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

const layer = (w: number, h: number, camera: CameraPath = stillCamera()): PhotoLayer => ({
  type: 'photo',
  id: 'photo',
  box: { x: 0, y: 0, w, h },
  digest: 'slope',
  camera,
});

describe('planPhotoPlanes', () => {
  const widthFor = (photoLayer: PhotoLayer) =>
    planPhotoPlanes(storyboard([scene([photoLayer])], 640, 320), bench.photos, 0)[0]?.widthPx;

  it('asks for 1.15 to 1.3 times what the widest view shows', () => {
    expect(widthFor(layer(200, 100))).toBe(230);
    const inwards = {
      from: { cx: 0.5, cy: 0.5, span: 1 },
      to: { cx: 0.5, cy: 0.5, span: 0.5 },
      startFrame: 0,
      endFrame: 9,
    };
    expect(widthFor(layer(200, 100, inwards))).toBe(260);
    // Half of the photo is shown: twice as much of it is needed.
    expect(widthFor(layer(200, 100, stillCamera({ cx: 0.5, cy: 0.5, span: 0.5 })))).toBe(460);
  });

  it('never enlarges, and leaves alone what is nearly right', () => {
    expect(widthFor(layer(640, 320))).toBe(640);
    expect(widthFor(layer(520, 260))).toBe(640);
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

  it('keeps the planes on their grid: luma edges aligned, chroma where the reduced photo says', async () => {
    const memory = new KernelMemory();
    const store = new PhotoPlaneStore(memory);
    await store.load([use(320)], bench.photos);
    const photo = store.pick([use(320)], 'slope', 0);
    const [y, u, v] = photo.planes;
    expect(photo.chromaSiteX).toBe(0.25);
    const read = (plane: typeof y, column: number, row: number) =>
      memory.bytes[plane.address + row * plane.w + column] as number;
    // Luma pixel 100 has its centre at 201 in the master; chroma pixel 60 of the half-size plane lies at 240.5.
    expect(Math.abs(read(y, 100, 80) - 201 / 3)).toBeLessThanOrEqual(1);
    expect(Math.abs(read(u, 60, 40) - (4 * 60 + 1 + 0.5) / 4)).toBeLessThanOrEqual(1);
    expect(Math.abs(read(v, 60, 40) - (4 * 40 + 2) / 2)).toBeLessThanOrEqual(1);
  });

  it('picks by the uses of the frame alone, whatever else is loaded', async () => {
    const store = new PhotoPlaneStore(new KernelMemory());
    const uses = [use(640), use(160), use(320)];
    await store.load(uses, bench.photos);
    const width = (among: typeof uses, wanted: number) => store.pick(among, 'slope', wanted).widthPx;
    expect([width(uses, 100), width(uses, 161), width(uses, 320), width(uses, 900)]).toEqual([
      160, 320, 320, 640,
    ]);
    expect(width([use(640)], 100)).toBe(640);
    expect(() => width([use(200)], 100)).toThrow(expect.objectContaining({ code: 'render_failed' }));
  });

  it('frees what nobody claims any more, but not what the next user needs', async () => {
    const memory = new KernelMemory();
    const store = new PhotoPlaneStore(memory);
    const [first, second] = [{}, {}];
    store.retain(first, [use(160), use(320)]);
    await store.load([use(160), use(320)], bench.photos);
    const before = store.pick([use(320)], 'slope', 0);
    store.release(first);
    store.retain(second, [use(320)]);
    await store.load([use(320)], bench.photos);
    // The same block: it was not loaded again.
    expect(store.pick([use(320)], 'slope', 0)).toBe(before);
    expect(() => store.pick([use(160)], 'slope', 0)).toThrow();
    store.release(second);
    store.retain(second, []);
    expect(memory.usedBytes).toBe(0);
  });

  it('says which master has the wrong length, and reads it again when asked again', async () => {
    const memory = new KernelMemory();
    const store = new PhotoPlaneStore(memory);
    const photo = bench.photos.get('slope')!;
    const masterPath = `${bench.dir}/short.yuv`;
    await writeFile(masterPath, Buffer.alloc(100));
    const photos = new Map([['slope', { ...photo, masterPath }]]);
    await expect(store.load([use(320)], photos)).rejects.toMatchObject({
      code: 'render_failed',
      message: expect.stringContaining('307200 bytes, but holds 100'),
    });
    await store.load([use(320)], bench.photos);
    expect(store.pick([use(320)], 'slope', 0).widthPx).toBe(320);
  });
});
