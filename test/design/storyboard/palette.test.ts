/** Colors of a listing's own, kept readable. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contrastRatio, lumaOf, resolvePalette, shadeOf } from '../../../src/design/storyboard/palette.ts';
import { classic } from './sample.ts';

const color = fc
  .tuple(fc.nat(255), fc.nat(255), fc.nat(255))
  .map((rgb) => `#${rgb.map((value) => value.toString(16).padStart(2, '0')).join('')}`.toUpperCase());

describe('resolvePalette', () => {
  it('is the template’s when the data give no colour', () => {
    expect(resolvePalette(classic.palette, {})).toMatchObject({ palette: classic.palette, warnings: [] });
  });

  it('has the contrasts that the templates rely on', () => {
    const { paper, ink, soft, accentText } = classic.palette;
    expect(contrastRatio(ink, paper)).toBeCloseTo(14.0, 0);
    expect(contrastRatio(soft, paper)).toBeCloseTo(6.4, 0);
    expect(contrastRatio(accentText, paper)).toBeCloseTo(5.4, 0);
  });

  it('can be read with any given colours', () => {
    fc.assert(
      fc.property(fc.option(color), fc.option(color), fc.option(color), (accent, paper, ink) => {
        const { palette } = resolvePalette(classic.palette, {
          ...(accent && { accent }),
          ...(paper && { paper }),
          ...(ink && { ink }),
        });
        for (const role of ['ink', 'soft', 'accentText'] as const) {
          expect(contrastRatio(palette[role], palette.paper)).toBeGreaterThanOrEqual(4.5);
        }
      }),
    );
  });

  it('says so when an ink is refused', () => {
    const { palette, warnings } = resolvePalette(classic.palette, { ink: '#EEEEEE' });
    expect(palette.ink).toBe('#1D2226');
    expect(warnings).toHaveLength(1);
  });

  it('says so when the template’s own ink is, and not when another paper takes it away', () => {
    const pale = { ...classic.palette, ink: '#DDDDDD', paper: '#FFFFFF' };
    expect(resolvePalette(pale, {}).warnings).toEqual([
      'the template’s ink #DDDDDD has a contrast of 1.4 on the paper #FFFFFF; at least 4.5 is needed, so #000000 is drawn',
    ]);
    expect(resolvePalette(classic.palette, { paper: '#111111' }).warnings).toEqual([]);
  });
});

describe('shadeOf', () => {
  it('makes of any color a ground of middle lightness, on which white can be read', () => {
    fc.assert(
      fc.property(color, (own) => {
        const shade = shadeOf(own);
        expect(lumaOf(shade)).toBeGreaterThan(0.13);
        expect(contrastRatio('#FFFFFF', shade)).toBeGreaterThanOrEqual(4.5);
      }),
    );
    expect(shadeOf('#FFFFFF')).toBe('#757575');
    expect(shadeOf('#000000')).toBe('#383838');
  });
});
