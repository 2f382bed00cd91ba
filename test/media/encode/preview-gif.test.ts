import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { frameDelays } from '../../../src/media/encode/gif/encode-gif.ts';
import { GifEncoder, makePreviewGif } from '../../../src/media/encode/gif/preview-gif.ts';

const WIDTH = 160;
const HEIGHT = 90;

/** A bright square that moves over a gradient which stands still. */
function movingSquare(frame: number): Uint8Array {
  const rgba = new Uint8Array(WIDTH * HEIGHT * 4);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const isSquare = x >= frame * 4 && x < frame * 4 + 20 && y >= 30 && y < 50;
      rgba.set(isSquare ? [250, 40, 30, 255] : [40 + x / 2, 80 + y, 160, 255], (y * WIDTH + x) * 4);
    }
  }
  return rgba;
}

function noise(frame: number): Uint8Array {
  const rgba = new Uint8Array(WIDTH * HEIGHT * 4);
  let state = frame + 1;
  for (let i = 0; i < rgba.length; i++) {
    state = (state * 1103515245 + 12345) % 2147483648;
    rgba[i] = i % 4 === 3 ? 255 : 100 + ((state >> 16) & 63);
  }
  return rgba;
}

const film = { widthPx: WIDTH, heightPx: HEIGHT, fps: 12 };
const frames = (count: number, paint: (frame: number) => Uint8Array) =>
  Array.from({ length: count }, (_, frame) => paint(frame));

const encoder = new GifEncoder();
afterAll(() => encoder.close());

/** A GIF of some scenes. */
function encode(scenes: readonly (readonly Uint8Array[])[], maxBytes?: number) {
  return makePreviewGif({
    ...film,
    sceneCount: scenes.length,
    encodeScene: (index, step) => encoder.encode({ ...film, frames: scenes[index]!, step }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  });
}

async function decode(gif: Uint8Array) {
  const image = sharp(gif, { animated: true });
  const { pages, delay, loop, pageHeight, width } = await image.metadata();
  const { data } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { pages, delay, loop, pageHeight, width, data };
}

function meanDifference(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! - b[i]!);
  return sum / a.length;
}

describe('a preview', () => {
  it('shows every frame, at its time, and loops for ever', async () => {
    const source = frames(24, movingSquare);
    const gif = await encode([source]);
    const { pages, delay, loop, pageHeight, width, data } = await decode(gif);
    expect({ pages, loop, pageHeight, width }).toEqual({
      pages: 24,
      loop: 0,
      pageHeight: HEIGHT,
      width: WIDTH,
    });
    expect(new Set(delay)).toEqual(new Set([80, 90]));
    expect(delay?.reduce((total, ms) => total + ms, 0)).toBe(2000);
    for (const [index, frame] of source.entries()) {
      const shown = data.subarray(index * frame.length, (index + 1) * frame.length);
      expect(meanDifference(shown, frame)).toBeLessThan(4);
    }
  });

  it('keeps plain areas plain, in exactly their colour', async () => {
    const paper = [244, 238, 227];
    const source = frames(6, (frame) => {
      const rgba = noise(frame);
      for (let i = 0; i < rgba.length / 2; i += 4) rgba.set(paper, i);
      return rgba;
    });
    const { data } = await decode(await encode([source]));
    const shades = new Set<string>();
    for (let i = 0; i < source[0]!.length / 2; i += 4) shades.add(data.subarray(i, i + 3).join());
    expect([...shades]).toEqual([paper.join()]);
  });

  it('takes frames that are views of a larger buffer, and leaves them as they are', async () => {
    const copies = frames(3, movingSquare);
    const all = Buffer.concat(copies);
    const views = copies.map(
      (frame, i) => new Uint8Array(all.buffer, all.byteOffset + i * frame.length, frame.length),
    );
    const [fromCopies, fromViews] = await Promise.all([copies, views].map((source) => encode([source])));
    expect(Buffer.from(fromViews!).equals(fromCopies!)).toBe(true);
    expect(Buffer.concat(views).equals(Buffer.concat(frames(3, movingSquare)))).toBe(true);
  });

  it('joins scenes, each in its own colours, equal to the scene alone', async () => {
    const red = [movingSquare(0), movingSquare(1)];
    const grey = frames(3, noise);
    const [both, ...alone] = await Promise.all(
      [[red, grey], [red], [grey]].map(async (scenes) => decode(await encode(scenes))),
    );
    expect(both!.pages).toBe(5);
    expect(both!.data.equals(Buffer.concat(alone.map(({ data }) => data)))).toBe(true);
  });

  it('shows equal frames once, for their whole time', async () => {
    const resting = await encode([[movingSquare(0), ...frames(11, () => movingSquare(1))]]);
    const { pages, delay } = await decode(resting);
    expect({ pages, delay }).toEqual({ pages: 2, delay: [80, 920] });
  });

  it('leaves out what did not change', async () => {
    const still = await encode([frames(12, () => movingSquare(0))]);
    const single = await encode([[movingSquare(0)]]);
    expect(still.length).toBeLessThan(single.length * 1.5);
  });

  it('gives up colours and frames until it fits, but no time', async () => {
    const source = frames(12, noise);
    const free = await encode([source]);
    const gif = await encode([source], 60_000);
    expect(free.length).toBeGreaterThan(120_000);
    expect(gif.length).toBeLessThanOrEqual(60_000);
    const { delay, loop } = await decode(gif);
    expect(loop).toBe(0);
    expect(delay?.reduce((total, ms) => total + ms, 0)).toBe(1000);
  });

  it('is stopped by an abort', async () => {
    const abort = new AbortController();
    const making = encoder.encode({ ...film, frames: frames(24, noise), step: 0 }, abort.signal);
    abort.abort();
    await expect(making).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  });

  it('refuses frames of another size', async () => {
    const making = encode([[new Uint8Array(12)]]);
    await expect(making).rejects.toMatchObject({ code: 'encode_failed' });
  });

  it('asks for no more scenes at a step that those before are too large for', async () => {
    const asked: string[] = [];
    const sizes = [
      [400, 800, 100],
      [300, 300, 100],
    ];
    const gif = await makePreviewGif({
      ...film,
      sceneCount: 3,
      maxBytes: 1000,
      encodeScene: async (scene, step) => {
        asked.push(`${step}.${scene}`);
        return new Uint8Array(sizes[step]![scene]!);
      },
    });
    expect(asked).toEqual(['0.0', '0.1', '1.0', '1.1', '1.2']);
    expect(gif.length).toBeLessThanOrEqual(1000);
  });
});

describe('frameDelays', () => {
  it('carries the rounding on', () => {
    expect(frameDelays(6, 12, 1)).toEqual([8, 9, 8, 8, 9, 8]);
    expect(frameDelays(5, 10, 2)).toEqual([20, 20, 10]);
  });
});
