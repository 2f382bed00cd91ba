/**
 * Large photos for benchmarks, made from the shipped fixtures: enlarged, with fresh grain, so that they decode like
 * camera files.
 */
import { mkdir, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

const FIXTURES = fileURLToPath(new URL('../../fixtures/photos', import.meta.url));

/**
 * Writes `count` distinct JPEGs (quality 90) of about `megapixels`, 4:3 or the fixture's own shape, and returns their
 * paths. Existing files of the same name are kept. From the thirteenth on, photos repeat mirrored or cropped
 * differently, so that none is a duplicate of another.
 */
export async function makePhotos(folder: string, count: number, megapixels: number): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const sources = (await readdir(FIXTURES)).filter((name) => name.endsWith('.jpg')).sort();
  const paths: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const target = path.join(folder, `${String(index + 1).padStart(3, '0')}-${megapixels}mp.jpg`);
    paths.push(target);
    if (await stat(target).catch(() => null)) continue;
    const round = Math.floor(index / sources.length);
    const source = path.join(FIXTURES, sources[index % sources.length]!);
    const { width = 1920, height = 1280 } = await sharp(source).metadata();
    const inset = 0.045 * round;
    const region = {
      left: Math.round(width * inset * (round % 3 === 1 ? 2 : 0.3)),
      top: Math.round(height * inset * (round % 3 === 2 ? 1.6 : 0.3)),
      width: Math.round(width * (1 - 2.4 * inset)),
      height: Math.round(height * (1 - 2.4 * inset)),
    };
    const scale = Math.sqrt((megapixels * 1e6) / (region.width * region.height));
    const size = { width: Math.round(region.width * scale), height: Math.round(region.height * scale) };
    const grain = await sharp({
      create: {
        ...size,
        channels: 3,
        background: '#808080',
        noise: { type: 'gaussian', mean: 128, sigma: 5 },
      },
    })
      .png({ compressionLevel: 0 })
      .toBuffer();
    const enlarged = sharp(source)
      .extract(region)
      .flop(round % 2 === 1)
      .resize(size.width, size.height, { fit: 'fill' });
    await sharp(await enlarged.png({ compressionLevel: 0 }).toBuffer())
      .composite([{ input: grain, blend: 'soft-light' }])
      .jpeg({ quality: 90 })
      .toFile(target);
  }
  return paths;
}
