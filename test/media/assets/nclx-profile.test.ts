/** Colours that a file describes with code points. */
import { describe, expect, it } from 'vitest';
import { toNclxConverter } from '../../../src/media/assets/decode/nclx-profile.ts';

const [BT_709, BT_2020, P3] = [1, 9, 12];
const [GAMMA_22, SRGB, PQ, HLG] = [4, 13, 16, 18];

function convert(primaries: number, transfer: number, ...pixel: number[]): number[] {
  const pixels = Uint8Array.from(pixel);
  toNclxConverter(primaries, transfer)!.convert(pixels, 3);
  return [...pixels];
}

describe('code points', () => {
  it.each([
    [BT_709, SRGB],
    [BT_709, BT_709],
    [2, 2],
    [BT_709, HLG],
  ])('%i and %i need no conversion', (primaries, transfer) => {
    expect(toNclxConverter(primaries, transfer)).toBeNull();
  });

  it.each([
    [P3, SRGB],
    [BT_2020, BT_709],
    [BT_2020, HLG],
    [BT_709, GAMMA_22],
  ])('%i and %i keep black, white and grey', (primaries, transfer) => {
    const grey = convert(primaries, transfer, 128, 128, 128);
    expect(convert(primaries, transfer, 0, 0, 0)).toEqual([0, 0, 0]);
    expect(convert(primaries, transfer, 255, 255, 255)).toEqual([255, 255, 255]);
    for (const value of grey) expect(Math.abs(value - 128)).toBeLessThanOrEqual(1);
  });

  it('of wide primaries make colours stronger', () => {
    expect(convert(P3, SRGB, 180, 100, 90)).toEqual([193, 95, 86]);
    expect(convert(BT_2020, BT_709, 180, 100, 90)).toEqual([214, 83, 86]);
  });

  it('of PQ show paper white bright, and brighter light still brighter', () => {
    // 203 cd/m² is 0.58 of the range, 1000 cd/m² is 0.75.
    const [shade, white, lamp] = [0.4, 0.58, 0.75].map((part) => {
      const value = Math.round(255 * part);
      return convert(BT_2020, PQ, value, value, value)[0]!;
    });
    expect(shade).toBeGreaterThan(80);
    expect(shade).toBeLessThan(140);
    expect(white).toBeGreaterThan(235);
    expect(lamp).toBeGreaterThan(white!);
  });
});
