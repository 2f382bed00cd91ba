/** The QR code of a link, read from finished frames of every template as a phone would: the frame at 480 px width. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import jsqr from 'jsqr';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Listing } from '../../src/listing/listing.ts';
import type { PreparedAssets } from '../../src/media/assets/prepare-assets.ts';
import { createRenderPool, type RenderPool } from '../../src/media/render/render-pool.ts';
import { graphicsByDigest, photosByDigest } from '../../src/video/plan/gather-assets.ts';
import { RATIOS, sampleStoryboard, sampleTimeline, templates } from '../design/storyboard/sample.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import { prepareIn } from '../media/assets/prepare-in.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));
const WIDTH = 480;
const SHORT = 'https://harborpine.example/128-harbor-pine-lane';
/** As long as a code can hold: 106 characters. */
const LONG = `https://harborpine.example/${'x'.repeat(79)}`;

const work = temporaryFolder();
let assets: PreparedAssets;
let pool: RenderPool;

beforeAll(async () => {
  const listing = JSON.parse(await readFile(path.join(FIXTURES, 'listing.json'), 'utf8')) as Listing;
  assets = await prepareIn(work, {
    assets: listing.assets.slice(0, 3),
    pictures: [{ url: listing.agents[0]!.picture! }],
    baseDir: FIXTURES,
  });
  pool = createRenderPool({ threads: 1 });
});

afterAll(async () => {
  await pool?.close();
});

/** What a phone reads in the last frame. */
async function scan(sample: Parameters<typeof sampleStoryboard>[0]): Promise<string | undefined> {
  const storyboard = sampleStoryboard({
    ...sample,
    photos: assets.photos,
    portrait: [...assets.pictures.values()][0] ?? null,
  });
  const timeline = sampleTimeline(storyboard, 'qr');
  const heightPx = Math.round((WIDTH * storyboard.heightPx) / storyboard.widthPx);
  const [rgba] = await pool.renderStills({
    timeline,
    photos: photosByDigest(assets),
    graphics: graphicsByDigest(assets),
    frames: [timeline.totalFrames - 1],
    size: { widthPx: WIDTH, heightPx },
  });
  // A CommonJS package: under Node its function is the default of its default.
  const read =
    (jsqr as unknown as { default?: typeof jsqr.default }).default ??
    (jsqr as unknown as typeof jsqr.default);
  return read(Uint8ClampedArray.from(rgba!), WIDTH, heightPx, { inversionAttempts: 'dontInvert' })?.data;
}

describe.each(templates.map((template) => [template.id, template] as const))(
  'the code of %s',
  (_, template) => {
    it.each(RATIOS)('is read from a frame of 480 px width in %s', async (ratio) => {
      expect(await scan({ template, ratio, data: { link: LONG } })).toBe(LONG);
    });
  },
);

it('is read from a dark page as well', async () => {
  expect(await scan({ data: { link: SHORT, paper: '#12233A' } })).toBe(SHORT);
});
