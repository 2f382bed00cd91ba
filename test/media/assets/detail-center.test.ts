/** Where the furniture of drawn rooms stands. Real photos are measured elsewhere. */
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { toColorCells } from '../../../src/media/assets/color-cells.ts';
import { detailCenterOf } from '../../../src/media/assets/detail-center.ts';

const WALL = '#d8d4cc';
/** Above the furniture: a window with a view. */
const WINDOW =
  '<rect x="200" y="20" width="40" height="40" fill="#2f6db5"/><rect x="215" y="20" width="8" height="40" fill="#fff"/>';

async function detail(drawn: string) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="171"><rect width="256" height="171" fill="${WALL}"/>${drawn}</svg>`;
  const { data, info } = await sharp(Buffer.from(svg))
    .flatten({ background: '#ffffff' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return detailCenterOf(toColorCells({ data, widthPx: info.width, heightPx: info.height, channels: 3 }));
}

/** Stripes, as of a quilt, which cross the cells. */
const bed = (x: number, y = 95) =>
  Array.from(
    { length: 10 },
    (_, at) => `<rect x="${x + 2 + at * 8}" y="${y}" width="4" height="50" fill="#7a5640"/>`,
  ).join('');

it.each([
  ['left', 16, 0, 0.3],
  ['middle', 88, 0.42, 0.58],
  ['right', 160, 0.7, 1],
] as const)('finds a bed at the %s, whatever the window over it shows', async (_, x, least, most) => {
  const { x: found } = await detail(bed(x) + WINDOW);
  expect(found).toBeGreaterThanOrEqual(least);
  expect(found).toBeLessThanOrEqual(most);
});

it('looks at the middle of a picture of one color', async () => {
  expect((await detail('')).x).toBeCloseTo(0.5, 6);
});

it('is lower where what stands in a room is lower', async () => {
  const [high, low] = [await detail(bed(88, 80)), await detail(bed(88, 110))];
  expect(low.y - high.y).toBeGreaterThan(0.06);
});
