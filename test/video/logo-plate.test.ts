/** A logo from its file to the pixels of the card: what cannot be read on the paper gets a plate, the rest none. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { createRenderPool } from '../../src/media/render/render-pool.ts';
import { graphicsByDigest, photosByDigest } from '../../src/video/plan/gather-assets.ts';
import { planVideos } from '../../src/video/plan/plan-videos.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import { prepareIn } from '../media/assets/prepare-in.ts';

const SMALL = fileURLToPath(new URL('../../fixtures/small', import.meta.url));
const [WIDTH, HEIGHT] = [960, 540];
const INK = [0x1d, 0x22, 0x26];
const PAPER = [0xf4, 0xef, 0xe4];

const folder = temporaryFolder();

/** A frame of the card once all has come to rest, of an agent with a disc of one colour for a logo. */
const PHOTOS = [{ url: 'photos/front.jpg' }, { url: 'photos/kitchen.jpg' }];

async function cardWith(fill: string) {
  const disc = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><circle cx="200" cy="200" r="200" fill="${fill}"/></svg>`;
  await sharp(Buffer.from(disc))
    .png()
    .toFile(path.join(folder, `${fill}.png`));
  const url = path.join(folder, `${fill}.png`);
  const assets = await prepareIn(folder, {
    assets: PHOTOS,
    logos: [{ url }],
    baseDir: SMALL,
    workDir: path.join(folder, `work-${fill}`),
  });
  const agent = { id: 'a', first_name: 'Ada', last_name: 'Byron' };
  const [plan] = await planVideos({
    listing: { id: 'logo', assets: PHOTOS, agents: [agent] },
    options: {
      templateId: 'classic',
      templateData: { logo: url },
      quality: 'standard',
      minAssets: 1,
      force: false,
    },
    assets,
    fingerprint: () => 'test',
  });
  const { timeline } = plan!;
  const card = timeline.storyboard.scenes.at(-1)!;
  const logo = card.layers.find(({ type }) => type === 'graphic')!;
  const pool = createRenderPool();
  try {
    const [still] = await pool.renderStills({
      timeline,
      photos: photosByDigest(assets),
      graphics: graphicsByDigest(assets),
      frames: [timeline.totalFrames - 1],
      size: { widthPx: WIDTH, heightPx: HEIGHT },
    });
    const { x, y, w, h } = logo.box;
    // Half the card's size; two pixels inside of the box's corner, where a disc leaves it empty.
    const at = (px: number, py: number) => {
      const offset = 4 * (Math.round(py / 2) * WIDTH + Math.round(px / 2));
      return [...still!.subarray(offset, offset + 3)];
    };
    return { middle: at(x + w / 2, y + h / 2), corner: at(x + 4, y + 4), above: at(x + w / 2, y - 8) };
  } finally {
    await pool.close();
  }
}

function expectNear(actual: readonly number[], wanted: readonly number[]): void {
  const distance = Math.max(...actual.map((value, index) => Math.abs(value - wanted[index]!)));
  expect(distance, `${actual} against ${wanted}`).toBeLessThanOrEqual(3);
}

describe('a logo on the ivory card of classic', () => {
  it('stands on a dark plate when it is white', async () => {
    const { middle, corner, above } = await cardWith('white');
    expectNear(middle, [255, 255, 255]);
    for (const ground of [corner, above]) expectNear(ground, INK);
  });

  it('stands on the paper when it is dark', async () => {
    const { middle, corner, above } = await cardWith('navy');
    expectNear(middle, [0, 0, 128]);
    for (const ground of [corner, above]) expectNear(ground, PAPER);
  });
});
