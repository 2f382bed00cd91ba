import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  Box,
  FillLayer,
  Layer,
  PhotoLayer,
  TextLayer,
  Track,
  Transition,
} from '../../../src/design/storyboard/storyboard.ts';
import type { AlphaMask } from '../../../src/design/text/text.ts';
import { toYuv } from '../../../src/media/render/color.ts';
import { loadKernel } from '../../../src/media/render/kernel/load-kernel.ts';
import { loadTwin } from './kernel/twin.ts';
import { renderFrames, renderOne, scene, stillCamera, storyboard, Workbench } from './synthetic.ts';

const GREY = toYuv('#808080').y;
const [WHITE, BLACK] = [235, 16];
const FULL: Box = { x: 0, y: 0, w: 96, h: 64 };
const STYLE = {
  family: 'eb-garamond',
  weight: 400,
  italic: false,
  sizePx: 20,
  trackingEm: 0,
  lineHeight: 1,
} as const;

let bench: Workbench;

beforeAll(async () => {
  bench = await Workbench.open();
  await bench.addPhoto({ digest: 'dark', w: 192, h: 128, y: () => 50, u: () => 110, v: () => 150 });
  await bench.addPhoto({ digest: 'light', w: 192, h: 128, y: () => 200, u: () => 140, v: () => 120 });
  await bench.addPhoto({
    digest: 'slope',
    w: 192,
    h: 128,
    y: (x, y) => 20 + x / 2 + y / 2,
    u: (x) => 40 + x / 2,
    v: (_, y) => 90 + y / 2,
  });
  await bench.addGraphic('logo', 8, 8, (x) => (x < 4 ? [200, 30, 40, 255] : [0, 0, 0, 0]));
});

afterAll(() => bench.close());

function fill(box: Box, color: string, more: Partial<FillLayer> = {}): FillLayer {
  return { type: 'fill', id: `fill-${box.x}-${box.y}`, box, color, ...more };
}

function photo(digest: string, box: Box = FULL, more: Partial<PhotoLayer> = {}): PhotoLayer {
  return { type: 'photo', id: digest, box, digest, camera: stillCamera(), ...more };
}

function text(box: Box, more: Partial<TextLayer> = {}): TextLayer {
  return { type: 'text', id: 'text', box, style: STYLE, color: '#FFFFFF', lines: [], reads: '', ...more };
}

function track(property: Track['property'], from: number, to: number, startFrame = 0, endFrame = 10): Track {
  return { property, from, to, startFrame, endFrame, easing: 'linear' };
}

function solid(w: number, h: number, value = 255): AlphaMask {
  return { data: new Uint8Array(w * h).fill(value), widthPx: w, heightPx: h, offsetXPx: 0, offsetYPx: 0 };
}

const one = (layers: Layer[], frame = 0, masks: AlphaMask[] = []) =>
  renderOne(storyboard([scene(layers)]), frame, {
    photos: bench.photos,
    graphics: bench.graphics,
    texts: new Map(masks.map((mask, step) => [`0/0/${step}`, mask])),
  });

/** The luma of a frame at these pixels. */
const lumaAt = (frame: Awaited<ReturnType<typeof one>>, ...pixels: [x: number, y: number][]) =>
  pixels.map(([x, y]) => frame.y(x, y));

describe('fills', () => {
  it('cover their box to the pixel, chroma at its left-sited places', async () => {
    const frame = await one([fill({ x: 10, y: 6, w: 20, h: 8 }, '#C81E28')]);
    const { y, u, v } = toYuv('#C81E28');
    expect(lumaAt(frame, [9, 8], [10, 6], [29, 13], [30, 13], [20, 14])).toEqual([GREY, y, y, GREY, GREY]);
    expect([frame.u(8, 5), frame.v(8, 5)]).toEqual([u, v]);
    // The site at luma 10.5 sees a quarter of what is left of the box, the one at 30.5 a quarter of the box.
    expect(frame.u(5, 4)).toBe(Math.round(128 + 0.75 * (u - 128)));
    expect(frame.u(15, 4)).toBe(Math.round(128 + 0.25 * (u - 128)));
    expect([frame.u(4, 4), frame.u(16, 4), frame.u(8, 2), frame.u(8, 7)]).toEqual([128, 128, 128, 128]);
  });

  it('have a constant alpha, fade, and are off at 0', async () => {
    const layer = fill({ x: 0, y: 0, w: 48, h: 64 }, '#FFFFFF', {
      alpha: 0.5,
      tracks: [track('opacity', 0, 1)],
    });
    const board = storyboard([scene([layer], { background: '#000000' })]);
    const values = (await renderFrames(board, [0, 5, 10])).map((frame) => frame.y(20, 20));
    expect(values).toEqual([BLACK, Math.round(BLACK + 0.25 * 219), Math.round(BLACK + 0.5 * 219)]);
  });

  it('are drawn with soft edges while a clip opens them', async () => {
    const layer = fill({ x: 10, y: 10, w: 40, h: 2 }, '#FFFFFF', {
      tracks: [track('clipRight', 1, 0, 0, 64)],
    });
    const board = storyboard([scene([layer], { background: '#000000', durationFrames: 80 })]);
    const frames = await renderFrames(
      board,
      Array.from({ length: 65 }, (_, n) => n),
    );
    for (const [n, frame] of frames.entries()) {
      let covered = 0;
      for (let x = 0; x < 96; x++) covered += (frame.y(x, 10) - BLACK) / 219;
      expect(covered).toBeCloseTo((40 * n) / 64, 1);
    }
  });

  it('at rest lie on whole pixels and never vanish', async () => {
    const frame = await one([fill({ x: 9.6, y: 20.4, w: 30, h: 0.4 }, '#FFFFFF')]);
    expect(lumaAt(frame, [9, 20], [10, 20], [39, 20], [40, 20])).toEqual([GREY, WHITE, WHITE, GREY]);
    expect([frame.y(20, 19), frame.y(20, 21)]).toEqual([GREY, GREY]);
  });
});

describe('photos', () => {
  it('fill the frame with every sample where it belongs, planes scaled beforehand or not', async () => {
    const frame = await one([photo('slope')]);
    for (const [x, y] of [
      [10, 10],
      [50, 32],
      [80, 60],
    ] as const) {
      // Output pixel centres lie at twice their position in the photo.
      expect(Math.abs(frame.y(x, y) - (20 + (x + 0.5) + (y + 0.5)))).toBeLessThanOrEqual(1);
    }
    for (const [x, y] of [
      [5, 5],
      [24, 16],
      [40, 30],
    ] as const) {
      expect(Math.abs(frame.u(x, y) - (40 + 2 * x + 0.5))).toBeLessThanOrEqual(1);
      expect(Math.abs(frame.v(x, y) - (90 + 2 * y + 1))).toBeLessThanOrEqual(1);
    }
  });

  it('leave no background at the border of the frame, and all of it outside of their box', async () => {
    const full = await one([photo('dark')]);
    expect(new Set(full.bytes.subarray(0, 96 * 64))).toEqual(new Set([50]));
    expect(new Set(full.bytes.subarray(96 * 64, (96 * 64 * 5) / 4))).toEqual(new Set([110]));
    const boxed = await one([photo('dark', { x: 20, y: 10, w: 48, h: 32 })]);
    expect(lumaAt(boxed, [19, 20], [20, 10], [67, 41], [68, 20], [30, 42])).toEqual([
      GREY,
      50,
      50,
      GREY,
      GREY,
    ]);
  });

  it('move with soft edges, fade, and open through a clip', async () => {
    const box = { x: 20, y: 10, w: 48, h: 32 };
    const moved = await one([photo('dark', box, { tracks: [track('dx', 0.25, 0.25)] })]);
    expect(moved.y(20, 20)).toBe(Math.round(0.25 * GREY + 0.75 * 50));
    expect(moved.y(68, 20)).toBe(Math.round(0.75 * GREY + 0.25 * 50));
    const faded = await one([photo('dark', box, { tracks: [track('opacity', 0.5, 0.5)] })]);
    expect(faded.y(40, 20)).toBe(Math.round((GREY + 50) / 2));
    const opening = await one([photo('dark', box, { tracks: [track('clipTop', 0.5, 0.5)] })]);
    expect([opening.y(40, 25), opening.y(40, 26)]).toEqual([GREY, 50]);
  });

  it('that were not handed in are an error with the digest', async () => {
    await expect(one([photo('nowhere')])).rejects.toMatchObject({
      code: 'render_failed',
      context: { digest: 'nowhere' },
    });
  });
});

describe('texts', () => {
  const box = { x: 20, y: 10, w: 40, h: 20 };

  it('lie where they were placed, chroma too', async () => {
    const red = toYuv('#C81E28');
    const frame = await one([text(box, { color: '#C81E28' })], 0, [
      { ...solid(10, 6), offsetXPx: 3, offsetYPx: -2 },
    ]);
    expect(lumaAt(frame, [22, 9], [23, 8], [32, 13], [33, 13], [25, 14])).toEqual([
      GREY,
      red.y,
      red.y,
      GREY,
      GREY,
    ]);
    // From 23 to 33: the site at 22.5 sees a quarter, at 24.5 all, at 32.5 three quarters.
    const share = (value: number, part: number) => Math.round(128 + part * (value - 128));
    expect([10, 11, 12, 16, 17].map((x) => frame.u(x, 5))).toEqual([
      128,
      share(red.u, 0.25),
      red.u,
      share(red.u, 0.75),
      128,
    ]);
  });

  it('glide by parts of a pixel', async () => {
    const layer = text(box, { tracks: [track('dy', 6, 0, 0, 24)] });
    const board = storyboard([scene([layer], { background: '#000000' })]);
    const texts = new Map([['0/0/0', solid(10, 6)]]);
    const frames = await renderFrames(
      board,
      Array.from({ length: 25 }, (_, n) => n),
      { texts },
    );
    for (const [n, frame] of frames.entries()) {
      let [sum, moment] = [0, 0];
      for (let y = 0; y < 64; y++) {
        sum += frame.y(24, y) - BLACK;
        moment += (frame.y(24, y) - BLACK) * (y + 0.5);
      }
      expect(moment / sum).toBeCloseTo(10 + 3 + 6 - n / 4, 1);
      expect(sum / 219).toBeCloseTo(6, 1);
    }
  });

  it('rise inside a fixed window, but carry their clip along without one', async () => {
    const rise = [track('dy', 20, 0, 0, 10)];
    const mask = [solid(10, 20)];
    const fixed = await one([text(box, { tracks: rise, clipFixed: true })], 5, mask);
    // Half way: 10 px below its place, and cut off at the foot of its box.
    expect(lumaAt(fixed, [24, 19], [24, 20], [24, 29], [24, 30])).toEqual([GREY, WHITE, WHITE, GREY]);
    const free = await one([text(box, { tracks: [...rise, track('clipTop', 0.25, 0.25)] })], 5, mask);
    expect(lumaAt(free, [24, 24], [24, 25], [24, 39], [24, 40])).toEqual([GREY, WHITE, WHITE, GREY]);
  });

  it('count through their steps', async () => {
    const steps = [
      { startFrame: 3, lines: [] },
      { startFrame: 6, lines: [] },
    ];
    const board = storyboard([scene([text(box, { steps })])]);
    const texts = new Map([4, 8, 12].map((w, step) => [`0/0/${step}`, solid(w, 6)]));
    const widths = (await renderFrames(board, [0, 2, 3, 5, 6, 20], { texts })).map(
      (frame) =>
        Array.from({ length: 96 }, (_, x) => frame.y(x, 12)).filter((value) => value === WHITE).length,
    );
    expect(widths).toEqual([4, 4, 8, 8, 12, 12]);
  });

  it('without ink draw nothing; beyond the frame they are cut off', async () => {
    const empty = await one([text(box)], 0, [solid(0, 0)]);
    expect(new Set(empty.bytes.subarray(0, 96 * 64))).toEqual(new Set([GREY]));
    const beyond = await one([text({ ...box, x: -5, y: 60 })], 0, [solid(300, 30)]);
    expect([beyond.y(0, 59), beyond.y(0, 60), beyond.y(95, 63)]).toEqual([GREY, WHITE, WHITE]);
  });
});

describe('logos and marks', () => {
  it('show their colour where they are opaque and the ground where they are clear', async () => {
    const frame = await one([
      { type: 'graphic', id: 'logo', box: { x: 10, y: 10, w: 16, h: 16 }, digest: 'logo' },
    ]);
    const red = toYuv('#C81E28');
    expect([frame.y(12, 18), frame.u(6, 9), frame.v(6, 9)]).toEqual([red.y, red.u, red.v]);
    expect([frame.y(23, 18), frame.u(11, 9)]).toEqual([GREY, 128]);
    // No dark seam between: the clear half is black, and must not show.
    for (let x = 10; x < 26; x++) expect(frame.y(x, 18)).toBeGreaterThanOrEqual(red.y - 1);
  });

  it('draw a path scaled to its box, and refuse what is no path', async () => {
    const mark = (path: string): Layer => ({
      type: 'mark',
      id: 'mark',
      box: { x: 20, y: 10, w: 20, h: 10 },
      path,
      color: '#FFFFFF',
    });
    const frame = await one([mark('M0 0H50V100H0Z')]);
    expect(lumaAt(frame, [20, 10], [29, 19], [30, 15], [19, 15])).toEqual([WHITE, WHITE, GREY, GREY]);
    await expect(one([mark('M0 0"/><image href="x"/>')])).rejects.toMatchObject({ code: 'render_failed' });
  });
});

describe('scenes and transitions', () => {
  const pair = (transition: Transition, first: Layer[], second: Layer[]) =>
    storyboard([
      scene(first, { durationFrames: 20, transition, background: '#000000' }),
      scene(second, { id: 'scene-02-photo', durationFrames: 20, background: '#FFFFFF' }),
    ]);
  const sources = () => ({ photos: bench.photos, graphics: bench.graphics });
  const push = (
    direction: 'left' | 'right' | 'up',
    durationFrames: number,
    gutterPx: number,
  ): Transition => ({
    kind: 'push',
    durationFrames,
    easing: 'linear',
    direction,
    gutterPx,
    gutterColor: '#808080',
  });
  const zoomFrom = (fromLayerId: string): Transition => ({
    kind: 'match-zoom',
    durationFrames: 8,
    easing: 'linear',
    fromLayerId,
    toLayerId: 'light',
    fadeFrames: 4,
  });

  it('show each scene on exactly its own frames', async () => {
    const level = (n: number) => `#${n.toString(16).padStart(2, '0').repeat(3)}`;
    const durations = [1, 3, 2, 5];
    const board = storyboard(
      durations.map((durationFrames, n) => scene([], { durationFrames, background: level(40 * n) })),
    );
    const frames = await renderFrames(
      board,
      Array.from({ length: 11 }, (_, n) => n),
    );
    const expected = durations.flatMap((count, n) => new Array<number>(count).fill(toYuv(level(40 * n)).y));
    expect(frames.map((frame) => frame.y(5, 5))).toEqual(expected);
    await expect(renderOne(board, 11)).rejects.toMatchObject({ code: 'render_failed' });
  });

  it('crossfade linearly in light, from the whole of one to the whole of the other', async () => {
    const board = pair({ kind: 'crossfade', durationFrames: 10, easing: 'linear' }, [], []);
    const values = (await renderFrames(board, [9, 10, 15, 19, 20])).map((frame) => frame.y(40, 40));
    const mixed = (t: number) => Math.round(BLACK + 219 * Math.sqrt(t));
    expect(values).toEqual([BLACK, BLACK, mixed(0.5), mixed(0.9), WHITE]);
  });

  it('run the coming scene at negative frames during the transition', async () => {
    const moving = fill(FULL, '#FFFFFF', { tracks: [track('opacity', 0, 1, -10, 0)] });
    const board = pair(
      { kind: 'crossfade', durationFrames: 10, easing: 'linear' },
      [],
      [fill(FULL, '#000000'), moving],
    );
    const [half] = await renderFrames(board, [15]);
    // The layer is at half its opacity, and the scene at half its light.
    const inside = 0.5 * 219;
    expect(
      Math.abs((half?.y(40, 40) ?? 0) - Math.round(BLACK + Math.sqrt(0.5 * inside ** 2))),
    ).toBeLessThanOrEqual(1);
  });

  it.each([
    ['left', (a: number) => a],
    ['right', (a: number) => 95 - a],
  ] as const)('push to the %s: page, gutter, page, by parts of a pixel', async (direction, at) => {
    const board = pair(push(direction, 16, 10), [photo('dark')], [photo('light')]);
    const frames = await renderFrames(
      board,
      Array.from({ length: 17 }, (_, n) => 4 + n),
      sources(),
    );
    for (const [n, frame] of frames.entries()) {
      // The gutter's near edge travels from 96 to -10 in 16 steps of 6.625 px.
      const edge = 96 - 6.625 * n;
      for (let a = 0; a < 96; a++) {
        const share = (from: number, to: number) => Math.max(0, Math.min(a + 1, to) - Math.max(a, from));
        const expected =
          50 * share(-1000, edge) + GREY * share(edge, edge + 10) + 200 * share(edge + 10, 1000);
        expect(Math.abs(frame.y(at(a), 30) - expected), `frame ${n}, pixel ${a}`).toBeLessThanOrEqual(1.5);
      }
    }
  });

  it('push upward', async () => {
    const [half] = await renderFrames(
      pair(push('up', 8, 16), [photo('dark')], [photo('light')]),
      [16],
      sources(),
    );
    expect([0, 23, 24, 39, 40, 63].map((y) => half?.y(40, y))).toEqual([50, 50, GREY, GREY, 200, 200]);
  });

  it('push a page with everything on it as one piece', async () => {
    const layers = [fill({ x: 20, y: 10, w: 20, h: 20 }, '#808080')];
    const frames = await renderFrames(pair(push('left', 16, 0), layers, []), [4, 5, 6], sources());
    for (const [n, frame] of frames.entries()) {
      const edges = [20 - 6 * n, 40 - 6 * n] as const;
      expect([
        frame.y(edges[0] - 1, 15),
        frame.y(edges[0], 15),
        frame.y(edges[1] - 1, 15),
        frame.y(edges[1], 15),
      ]).toEqual([BLACK, GREY, GREY, BLACK]);
    }
  });

  it('zoom a photo from its box into the next while it dissolves, other layers fading first', async () => {
    const small = { x: 16, y: 16, w: 24, h: 16 };
    const first = [photo('dark', small), fill({ x: 50, y: 50, w: 8, h: 8 }, '#FFFFFF')];
    const board = storyboard([
      scene(first, { durationFrames: 20, transition: zoomFrom('dark'), background: '#000000' }),
      scene([photo('light')], { durationFrames: 20, background: '#000000' }),
    ]);
    const frames = await renderFrames(board, [12, 14, 16, 20], sources());
    type Frame = (typeof frames)[0];
    const [start, early, half, done] = frames as [Frame, Frame, Frame, Frame];
    expect(lumaAt(start, [15, 20], [16, 20], [39, 20], [40, 20])).toEqual([BLACK, 50, 50, BLACK]);
    expect([start.y(54, 54), early.y(54, 54)]).toEqual([WHITE, Math.round(BLACK + 219 / 2)]);
    expect(half.y(75, 54)).toBe(BLACK);
    // Half way the box runs from 8 to 68 across and from 8 to 48 down.
    const mixed = Math.round(16 + Math.sqrt((34 ** 2 + 184 ** 2) / 2));
    expect(lumaAt(half, [7, 30], [8, 30], [67, 30], [68, 30])).toEqual([BLACK, mixed, mixed, BLACK]);
    expect([half.y(30, 47), half.y(30, 48)]).toEqual([mixed, BLACK]);
    expect(new Set(done.bytes.subarray(0, 96 * 64))).toEqual(new Set([200]));
  });

  it('name the scene when a match-zoom has no such photo', async () => {
    await expect(
      renderFrames(pair(zoomFrom('none'), [photo('dark')], [photo('light')]), [14], sources()),
    ).rejects.toMatchObject({
      code: 'render_failed',
      context: { scene: 'scene-01-photo', layer: 'none' },
    });
  });

  it('give the same bytes with the kernel in TypeScript', async () => {
    const crossfade: Transition = { kind: 'crossfade', durationFrames: 10, easing: 'glide' };
    const layers = [
      photo(
        'slope',
        { x: 7, y: 5, w: 61, h: 41 },
        { camera: { ...stillCamera(), to: { cx: 0.4, cy: 0.5, span: 0.8 }, endFrame: 20 } },
      ),
      text(
        { x: 40, y: 30, w: 30, h: 20 },
        { tracks: [track('dx', 7, 0, 0, 20), track('clipLeft', 0.8, 0, 0, 20)] },
      ),
    ];
    const board = pair(crossfade, layers, [photo('light')]);
    const all = { ...sources(), texts: new Map([['0/1/0', solid(21, 9, 200)]]) };
    const indexes = [0, 7, 13, 17];
    const fast = await renderFrames(board, indexes, all);
    const slow = await renderFrames(board, indexes, all, loadTwin());
    for (const [n, frame] of fast.entries()) expect(frame.bytes.equals(slow[n]!.bytes)).toBe(true);
  });
});

describe('memory', () => {
  it('is given back when a renderer is disposed of', async () => {
    const kernel = await loadKernel();
    const before = kernel.memory.usedBytes;
    const board = storyboard([
      scene([photo('slope'), text(FULL, { tracks: [track('dx', 3, 0)] })], {
        durationFrames: 5,
        transition: { kind: 'crossfade', durationFrames: 2, easing: 'linear' },
      }),
      scene(
        [
          photo('dark', { x: 3, y: 3, w: 50, h: 40 }),
          { type: 'graphic', id: 'logo', box: FULL, digest: 'logo' },
        ],
        { durationFrames: 5 },
      ),
    ]);
    const texts = new Map([['0/1/0', solid(20, 10)]]);
    await renderFrames(
      board,
      [0, 1, 3, 4, 6, 9],
      { photos: bench.photos, graphics: bench.graphics, texts },
      kernel,
    );
    expect(kernel.memory.usedBytes).toBe(before);
  });

  it('odd frame sides are refused', async () => {
    await expect(renderOne(storyboard([scene([])], 97, 64), 0)).rejects.toMatchObject({
      code: 'render_failed',
    });
  });
});
