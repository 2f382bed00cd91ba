/** What pictures look like: floor plans, one flat color, and the photos that are neither. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp, { type Sharp } from 'sharp';
import { expect, it } from 'vitest';
import type { ListingPhoto } from '../../../src/design/photo.ts';
import { imageKey } from '../../../src/media/assets/collect-assets.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { prepareIn } from './prepare-in.ts';

const FIXTURES = fileURLToPath(new URL('../../../fixtures/photos', import.meta.url));
const folder = temporaryFolder();
const [WIDTH, HEIGHT] = [1200, 900];

let runs = 0;
/** @param pictures - Files, or what is drawn for them. */
async function looksOf(pictures: Readonly<Record<string, string | Sharp>>) {
  runs += 1;
  const run = path.join(folder, String(runs));
  mkdirSync(run);
  const urls: Record<string, string> = {};
  for (const [name, picture] of Object.entries(pictures)) {
    urls[name] = typeof picture === 'string' ? picture : path.join(run, name);
    if (typeof picture !== 'string') writeFileSync(urls[name], await picture.toBuffer());
  }
  const looks: Record<string, ListingPhoto['looksLike']> = {};
  const names = new Map(Object.entries(urls).map(([name, url]) => [imageKey('photo', url), name]));
  await prepareIn(run, {
    assets: Object.values(urls).map((url) => ({ url })),
    onImage: async (key, outcome) => {
      if (outcome instanceof Error) throw outcome;
      looks[names.get(key)!] = outcome.image.image.looksLike;
    },
  });
  return looks;
}

const draw = (shapes: string) =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${shapes}</svg>`,
    ),
  );
const ground = (color: string) => `<rect width="${WIDTH}" height="${HEIGHT}" fill="${color}"/>`;
const rooms = (ink: string, wallPx: number, fill = 'none') =>
  `<g stroke="${ink}" stroke-width="${wallPx}" fill="${fill}"><rect x="150" y="110" width="520" height="380"/>
  <rect x="670" y="110" width="380" height="380" fill="none"/><rect x="150" y="490" width="380" height="300" fill="none"/>
  <rect x="530" y="490" width="520" height="300" fill="none"/></g>
  <g stroke="${ink}" stroke-width="2" fill="none"><circle cx="300" cy="620" r="45"/><rect x="760" y="560" width="150" height="90"/>
  <path d="M670 220 A110 110 0 0 1 780 330"/></g>
  <text x="330" y="300" font-size="28" fill="${ink}">LIVING 18 x 14</text><text x="720" y="420" font-size="28" fill="${ink}">KITCHEN</text>`;

it('takes drawings on paper for floor plans', async () => {
  const scan = await draw(ground('#f7f1e3') + rooms('#222', 8))
    .rotate(0.8, { background: '#f4eede' })
    .blur(0.8)
    .removeAlpha()
    .composite([
      {
        input: {
          create: {
            width: 400,
            height: 300,
            channels: 3,
            background: '#888',
            noise: { type: 'gaussian', mean: 128, sigma: 20 },
          },
        },
        tile: true,
        blend: 'soft-light',
      },
    ])
    .png()
    .toBuffer();
  const plans = {
    'black walls': draw(ground('#fff') + rooms('#000', 9)).png(),
    'thin lines': draw(ground('#fff') + rooms('#000', 2)).jpeg({ quality: 30 }),
    'gray paper': draw(ground('#e6e6e6') + rooms('#444', 8)).jpeg({ quality: 60 }),
    'a colored room': draw(ground('#fff') + rooms('#222', 8, '#f3d9b0')).png(),
    scanned: sharp(scan).jpeg({ quality: 40 }),
  };
  const looks = await looksOf(plans);
  expect(looks).toEqual(Object.fromEntries(Object.keys(plans).map((name) => [name, 'floor_plan'])));
});

it('takes no photo for anything else, also where much of it is white', async () => {
  const names = readdirSync(FIXTURES);
  const white = (name: string) => sharp(path.join(FIXTURES, name)).resize(WIDTH).jpeg({ quality: 80 });
  const facade = await sharp(path.join(FIXTURES, '01-front.jpg')).resize(600).png().toBuffer();
  const looks = await looksOf({
    ...Object.fromEntries(names.map((name) => [name, path.join(FIXTURES, name)])),
    'overexposed bathroom': white('11-bathroom.jpg').linear(1.8, 30),
    'overexposed bedroom': white('09-primary-bedroom.jpg').linear(2, 30),
    'a house in the snow': sharp({
      create: { width: WIDTH, height: 800, channels: 3, background: '#f8fafb' },
    })
      .composite([{ input: facade, gravity: 'centre' }])
      .jpeg({ quality: 80 }),
    'a white sky': sharp({ create: { width: 600, height: 1000, channels: 3, background: '#fdfdfd' } })
      .composite([{ input: facade, gravity: 'south' }])
      .jpeg({ quality: 80 }),
    'a wall in fog': draw(
      `<linearGradient id="g" x2="1" y2="1"><stop stop-color="#fff"/><stop offset="1" stop-color="#ddd"/></linearGradient>${ground('url(#g)')}`,
    ).jpeg({ quality: 80 }),
    'a page with words': draw(
      `${ground('#fff')}<text x="400" y="450" font-size="40">Coming soon</text>`,
    ).png(),
  });
  expect(Object.entries(looks).filter(([, look]) => look !== undefined)).toEqual([]);
});

it('names pictures of one flat color', async () => {
  const flat = (color: string) => draw(ground(color)).jpeg({ quality: 60 });
  const noise = { type: 'gaussian', mean: 9, sigma: 6 } as const;
  const looks = await looksOf({
    black: flat('#000'),
    white: flat('#fff'),
    green: flat('#3a5'),
    'lens cap': sharp({
      create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#000', noise },
    }).jpeg(),
  });
  expect(new Set(Object.values(looks))).toEqual(new Set(['blank']));
});
