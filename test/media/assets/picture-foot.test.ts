/** Streets at the foot of drawn pictures. Real photos are measured elsewhere. */
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { toColorCells } from '../../../src/media/assets/color-cells.ts';
import { bareFromOf } from '../../../src/media/assets/picture-foot.ts';

/** A house whose lawn, or whatever lies before it, begins at 0.6 of 256 x 171 px. */
async function bareFrom(foot: string, behind = '#8a6d58') {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="171">
    <rect width="256" height="171" fill="#6aa5e0"/><rect y="60" width="256" height="44" fill="${behind}"/>${foot}</svg>`;
  const { data, info } = await sharp(Buffer.from(svg))
    .flatten({ background: '#ffffff' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return bareFromOf(toColorCells({ data, widthPx: info.width, heightPx: info.height, channels: 3 }));
}

const ground = (fill: string, y = 103) => `<rect y="${y}" width="256" height="80" fill="${fill}"/>`;

it.each([
  ['asphalt', '#6f6e6c'],
  ['concrete in the sun', '#c3bdb2'],
  ['asphalt in the evening', '#58534a'],
])('finds where %s begins', async (_, fill) => {
  expect(await bareFrom(ground(fill))).toBeCloseTo(0.6, 1);
  expect(await bareFrom(ground('#4d7f3a') + ground(fill, 136))).toBeCloseTo(0.8, 1);
});

it('looks past the shadow of a curb and the lines of a car park', async () => {
  const lines =
    '<rect y="128" width="110" height="5" fill="#f4f4f4"/><rect y="140" width="60" height="4" fill="#3d5d2c"/>';
  expect(await bareFrom(ground('#6f6e6c') + lines)).toBeCloseTo(0.6, 1);
});

it.each([
  ['a lawn', ground('#4d7f3a')],
  ['dry grass', ground('#9b8457')],
  ['a pool', ground('#3d8fb5')],
  ['a lawn with a path', `${ground('#4d7f3a')}<rect x="90" y="103" width="60" height="80" fill="#b9b4aa"/>`],
  ['a street at night', ground('#1b1c1e')],
  ['a strip at the very edge', ground('#4d7f3a') + ground('#6f6e6c', 165)],
])('leaves %s as it is', async (_, foot) => {
  expect(await bareFrom(foot)).toBeUndefined();
});

it('takes a gray room for no street', async () => {
  expect(await bareFrom(ground('#c9c6c2'), '#d8d6d3')).toBeUndefined();
});
