/** Gradients, shapes, and the ways between scenes in which neither scene travels. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FillLayer, Layer, Scene, Transition } from '../../../src/design/storyboard/storyboard.ts';
import { toYuv } from '../../../src/media/render/color.ts';
import { renderFrames, renderOne, scene, stillCamera, storyboard, Workbench } from './synthetic.ts';

const [W, H] = [96, 64];
const BLACK = 16;
const WHITE = 235;
let bench: Workbench;
beforeAll(async () => {
  bench = await Workbench.open();
  await bench.addPhoto({ digest: 'light', w: W, h: H, y: () => 200 });
});
afterAll(() => bench.close());

const fill = (box: FillLayer['box'], color: string, more: Partial<FillLayer> = {}): FillLayer => ({
  type: 'fill',
  id: 'fill',
  box,
  color,
  ...more,
});
const all = { x: 0, y: 0, w: W, h: H };
const dark = (layers: Layer[], more: Partial<Scene> = {}) =>
  scene(layers, { background: '#000000', ...more });
const shown = (layer: Layer) => renderOne(storyboard([dark([layer])]), 0, { photos: bench.photos });

describe('a gradient', () => {
  const stops = [
    { at: 0, alpha: 0 },
    { at: 0.5, alpha: 0.2 },
    { at: 1, alpha: 1 },
  ];

  it('runs from stop to stop, whichever way it goes', async () => {
    const alphaAt = (t: number) => (t < 0.5 ? 0.4 * t : 0.2 + 1.6 * (t - 0.5));
    const at = { down: (i: number) => (i + 0.5) / H, up: (i: number) => 1 - (i + 0.5) / H };
    for (const direction of ['down', 'up'] as const) {
      const frame = await shown(fill(all, '#FFFFFF', { gradient: { direction, stops } }));
      for (const row of [0, 10, 31, 32, 50, 63]) {
        expect(Math.abs(frame.y(40, row) - (BLACK + 219 * alphaAt(at[direction](row))))).toBeLessThan(1.5);
      }
    }
    const across = await shown(fill(all, '#FFFFFF', { gradient: { direction: 'left', stops } }));
    expect(across.y(0, 5)).toBeGreaterThan(across.y(50, 5));
    expect(across.y(95, 5)).toBeLessThan(BLACK + 2);
  });

  it('never falls back on its way, and fades as a whole', async () => {
    const gradient = { direction: 'down', stops } as const;
    const frame = await shown(fill(all, '#FFFFFF', { gradient }));
    const column = Array.from({ length: H }, (_, row) => frame.y(20, row));
    expect(column).toEqual([...column].sort((a, b) => a - b));
    const half = await shown(
      fill(all, '#FFFFFF', {
        gradient,
        tracks: [{ property: 'opacity', from: 0.5, to: 0.5, startFrame: 0, endFrame: 0, easing: 'linear' }],
      }),
    );
    expect(Math.abs(half.y(20, 63) - (BLACK + (frame.y(20, 63) - BLACK) / 2))).toBeLessThan(2);
  });
});

describe('a mask', () => {
  const box = { x: 16, y: 8, w: 48, h: 48 };
  const area = (frame: { y(x: number, y: number): number }, full: number) => {
    let sum = 0;
    for (let y = 0; y < H; y++) for (let x = 0; x < W; x++) sum += (frame.y(x, y) - BLACK) / (full - BLACK);
    return sum;
  };

  it('shows an ellipse of a photo, smooth at its edge', async () => {
    const frame = await shown({
      type: 'photo',
      id: 'photo',
      digest: 'light',
      box,
      camera: stillCamera({ cx: 0.5, cy: 0.5, span: 0.6 }),
      mask: { shape: 'ellipse' },
    });
    expect(Math.abs(area(frame, 200) / (Math.PI * 24 * 24) - 1)).toBeLessThan(0.01);
    expect(frame.y(17, 9)).toBe(BLACK);
    expect(frame.y(40, 32)).toBe(200);
    const edge = Array.from({ length: 12 }, (_, x) => frame.y(16 + x, 20));
    expect(edge.some((value) => value > BLACK + 10 && value < 190)).toBe(true);
  });

  it('takes the corners off a fill, and no more', async () => {
    const frame = await shown(fill(box, '#FFFFFF', { mask: { shape: 'rounded', radiusPx: 12 } }));
    expect(Math.abs(area(frame, WHITE) / (48 * 48 - (4 - Math.PI) * 144) - 1)).toBeLessThan(0.005);
    expect([frame.y(16, 8), frame.y(40, 8), frame.y(16, 32), frame.y(63, 55)]).toEqual([
      BLACK,
      WHITE,
      WHITE,
      BLACK,
    ]);
  });
});

describe('between a white and a black scene', () => {
  const white = (transition: Transition) =>
    scene([], { background: '#FFFFFF', durationFrames: 20, transition });
  const boardWith = (transition: Transition, coming: Layer[] = []) =>
    storyboard([white(transition), dark(coming)]);
  const red = toYuv('#FF0000').y;

  it.each([
    ['left', (x: number) => x],
    ['right', (x: number) => W - 1 - x],
  ] as const)('a wipe to the %s drives a bar before it; neither scene moves', async (direction, place) => {
    const board = boardWith({
      kind: 'wipe',
      durationFrames: 10,
      easing: 'linear',
      direction,
      barPx: 16,
      barColor: '#FF0000',
    });
    const [first, middle, after] = await renderFrames(board, [10, 15, 20]);
    expect([first!.y(place(2), 30), first!.y(place(93), 30)]).toEqual([WHITE, WHITE]);
    // Half of the way of 112 px: the bar lies from 40 to 56.
    expect([10, 38, 42, 54, 58, 90].map((x) => middle!.y(place(x), 30))).toEqual([
      WHITE,
      WHITE,
      red,
      red,
      BLACK,
      BLACK,
    ]);
    expect(after!.y(place(2), 30)).toBe(BLACK);
  });

  it('a dip goes through its colour', async () => {
    const board = boardWith({
      kind: 'dip',
      durationFrames: 10,
      easing: 'linear',
      outFrames: 4,
      color: '#FF0000',
    });
    const values = (await renderFrames(board, [10, 12, 14, 17, 20])).map((frame) => frame.y(40, 30));
    expect([values[0], values[2], values[4]]).toEqual([WHITE, red, BLACK]);
    expect(Math.abs(values[1]! - (WHITE + red) / 2)).toBeLessThan(2);
    expect(Math.abs(values[3]! - (BLACK + red) / 2)).toBeLessThan(2);
  });

  it.each(['horizontal', 'vertical'] as const)('a %s aperture opens from its middle', async (axis) => {
    const board = boardWith(
      { kind: 'aperture', durationFrames: 12, easing: 'linear', fadeFrames: 2, axis, color: '#FF0000' },
      [fill(all, '#808080')],
    );
    const [fading, shut, half] = await renderFrames(board, [9, 10, 15]);
    const grey = toYuv('#808080').y;
    expect(fading!.y(40, 30)).toBeGreaterThan(red);
    expect(shut!.y(40, 30)).toBe(red);
    const length = axis === 'horizontal' ? W : H;
    const across = (i: number) => (axis === 'horizontal' ? half!.y(i, 30) : half!.y(40, i));
    expect([0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95].map((at) => across(Math.floor(at * length)))).toEqual([
      red,
      red,
      grey,
      grey,
      grey,
      red,
      red,
    ]);
  });

  it.each(['horizontal', 'vertical'] as const)(
    'a %s aperture without a fade opens over the old scene',
    async (axis) => {
      const board = boardWith(
        { kind: 'aperture', durationFrames: 10, easing: 'linear', fadeFrames: 0, axis, color: '#FF0000' },
        [fill(all, '#808080')],
      );
      const [shut, half] = await renderFrames(board, [10, 15]);
      const grey = toYuv('#808080').y;
      const length = axis === 'horizontal' ? W : H;
      const across = (i: number) => (axis === 'horizontal' ? half!.y(i, 30) : half!.y(40, i));
      expect(shut!.y(40, 30)).toBe(WHITE);
      expect([0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95].map((at) => across(Math.floor(at * length)))).toEqual([
        ...[WHITE, WHITE, grey, grey, grey, WHITE, WHITE],
      ]);
    },
  );

  it('what comes over the scene has no page until it has all arrived', async () => {
    const coming = fill({ x: 0, y: 0, w: 48, h: H }, '#808080', {
      tracks: [{ property: 'clipRight', from: 1, to: 0, startFrame: -10, endFrame: 0, easing: 'linear' }],
    });
    const board = boardWith({ kind: 'over', durationFrames: 10 }, [coming]);
    const [start, half, end] = await renderFrames(board, [10, 15, 20]);
    const grey = toYuv('#808080').y;
    expect([start!.y(10, 30), half!.y(10, 30), half!.y(40, 30), half!.y(80, 30)]).toEqual([
      WHITE,
      grey,
      WHITE,
      WHITE,
    ]);
    expect([end!.y(40, 30), end!.y(80, 30)]).toEqual([grey, BLACK]);
  });
});
