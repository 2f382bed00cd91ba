/** The house between its sky and its lawn, in drawn pictures. Real photos are measured elsewhere. */
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { toColorCells } from '../../../src/media/assets/color-cells.ts';
import { subjectOf } from '../../../src/media/assets/picture-subject.ts';

const SKIES = {
  blue: ['#6aa5e0', '#c4dcf2'],
  overcast: ['#fdfdfd', '#f2f3f5'],
  dusk: ['#5a5f96', '#e0a08c'],
} as const;

/** A house of 150 x 120 px with a tower at its right, 256 x 171 px in all. */
function house(sky: readonly [string, string], { ground = '#4d7f3a', more = '' } = {}): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="171">
    <linearGradient id="sky" x2="0" y2="1"><stop stop-color="${sky[0]}"/><stop offset="1" stop-color="${sky[1]}"/></linearGradient>
    <rect width="256" height="171" fill="url(#sky)"/>
    <rect y="128" width="256" height="43" fill="${ground}"/>
    <rect x="60" y="72" width="140" height="60" fill="#8a6d58"/>
    <path d="M52 72 L130 52 L208 72 Z" fill="#5b3a31"/>
    <rect x="176" y="24" width="16" height="60" fill="#7d6350"/>
    ${[80, 110, 140].map((x) => `<rect x="${x}" y="90" width="14" height="18" fill="#2c3440"/>`).join('')}
    ${more}
  </svg>`;
}

async function subject(svg: string) {
  const { data, info } = await sharp(Buffer.from(svg))
    .flatten({ background: '#ffffff' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return subjectOf(toColorCells({ data, widthPx: info.width, heightPx: info.height, channels: 3 }));
}

describe('a house', () => {
  it.each(Object.entries(SKIES))('ends at its tower and its lawn, under a %s sky', async (_, sky) => {
    const { left, right, tip, top, bottom } = (await subject(house(sky)))!;
    expect(tip * 171).toBeGreaterThan(19);
    expect(tip * 171).toBeLessThanOrEqual(25);
    expect(top * 171).toBeGreaterThan(48);
    expect(top * 171).toBeLessThan(68);
    expect(bottom * 171).toBeGreaterThanOrEqual(128);
    expect(bottom * 171).toBeLessThan(140);
    expect(left * 256).toBeGreaterThan(44);
    expect(left * 256).toBeLessThan(64);
    expect(right * 256).toBeGreaterThan(196);
    expect(right * 256).toBeLessThan(214);
  });

  it('does not end at clouds, a wire, a tree or a street', async () => {
    const more = `<ellipse cx="40" cy="14" rx="22" ry="6" fill="#f4f6fa"/>
      <path d="M100 8 V60" stroke="#333" stroke-width="1"/>
      <rect x="218" y="6" width="30" height="126" fill="#2f5a2a"/>`;
    const [plain, busy] = await Promise.all([
      subject(house(SKIES.blue)),
      subject(house(SKIES.blue, { more, ground: '#77777a' })),
    ]);
    expect(busy!.tip).toBeCloseTo(plain!.tip, 2);
    expect(busy!.bottom).toBeCloseTo(plain!.bottom, 1);
    expect(busy!.right).toBeCloseTo(plain!.right, 1);
  });
});

it.each([
  ['a room under a white ceiling', '#e9e7e2', '#f1eee8', '#9c7a55'],
  ['a room under a cool ceiling without plants', '#eceded', '#dcdcdc', '#b0b0ae'],
])('sees no sky in %s', async (_, ceiling, wall, floor) => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="171"><rect width="256" height="171" fill="${wall}"/>
    <path d="M0 0 H256 L200 40 H56 Z" fill="${ceiling}"/><path d="M0 171 H256 L200 120 H56 Z" fill="${floor}"/>
    <rect x="90" y="90" width="80" height="50" fill="#6b7685"/></svg>`;
  expect(await subject(svg)).toBeUndefined();
});

it.each([
  [1, 1],
  [3, 256],
  [256, 7],
])('can look at a picture of %d x %d px', (widthPx, heightPx) => {
  const data = new Uint8Array(widthPx * heightPx * 3).fill(255);
  expect(subjectOf(toColorCells({ data, widthPx, heightPx, channels: 3 }))).toBeUndefined();
});
