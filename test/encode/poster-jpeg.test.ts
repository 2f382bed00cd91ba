import sharp from 'sharp';
import { expect, it } from 'vitest';
import { encodePoster } from '../../src/encode/poster-jpeg.ts';

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
