import { describe, expect, it } from 'vitest';
import { createTextMeasurer } from '../../../src/design/text/text-measurer.ts';
import { GARAMOND } from './garamond.ts';

const measurer = await createTextMeasurer();

describe('createTextMeasurer', () => {
  it('measures in px, proportionally to the size', () => {
    const at100 = measurer.measure('Harbor & Pine', GARAMOND);
    const at50 = measurer.measure('Harbor & Pine', { ...GARAMOND, sizePx: 50 });
    expect(at50.widthPx).toBeCloseTo(at100.widthPx / 2);
    expect(at50.ink.topPx).toBeCloseTo(at100.ink.topPx / 2);
  });

  it('knows the style frames: widths measured there, in px', () => {
    // classic-16x9-card.jpg: ink from 914 to 1229, 911 to 1419, 914 to 1419.
    const inkWidth = (text: string, sizePx: number): number => {
      const { ink } = measurer.measure(text, { ...GARAMOND, sizePx });
      return ink.rightPx - ink.leftPx;
    };
    expect(Math.abs(inkWidth('(503) 555-0128', 54) - 315)).toBeLessThan(1.5);
    expect(Math.abs(inkWidth('june.takemori@example.com', 46) - 508)).toBeLessThan(1.5);
    expect(Math.abs(inkWidth('Harbor & Pine Realty', 60) - 505)).toBeLessThan(1.5);
  });

  it('gives the metrics of the family, whatever script stands in the line', () => {
    for (const text of ['Hx', 'ليلى', '']) {
      const metrics = measurer.measure(text, GARAMOND);
      expect(metrics.capHeightPx).toBeCloseTo(65);
    }
  });

  it('reads ink downwards from the baseline', () => {
    const { ink } = measurer.measure('Hp', GARAMOND);
    expect(ink.topPx).toBeCloseTo(-65.5, 0);
    expect(ink.bottomPx).toBeGreaterThan(20);
    expect(measurer.measure(' ', GARAMOND).ink).toEqual({ leftPx: 0, topPx: 0, rightPx: 0, bottomPx: 0 });
  });

  it('asks for a taller line only where a fallback script stands', () => {
    expect(measurer.measure('Hello', GARAMOND).minLineHeight).toBeUndefined();
    expect(measurer.measure('Hello שלום', GARAMOND).minLineHeight).toBe(1.35);
  });

  it('keeps styles apart in its memory', () => {
    const text = 'Same words';
    const widths = [
      GARAMOND,
      { ...GARAMOND, italic: true },
      { ...GARAMOND, weight: 500 as const },
      { ...GARAMOND, trackingEm: 0.1 },
      { ...GARAMOND, features: { smcp: 1 as const } },
    ].map((style) => measurer.measure(text, style).widthPx);
    expect(new Set(widths).size).toBe(widths.length);
    expect(measurer.measure(text, GARAMOND).widthPx).toBe(widths[0]);
  });
});
