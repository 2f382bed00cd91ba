import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  breakableEmail,
  breakableStreet,
  joinWithMiddleDots,
  unbreakable,
} from '../../../src/design/text/break-text.ts';
import { type FitRequest, type FittedText, fitText } from '../../../src/design/text/fit-text.ts';
import type { TextMeasurer } from '../../../src/design/text/text.ts';
import { createTextMeasurer } from '../../../src/design/text/text-measurer.ts';
import { GARAMOND } from './garamond.ts';

/** Every character is half an em wide, marks and combining marks nothing. */
const TYPEWRITER: TextMeasurer = {
  measure: (text, { sizePx }) => ({
    widthPx: Array.from(text.replace(/[\p{M}\u200e\u200f\u200d]/gu, '')).length * sizePx * 0.5,
    ink: { leftPx: 0, topPx: 0, rightPx: 0, bottomPx: 0 },
    capHeightPx: sizePx * 0.65,
    missing: text.includes('★') ? [0x2605] : [],
    ...(/\p{Script=Arabic}/u.test(text) ? { minLineHeight: 1.35 } : {}),
  }),
  measureWords: () => [],
};

type Options = Partial<FitRequest> & { full?: number; min?: number; width?: number };

/** Full size 100, minimum 50, 1000 px wide: 20 characters at full size, 40 at the minimum. */
function fitWords(text: string, { full = 100, min = 50, width = 1000, ...rest }: Options = {}): FittedText {
  return fitText({
    text,
    style: { ...GARAMOND, sizePx: full },
    minSizePx: min,
    widthPx: width,
    maxLines: 2,
    measurer: TYPEWRITER,
    ...rest,
  });
}

function texts(fitted: FittedText): string[] {
  return fitted.lines.map((line) => line.text);
}

describe('fitText', () => {
  it('leaves a text that fits at full size on one line', () => {
    expect(fitWords('Twenty letters here.')).toMatchObject({
      style: { sizePx: 100 },
      lines: [{ text: 'Twenty letters here.', widthPx: 1000 }],
      widthPx: 1000,
      truncated: false,
      isBelowMin: false,
    });
  });

  it('shrinks first, on one line, by whole pixels', () => {
    const fitted = fitWords('Thirty letters on one line yes');
    expect(fitted.style.sizePx).toBe(66);
    expect(fitted.lines).toHaveLength(1);
    expect(fitWords('a'.repeat(40)).style.sizePx).toBe(50);
  });

  it('then wraps, from 0.8 of the full size, in balance', () => {
    const text = 'one two three four five six seven eight nine ten';
    expect(fitWords(text)).toMatchObject({
      style: { sizePx: 80 },
      lines: [{ text: 'one two three four five' }, { text: 'six seven eight nine ten' }],
    });
    const uneven = 'one two three four fives six seven eight';
    expect(texts(fitWords(uneven, { min: 70 }))).toEqual(['one two three four', 'fives six seven eight']);
  });

  it('begins no line with an ampersand where another break fits', () => {
    const office = (width: number) => texts(fitWords('Harrington & Lowell', { width, wrapFirst: true }));
    expect(office(600)).toEqual(['Harrington &', 'Lowell']);
    expect(office(550)).toEqual(['Harrington', '& Lowell']);
  });

  it('shrinks again while wrapped', () => {
    const fitted = fitWords('Twenty-nine letters are here. And twenty-seven come after.');
    expect(fitted.style.sizePx).toBe(68);
    expect(texts(fitted)).toEqual(['Twenty-nine letters are here.', 'And twenty-seven come after.']);
  });

  it('at last cuts at a grapheme, at the minimum', () => {
    const fitted = fitWords(
      'It was the best of times, it was the worst of times, it was the age of wisdom, it was',
    );
    expect(fitted).toMatchObject({ style: { sizePx: 50 }, truncated: true, isBelowMin: false });
    expect(texts(fitted)).toEqual([
      'It was the best of times, it was the',
      'worst of times, it was the age of wisdo…',
    ]);
    expect(texts(fitWords('e\u0301'.repeat(60), { maxLines: 1 }))).toEqual([`${'e\u0301'.repeat(39)}…`]);
    expect(texts(fitWords(`${'a'.repeat(38)}, bcd`, { maxLines: 1 }))).toEqual([`${'a'.repeat(38)}…`]);
  });

  it('breaks a word that no line holds rather than lose what a further line could show', () => {
    const fitted = fitWords('a'.repeat(70));
    expect(texts(fitted)).toEqual([`${'a'.repeat(39)}-`, 'a'.repeat(31)]);
    expect(fitted.truncated).toBe(false);
    // Where the word has a joint of its own, and in scripts without hyphens, none is added.
    expect(texts(fitWords(`${'a'.repeat(38)}_${'a'.repeat(20)}`))[0]).toBe(`${'a'.repeat(38)}_`);
    expect(texts(fitWords('\u05d0'.repeat(70)))[0]).not.toContain('-');
  });

  it('adds no hyphen to a web address, of which it would become a part', () => {
    const host = 'a'.repeat(60);
    const lines = texts(fitWords(`${host}\u200b.example\u200b.com`, { maxLines: 3 }));
    expect(lines.join('')).toBe(`${host}.example.com`);
    expect(texts(fitWords('harborpine\u200b.example\u200b.com', { width: 330 }))).toEqual([
      'harborpine',
      '.example.com',
    ]);
  });

  it('parts a glued pair at its space before it breaks a word', () => {
    const street = breakableStreet('1600 Pennsylvaniapennsylvaniapenn Avenue');
    expect(texts(fitWords(street, { width: 800, maxLines: 3 }))).toEqual([
      '1600',
      'Pennsylvaniapennsylvaniapenn',
      'Avenue',
    ]);
  });

  it('wraps at full size first when the text is meant to stand on several lines', () => {
    const street = breakableStreet('128 Harbor Pine Lane');
    expect(fitWords(street, { width: 600, maxLines: 3, wrapFirst: true })).toMatchObject({
      style: { sizePx: 100 },
      lines: [{ text: '128 Harbor' }, { text: 'Pine Lane' }],
    });
    expect(fitWords('Short', { wrapFirst: true }).lines).toHaveLength(1);
    expect(fitWords(street, { width: 600, maxLines: 1, wrapFirst: true }).style.sizePx).toBe(60);
  });

  it('keeps a full size that lies under the minimum', () => {
    expect(fitWords('Short', { full: 40, min: 50 }).style.sizePx).toBe(40);
  });

  it('has no lines for a blank text', () => {
    for (const text of ['', '  ', '\u00a0\u2060']) {
      expect(fitWords(text)).toMatchObject({ lines: [], widthPx: 0, truncated: false });
    }
  });

  it('breaks no unbreakable word', () => {
    const words = ['OR 201250142', 'WA 118034', 'CA DRE #01234567'];
    const text = words.map(unbreakable).join(' ');
    expect(texts(fitWords(text, { full: 60, min: 60, width: 600, maxLines: 3 }))).toEqual(words);
  });

  it('reports what is missing in the whole text, also behind the ellipsis', () => {
    expect(fitWords(`${'a'.repeat(90)} ★`).missing).toEqual([0x2605]);
  });

  it('raises the line height where a fallback script needs it', () => {
    expect(fitWords('Laila').style.lineHeight).toBe(1.02);
    expect(fitWords('ليلى').style.lineHeight).toBe(1.35);
  });

  it('keeps the direction of the whole text on every line', () => {
    const rightToLeft = fitWords('ليلى الحسيني من بيت كبير Villa Rosa Nova 12 House');
    expect(rightToLeft.lines).toHaveLength(2);
    expect(rightToLeft.lines[0]!.text.startsWith('ل')).toBe(true);
    expect(rightToLeft.lines[1]!.text).toMatch(/^\u200f/);
    const leftToRight = fitWords('The house that is known as بيت العائلة الكبيرة في المدينة');
    expect(leftToRight.lines[1]!.text).toMatch(/^(\u200e|[A-Za-z])/);
  });
});

describe('what must stay whole', () => {
  it('shrinks under the minimum and says so', () => {
    const phone = fitWords(unbreakable('+44 20 7946 0958 ext. 12345 or 67890 at night'), { ellipsis: false });
    expect(phone).toMatchObject({ isBelowMin: true, truncated: false, style: { sizePx: 44 } });
    expect(phone.lines).toHaveLength(1);
  });

  it('can take more lines where it has break opportunities', () => {
    const email = fitWords(breakableEmail('maximiliana.featherstonehaugh@residential.example.com'), {
      ellipsis: false,
    });
    expect(texts(email)).toEqual(['maximiliana.featherstonehaugh', '@residential.example.com']);
    expect(email.style.sizePx).toBe(68);
  });

  it('never gets wider than its box', () => {
    const fitted = fitWords(unbreakable('x'.repeat(255)), { ellipsis: false });
    expect(fitted.widthPx).toBeLessThanOrEqual(1000);
    expect(fitted.style.sizePx).toBe(7);
  });
});

describe('with the bundled fonts', async () => {
  const measurer = await createTextMeasurer();
  const card = { min: 60, full: 108, width: 816, measurer };

  it.each([
    [
      'a long name',
      'Maximiliana Alexandrina Konstantinopoulou-Wolfeschlegelsteinhausen '.repeat(4).slice(0, 255),
    ],
    ['a name without spaces', 'W'.repeat(255)],
    ['an Arabic name', 'ليلى الحسيني '.repeat(20)],
    ['a Thai name', 'สวัสดีครับ'.repeat(25)],
    ['marks upon marks', `a${'\u0301'.repeat(254)}`],
    ['emoji alone', '👨‍👩‍👧'.repeat(30)],
    ['ten thousand letters', 'lorem ipsum '.repeat(840)],
  ])('holds %s in two lines', (_, text) => {
    const fitted = fitWords(text, card);
    expect(fitted.lines.length).toBeLessThanOrEqual(2);
    expect(fitted.style.sizePx).toBeGreaterThanOrEqual(60);
    for (const line of fitted.lines) {
      expect(line.widthPx).toBeLessThanOrEqual(816.01);
      expect(line.widthPx).toBe(measurer.measure(line.text, fitted.style).widthPx);
    }
  });

  it('sets twenty licenses whole, a dot at the end of a line', () => {
    const licenses = Array.from({ length: 20 }, (_, index) => `OR ${201250142 + index}`);
    const fitted = fitWords(joinWithMiddleDots(licenses), {
      full: 36,
      min: 36,
      width: 816,
      maxLines: 7,
      measurer,
    });
    expect(fitted.truncated).toBe(false);
    expect(texts(fitted).join(' ')).toBe(licenses.join(' · '));
    for (const line of texts(fitted).slice(0, -1)) expect(line).toMatch(/^OR \d+ .*·$/);
  });

  it('sets the address of the style frame on its two lines at full size', () => {
    const style = { ...GARAMOND, sizePx: 80, trackingEm: -0.014 };
    const text = breakableStreet('128 Harbor Pine Lane');
    const fitted = fitText({
      text,
      style,
      widthPx: 368,
      minSizePx: 56,
      maxLines: 3,
      wrapFirst: true,
      measurer,
    });
    expect(fitted).toMatchObject({
      style: { sizePx: 80 },
      lines: [{ text: '128 Harbor' }, { text: 'Pine Lane' }],
    });
  });
});

describe('for any text', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc
      .array(fc.constantFrom('word', ' ', '-', 'ليلى', '\u00a0', '·', '@', '9', '東京', '👍', '\u200b'), {
        maxLength: 40,
      })
      .map((parts) => parts.join('')),
  );

  it('fills no more lines than allowed, none too wide, and loses nothing unless it says so', () => {
    fc.assert(
      fc.property(
        anyText,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 60, max: 1500 }),
        (text, maxLines, width) => {
          const fitted = fitWords(text, { maxLines, width });
          expect(fitted.lines.length).toBeLessThanOrEqual(maxLines);
          for (const line of fitted.lines) expect(line.widthPx).toBeLessThanOrEqual(width + 0.01);
          const solid = (value: string): string => value.replace(/[\s\u200b\u200e\u200f\u2060\ufeff]/g, '');
          const whole = solid(text);
          // A word that is wider than a line gets hyphens.
          const shown = texts(fitted).reduce((before, line) => {
            const after = before + solid(line);
            return whole.startsWith(after) ? after : after.replace(/-$/, '');
          }, '');
          if (!fitted.truncated) expect(shown).toBe(whole);
          else expect(shown.endsWith('…')).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('fitText with real fonts', () => {
  async function fitReal(text: string, options: Partial<FitRequest> = {}): Promise<FittedText> {
    return fitText({
      text,
      style: GARAMOND,
      widthPx: 500,
      minSizePx: 60,
      maxLines: 3,
      measurer: await createTextMeasurer(),
      ...options,
    });
  }

  it('sets all lines of a text in the shapes and the size that the whole of it asks for', async () => {
    const fitted = await fitReal('東京都渋谷区神宮前さくら坂上不動産株式会社');
    expect(fitted.lines.length).toBeGreaterThan(1);
    expect(fitted.style).toMatchObject({ han: 'jp', isCjkOnly: true });
    expect((await fitReal('1148 Alder Lane')).style).not.toHaveProperty('han');
  });

  it('breaks Chinese between words while that fits, and between characters where it must', async () => {
    const words = await fitReal('上海市浦东新区世纪大道100号');
    expect(words.lines.map((line) => line.text).join('|')).toMatch(/100号/);
    const squeezed = await fitReal('龘龘龘龘龘龘龘龘龘龘龘龘', { widthPx: 330, minSizePx: 80 });
    expect(squeezed).toMatchObject({ truncated: false });
    expect(squeezed.lines).toHaveLength(3);
  });

  it('never starts a line with a closing sign, even where the text is cut', async () => {
    const fitted = await fitReal('「海」「山」「川」「空」「森」「花」「月」「星」', {
      widthPx: 300,
      minSizePx: 70,
    });
    for (const line of fitted.lines) expect(line.text).not.toMatch(/^[」、。]|「$/);
  });

  it('moves lines apart whose marks would run into each other', async () => {
    const tight = { ...GARAMOND, lineHeight: 0.94 };
    const plain = await fitReal('HOME IN THE HILLS NEAR THE SEA', { style: tight });
    expect(plain.style.lineHeight).toBe(0.94);
    const stacked = await fitReal('PHẠM NGUYỄN ỘNG ẤM ỄN ĐIỆP ẨN', { style: tight });
    expect(stacked.lines.length).toBeGreaterThan(1);
    expect(stacked.style.lineHeight).toBeGreaterThan(1.05);
  });
});
