import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Storyboard } from '../../../src/design/storyboard/storyboard.ts';
import type { TextRasterizer } from '../../../src/design/text/text.ts';
import {
  countRepeats,
  createRenderPool,
  type RenderedFrame,
  type RenderPool,
  type StillRequest,
} from '../../../src/media/render/render-pool.ts';
import { renderFrames, scene, storyboard, timeline, toFrame, Workbench } from './synthetic.ts';

const rasterizer: TextRasterizer = {
  rasterize: async (lines) => ({
    data: new Uint8Array(8 * 4).fill(lines[0]?.text === 'half' ? 128 : 255),
    widthPx: 8,
    heightPx: 4,
    offsetXPx: 0,
    offsetYPx: 0,
  }),
};

let bench: Workbench;
let pool: RenderPool;
let twoThreads: RenderPool;

beforeAll(async () => {
  bench = await Workbench.open();
  await bench.addPhoto({ digest: 'slope', w: 192, h: 128, y: (x) => 20 + x, u: (_, y) => 60 + y });
  pool = createRenderPool({ rasterizer });
  twoThreads = createRenderPool({ rasterizer, threads: 2 });
});

afterAll(async () => {
  await Promise.all([pool.close(), twoThreads.close()]);
  await bench.close();
});

/** 20 frames that all differ, then 10 that rest. In a draft, a change can end between two frames. */
function board(endFrame = 20): Storyboard {
  const style = {
    family: 'eb-garamond',
    weight: 400,
    italic: false,
    sizePx: 20,
    trackingEm: 0,
    lineHeight: 1,
  } as const;
  return storyboard([
    scene([
      {
        type: 'photo',
        id: 'photo',
        box: { x: 0, y: 0, w: 96, h: 64 },
        digest: 'slope',
        camera: {
          from: { cx: 0.5, cy: 0.5, span: 1 },
          to: { cx: 0.4, cy: 0.5, span: 0.8 },
          startFrame: 0,
          endFrame,
        },
      },
      {
        type: 'text',
        id: 'text',
        box: { x: 10, y: 10, w: 40, h: 20 },
        style,
        color: '#FFFFFF',
        lines: [{ text: 'full', xPx: 0, baselineYPx: 4 }],
        reads: 'full',
      },
    ]),
  ]);
}

function request(spans = [{ startFrame: 0, endFrame: 30 }]) {
  return { timeline: timeline(board()), spans, photos: bench.photos, graphics: bench.graphics };
}

/** Copies and releases each frame. */
async function collect(frames: AsyncIterable<RenderedFrame>) {
  const collected: { index: number; sameAsPrevious: boolean; bytes: Buffer }[] = [];
  for await (const { index, sameAsPrevious, data, release } of frames) {
    collected.push({ index, sameAsPrevious, bytes: Buffer.from(data) });
    release();
  }
  return collected;
}

describe('renderSpans', () => {
  it('yields every frame in order, with the bytes of a renderer in this thread', async () => {
    const frames = await collect(pool.renderSpans(request()));
    expect(frames.map(({ index }) => index)).toEqual(Array.from({ length: 30 }, (_, n) => n));
    const mask = await rasterizer.rasterize([{ text: 'full', xPx: 0, baselineYPx: 0 }], {} as never);
    const texts = new Map([['0/1/0', mask]]);
    const own = await renderFrames(board(), [0, 7, 29], { photos: bench.photos, texts });
    for (const [n, index] of [0, 7, 29].entries()) {
      expect(frames[index]?.bytes.equals(own[n]?.bytes as Buffer), `frame ${index}`).toBe(true);
    }
    expect(toFrame(frames[0]?.bytes as Buffer, 96, 64).y(12, 12)).toBe(235);
  });

  it('says which frames repeat the one before', async () => {
    const frames = await collect(pool.renderSpans(request()));
    expect(frames.filter((frame) => frame.sameAsPrevious).map(({ index }) => index)).toEqual([
      21, 22, 23, 24, 25, 26, 27, 28, 29,
    ]);
    expect(frames[29]?.bytes.equals(frames[20]?.bytes as Buffer)).toBe(true);
  });

  it('tells how long a span rests at its end, without painting it', () => {
    const sizes = bench.photos;
    expect(countRepeats(board(), sizes, { startFrame: 0, endFrame: 30 })).toBe(9);
    expect(countRepeats(board(), sizes, { startFrame: 24, endFrame: 30 })).toBe(5);
    expect(countRepeats(board(), sizes, { startFrame: 0, endFrame: 20 })).toBe(0);
    expect(countRepeats(board(), sizes, { startFrame: 29, endFrame: 30 })).toBe(0);
    expect(countRepeats(board(19.5), sizes, { startFrame: 0, endFrame: 30 })).toBe(9);
  });

  it('yields spans in the order of the request, with any number of threads', async () => {
    const spans = [
      { startFrame: 25, endFrame: 27 },
      { startFrame: 3, endFrame: 9 },
    ];
    const [one, two] = await Promise.all(
      [pool, twoThreads].map((p) => collect(p.renderSpans(request(spans)))),
    );
    expect(one?.map(({ index }) => index)).toEqual([25, 26, 3, 4, 5, 6, 7, 8]);
    expect(two).toEqual(one);
  });

  it('makes at most eight frames ahead, and goes on when one is released', async () => {
    const frames = pool.renderSpans(request());
    const held: RenderedFrame[] = [];
    for (let n = 0; n < 8; n++) held.push((await frames.next()).value as RenderedFrame);
    const copies = held.map(({ data }) => Buffer.from(data));
    let hasNinth = false;
    const ninth = frames.next().then((result) => {
      hasNinth = true;
      return result.value as RenderedFrame;
    });
    // A still goes through the same thread: when it is there, the thread has had its chance to make a ninth frame.
    await pool.renderStills({ ...request(), frames: [0], size: { widthPx: 96, heightPx: 64 } });
    expect(hasNinth).toBe(false);
    expect(held.map(({ data }, n) => Buffer.from(data).equals(copies[n] as Buffer))).not.toContain(false);
    held[0]?.release();
    expect((await ninth).index).toBe(8);
    await frames.return();
    for (const frame of held) frame.release();
  });

  it('takes stills along that equal those made by themselves, also of a frame that repeats another', async () => {
    const orders = [
      { index: 7, widthPx: 48, heightPx: 32 },
      { index: 7, widthPx: 24, heightPx: 16 },
      { index: 28, widthPx: 48, heightPx: 32 },
      { index: 20, widthPx: 48, heightPx: 32 },
    ];
    for (const someThreads of [pool, twoThreads]) {
      const got = new Map<StillRequest, Buffer>();
      const onStill = (order: StillRequest, rgba: Uint8Array) => void got.set(order, Buffer.from(rgba));
      await collect(someThreads.renderSpans({ ...request(), stills: orders, onStill }));
      expect([...got.keys()].toSorted((a, b) => orders.indexOf(a) - orders.indexOf(b))).toEqual(orders);
      for (const order of orders) {
        const [alone] = await pool.renderStills({ ...request(), frames: [order.index], size: order });
        expect(got.get(order)?.equals(alone!), JSON.stringify(order)).toBe(true);
      }
    }
  });

  it('stops on abort and can be used again', async () => {
    const controller = new AbortController();
    const frames = pool.renderSpans(request(), controller.signal);
    const first = (await frames.next()).value as RenderedFrame;
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(frames.next()).rejects.toBe(reason);
    first.release();
    expect(await collect(pool.renderSpans(request([{ startFrame: 0, endFrame: 2 }])))).toHaveLength(2);
  });

  it('refuses a second run while one is under way, and odd sides', async () => {
    const frames = pool.renderSpans(request());
    const first = (await frames.next()).value as RenderedFrame;
    await expect(pool.renderSpans(request()).next()).rejects.toMatchObject({ code: 'internal_error' });
    first.release();
    await frames.return();
    const odd = { ...request(), timeline: timeline({ ...board(), widthPx: 95 }) };
    await expect(pool.renderSpans(odd).next()).rejects.toMatchObject({ code: 'render_failed' });
  });

  it('reports a photo that cannot be read, and survives it', async () => {
    const [slope] = [...bench.photos.values()];
    const gone = { ...slope!, digest: 'gone', masterPath: `${bench.dir}/gone.yuv` };
    const failing = collect(
      pool.renderSpans({
        ...request(),
        timeline: timeline(JSON.parse(JSON.stringify(board()).replace('"slope"', '"gone"'))),
        photos: new Map([['gone', gone]]),
      }),
    );
    await expect(failing).rejects.toMatchObject({
      code: 'render_failed',
      message: expect.stringContaining('gone.yuv'),
      context: { url: 'https://example.com/slope.jpg' },
    });
    expect(await collect(pool.renderSpans(request([{ startFrame: 4, endFrame: 6 }])))).toHaveLength(2);
  });

  it('fails a run when the pool is closed, and leaves no thread', async () => {
    const workers: Worker[] = [];
    const note = (worker: Worker): void => void workers.push(worker);
    process.on('worker', note);
    const own = createRenderPool({ rasterizer });
    const frames = own.renderSpans(request());
    const first = (await frames.next()).value as RenderedFrame;
    process.off('worker', note);
    expect(workers).toHaveLength(1);
    await own.close();
    await expect(frames.next()).rejects.toMatchObject({ code: 'cancelled' });
    // Lent bytes outlive the thread.
    expect(first.data[0]).toBeGreaterThan(0);
    first.release();
    await expect(own.renderSpans(request()).next()).rejects.toMatchObject({ code: 'internal_error' });
    expect(
      process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length,
    ).toBeLessThanOrEqual(2);
  });
});

describe('renderStills', () => {
  it('averages areas and shows colours as sRGB', async () => {
    const colors = storyboard([
      scene([{ type: 'fill', id: 'left', box: { x: 0, y: 0, w: 48, h: 64 }, color: '#C81E28' }], {
        background: '#1E50C8',
      }),
    ]);
    const size = { widthPx: 6, heightPx: 4 };
    const [rgba] = await pool.renderStills({ ...request(), timeline: timeline(colors), frames: [0], size });
    const pixel = (x: number, y: number) => [
      ...(rgba as Uint8Array).subarray(4 * (y * 6 + x), 4 * (y * 6 + x) + 4),
    ];
    for (const [at, color] of [
      [0, [200, 30, 40, 255]],
      [5, [30, 80, 200, 255]],
    ] as const) {
      for (const [channel, value] of pixel(at, 2).entries()) {
        expect(Math.abs(value - (color[channel] as number))).toBeLessThanOrEqual(2);
      }
    }
  });

  it('gives the requested frames, in that order', async () => {
    const size = { widthPx: 48, heightPx: 32 };
    const stills = await pool.renderStills({ ...request(), frames: [20, 0, 20], size });
    expect(stills.map(({ length }) => length)).toEqual([48 * 32 * 4, 48 * 32 * 4, 48 * 32 * 4]);
    expect(Buffer.from(stills[0]!).equals(Buffer.from(stills[2]!))).toBe(true);
    expect(Buffer.from(stills[0]!).equals(Buffer.from(stills[1]!))).toBe(false);
  });
});
