import sharp from 'sharp';
import { expect, it } from 'vitest';
import { encodePng, encodePoster, shrinkJpeg } from '../../../src/media/encode/still-image.ts';

it('encodePoster makes an sRGB JPEG of the frame, colours kept', async () => {
  const rgba = new Uint8Array(64 * 36 * 4);
  for (let i = 0; i < rgba.length; i += 4) rgba.set([200, 60, 30, 255], i);
  const jpeg = await encodePoster({ rgba, widthPx: 64, heightPx: 36 });
  const { format, width, height, space, chromaSubsampling, channels } = await sharp(jpeg).metadata();
  expect({ format, width, height, space, chromaSubsampling, channels }).toEqual({
    ...{ format: 'jpeg', width: 64, height: 36, space: 'srgb', chromaSubsampling: '4:4:4', channels: 3 },
  });
  const [red, green, blue] = (await sharp(jpeg).stats()).channels.map((channel) => channel.mean);
  expect(Math.abs(red! - 200) + Math.abs(green! - 60) + Math.abs(blue! - 30)).toBeLessThan(6);
});

it('encodePng keeps every pixel', async () => {
  const rgba = Uint8Array.from({ length: 6 * 4 * 4 }, (_, index) =>
    index % 4 === 3 ? 255 : (index * 37) % 256,
  );
  const png = await encodePng({ rgba, widthPx: 6, heightPx: 4 });
  expect((await sharp(png).metadata()).format).toBe('png');
  expect([...(await sharp(png).ensureAlpha().raw().toBuffer())]).toEqual([...rgba]);
});

it('shrinkJpeg keeps what is small, and scales down what is large', async () => {
  const rgba = Uint8Array.from({ length: 300 * 200 * 4 }, (_, index) => (index * 2_654_435_761) >>> 24);
  const jpeg = await encodePoster({ rgba, widthPx: 300, heightPx: 200 });
  expect(await shrinkJpeg(jpeg, jpeg.length)).toBe(jpeg);
  const small = await shrinkJpeg(jpeg, 9000);
  expect(small.length).toBeLessThanOrEqual(9000);
  const { width, height } = await sharp(small).metadata();
  expect(width! / height!).toBeCloseTo(1.5, 1);
});
