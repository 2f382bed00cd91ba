import { describe, expect, it } from 'vitest';
import { type ShapedLine, shapeLine } from '../../../src/design/text/shape-line.ts';
import { BUNDLED_FAMILIES, type TextStyle } from '../../../src/design/text/text.ts';
import { GARAMOND } from './garamond.ts';

function shape(text: string, style: Partial<TextStyle> = {}): ShapedLine {
  return shapeLine(text, { ...GARAMOND, ...style });
}

function glyphIds(text: string, style: Partial<TextStyle> = {}): number[] {
  return shape(text, style).glyphs.map((glyph) => glyph.glyphId);
}

function fontIds(text: string, style: Partial<TextStyle> = {}): string[] {
  return [...new Set(shape(text, style).glyphs.map((glyph) => glyph.font.font.id))];
}

function missing(text: string, style: Partial<TextStyle> = {}): string[] {
  return shape(text, style).missing.map((codePoint) => codePoint.toString(16));
}

describe('Latin', () => {
  it('is as wide as the advances of its letters where nothing kerns', () => {
    const letters = Array.from('nmhu', (letter) => shape(letter).width);
    expect(shape('nmhu').width).toBeCloseTo(letters.reduce((sum, width) => sum + width));
  });

  it('kerns', () => {
    const apart = shape('T').width + shape('o').width;
    expect(shape('To').width).toBeLessThan(apart - 0.02);
    expect(shape('To', { features: { kern: 0 } }).width).toBeCloseTo(apart);
  });

  it('joins f and i, but not where letters are tracked', () => {
    expect(glyphIds('fi')).toHaveLength(1);
    expect(glyphIds('fi', { trackingEm: 0.1 })).toHaveLength(2);
    expect(glyphIds('fi', { features: { liga: 0 } })).toHaveLength(2);
  });

  it('has lining figures: as tall as capitals', () => {
    const digits = shape('0123456789').ink!;
    expect(digits.bottom).toBeLessThan(0.05);
    expect(digits.top).toBeLessThan(-0.6);
    expect(shape('3479', { features: { lnum: 0, onum: 1 } }).ink!.bottom).toBeGreaterThan(0.15);
  });

  it('has figures of one width unless asked otherwise', () => {
    expect(shape('1111').width).toBeCloseTo(shape('0000').width);
    const proportional = { features: { pnum: 1 } } as const;
    expect(shape('1111', proportional).width).toBeLessThan(shape('0000', proportional).width - 0.1);
  });

  it('is tracked between letters, not after the last', () => {
    expect(shape('HIM', { trackingEm: 0.16 }).width).toBeCloseTo(
      shape('HIM', { features: { liga: 0 } }).width + 2 * 0.16,
    );
    expect(shape('H', { trackingEm: 0.16 }).width).toBeCloseTo(shape('H').width);
    expect(shape('HI', { trackingEm: -0.014 }).width).toBeCloseTo(shape('HI').width - 0.014);
  });

  it('has wider spaces between words where the style wants them', () => {
    expect(shape('H I M', { wordSpaceEm: 0.06 }).width).toBeCloseTo(shape('H I M').width + 2 * 0.06);
    expect(shape('HIM', { wordSpaceEm: 0.06 }).width).toBeCloseTo(shape('HIM').width);
  });

  it('keeps marks on their letters when tracked', () => {
    const composed = shape('\u00e9a', { trackingEm: 0.2 });
    const combining = shape('e\u0301a', { trackingEm: 0.2 });
    expect(combining.width).toBeCloseTo(composed.width);
  });

  it('writes Vietnamese, Greek, Cyrillic and stacked marks with its own font', () => {
    for (const text of [
      'Nguyễn Thị Ánh Ửng',
      'Ελένη Παπαδοπούλου ἄῷ',
      'Яблоко Її ґ Ђ',
      'Łódź ğışİ Ő',
      'x\u0323\u0302',
    ]) {
      expect(fontIds(text), text).toEqual(['eb-garamond-400']);
      expect(missing(text), text).toEqual([]);
    }
    expect(shape('Nguye\u0302\u0303n').width).toBeCloseTo(shape('Nguyễn').width);
  });

  it('borrows from the upright what the italic lacks', () => {
    expect(fontIds('m²', { italic: true })).toEqual(['eb-garamond-400-italic', 'eb-garamond-400']);
    expect(shape('m²', { italic: true }).isTall).toBe(false);
  });
});

describe('Arabic and Hebrew', () => {
  it('joins Arabic letters', () => {
    const word = 'محمد';
    const isolated = Array.from(word).flatMap((letter) => glyphIds(letter));
    expect(glyphIds(word).filter((id) => isolated.includes(id))).toEqual([]);
  });

  it('joins across a change of font or size only within the script', () => {
    expect(glyphIds('لA')[0]).toBe(glyphIds('A')[0]);
    expect(glyphIds('لA')[1]).toBe(glyphIds('ل')[0]);
  });

  it('puts mixed lines in visual order', () => {
    const latin = new Set(glyphIds('Laila 42'));
    const line = shape('Laila ليلى 42').glyphs;
    const order = line
      .map((glyph) => (glyph.font.font.isFamily && latin.has(glyph.glyphId) ? 'L' : 'A'))
      .join('');
    // The number follows Arabic letters, so it stands to their left: Laila 42 ىليل.
    expect(order).toMatch(/^L{9}A+$/);
    expect(line.slice(6, 8).map((glyph) => glyph.glyphId)).toEqual(glyphIds('42'));
  });

  it('keeps digits in their order inside Hebrew', () => {
    const line = shape('שלום 12 דירה').glyphs;
    const digits = line.filter((glyph) => glyph.font.font.isFamily).map((glyph) => glyph.glyphId);
    const [space] = glyphIds(' ');
    expect(digits).toEqual([space, ...glyphIds('12'), space]);
    // The first word is the rightmost.
    expect(line.slice(-4).map((glyph) => glyph.glyphId)).toEqual(glyphIds('שלום'));
  });

  it('mirrors brackets', () => {
    const [open, close] = [glyphIds('(')[0], glyphIds(')')[0]];
    const ids = glyphIds('שלום (אב)');
    expect(ids.indexOf(open!)).toBeLessThan(ids.indexOf(close!));
  });

  it('is smaller than its Latin neighbour, not tracked, and asks for a taller line', () => {
    expect(shape('שלום').glyphs[0]!.scale).toBe(0.92);
    expect(shape('שלום', { trackingEm: 0.2 }).width).toBeCloseTo(shape('שלום').width);
    expect(shape('שלום').isTall).toBe(true);
    expect(shape('★ 5 ✓ 🏡').isTall).toBe(false);
  });

  it('takes an emoji for a neutral sign', () => {
    const emoji = glyphIds('😀')[0]!;
    expect(glyphIds('אב 😀 גד').filter((id) => id !== emoji)).toEqual(glyphIds('אב  גד'));
  });
});

describe('Devanagari and Thai', () => {
  it('forms conjuncts and puts vowels before their consonant', () => {
    expect(glyphIds('क्ष')).toHaveLength(1);
    expect(glyphIds('कि')[1]).toBe(glyphIds('क')[0]);
    expect(shape('नमस्ते').glyphs[0]!.scale).toBe(0.88);
  });

  it('stacks Thai tone marks without width', () => {
    expect(shape('ที่').width).toBeCloseTo(shape('ท').width);
    expect(missing('สวัสดีครับ ที่นี่ ๑๒')).toEqual([]);
  });
});

describe('what no font has', () => {
  it('is reported in order, once, and draws nothing', () => {
    expect(missing('\ue000 ᚠᚢ \ue000 ᚢ')).toEqual(['e000', '16a0', '16a2']);
    expect(shape('ᚠᚢ')).toMatchObject({ glyphs: [], width: 0, ink: undefined });
  });

  it('takes the space beside it along', () => {
    for (const text of ['ᚠ Jane Doe', 'Jane ᚠ Doe', 'Jane Doe ᚠ', 'ᚠ Jane ᚠ ᚠ Doe ᚠ']) {
      expect(glyphIds(text), text).toEqual(glyphIds('Jane Doe'));
    }
  });

  it('is never the box that stands for it', () => {
    expect(missing('a\ufffdb\ufffc')).toEqual(['fffd', 'fffc']);
    expect(glyphIds('a\ufffdb')).toEqual(glyphIds('ab'));
  });

  it('keeps a letter whose mark is unknown', () => {
    expect(glyphIds('a\u20e0')).toEqual(glyphIds('a'));
    expect(missing('a\u20e0')).toEqual(['20e0']);
  });

  it('survives unpaired surrogates', () => {
    expect(missing('a\ud83db\udc00')).toEqual(['d83d', 'dc00']);
    expect(glyphIds('a\ud83db')).toEqual(glyphIds('ab', { features: { kern: 1 } }));
  });
});

describe('every family', () => {
  const families = BUNDLED_FAMILIES;

  it.each(families)('%s sets Latin, Vietnamese, Cyrillic and Greek itself', (family) => {
    for (const weight of [200, 300, 400, 500, 600, 700, 800] as const) {
      const text = 'Ørsted Łódź ığş Nguyễn Ộ Щукин Їжак Ψαρράς ώ 0123 $€£½ “”’–—…';
      expect(missing(text, { family, weight })).toEqual([]);
      expect(shape(text, { family, weight }).glyphs.every((glyph) => glyph.font.font.isFamily)).toBe(true);
    }
  });

  it.each(families)('%s has a font for all other scripts', (family) => {
    const text =
      'محمد ليلى דוד שָׁלוֹם कृष्णा ณัฐพงษ์ 王小明 陳 さくら カナ 김민준 𠮷 髙 Հայկ გიორგი አበበ গৌতম ਗੁਰ ગુજ தமிழ் తెలుగు ಕನ್ನಡ മലയാളം සිංහල ខ្មែរ ລາວ မြန်မာ ★ ✓ → ₪ ฿ ☎ 、。「」・①';
    const line = shape(text, { family, weight: 700 });
    expect(line.missing).toEqual([]);
    expect(line.glyphs.every((glyph) => glyph.glyphId !== 0)).toBe(true);
  });

  it('asks a serif for letters where it is one itself, and gives them weight', () => {
    const file = (family: TextStyle['family'], weight: TextStyle['weight'], text: string): string =>
      fontIds(text, { family, weight })[0]!;
    expect(file('eb-garamond', 400, 'ליל')).toContain('noto-serif-hebrew');
    expect(file('inter-tight', 400, 'ליל')).toContain('noto-sans-hebrew');
    expect(file('noto-serif-display', 300, 'ليلى')).toContain('noto-naskh-arabic');
    expect(shape('王小', { weight: 800 }).ink).not.toEqual(shape('王小', { weight: 400 }).ink);
    // Chinese has no fake thin.
    expect(shape('王小', { weight: 200 }).ink).toEqual(shape('王小', { weight: 400 }).ink);
  });
});

describe('Chinese, Japanese, Korean', () => {
  const fontOf = (text: string, style: Partial<TextStyle> = {}): string =>
    /noto-sans-(?:sc|tc|jp|kr)/.exec(fontIds(text, style).join(' '))![0];

  it('gives a character the shape of its country', () => {
    expect(fontOf('直')).toBe('noto-sans-sc');
    expect(fontOf('直', { han: 'jp' })).toBe('noto-sans-jp');
    expect(fontOf('直 さくら', { han: 'kr' })).toBe('noto-sans-jp');
    expect(fontOf('直 서울')).toBe('noto-sans-kr');
    expect(fontOf('臺灣直')).toBe('noto-sans-tc');
  });

  it('looks into the fonts of its neighbours for a character its own lacks', () => {
    expect(missing('𠮷野家 髙橋 﨑')).toEqual([]);
    expect(fontOf('𠮷')).toBe('noto-sans-jp');
  });

  it('keeps its size where it stands alone, and is a little smaller beside Latin', () => {
    expect(shape('王小明 100').glyphs[0]!.scale).toBe(1);
    expect(shape('王小明 Wang').glyphs[0]!.scale).toBe(0.88);
    expect(shape('王小明', { isCjkOnly: false }).glyphs[0]!.scale).toBe(0.88);
  });
});

describe('emoji', () => {
  it.each([
    ['a house', '🏡', 1],
    ['a family', '👨‍👩‍👧', 1],
    ['a flag', '🇺🇸', 1],
    ['a keycap', '1️⃣', 1],
    ['a tone of skin', '👍🏽', 1],
    ['a heart with its selector', '❤️', 1],
    ['a flag of a region', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', 1],
  ])('%s is one outline', (_, text, count) => {
    const { glyphs, missing: lacking, ink } = shape(text);
    expect(lacking).toEqual([]);
    expect(glyphs.filter((glyph) => glyph.font.outline(glyph.glyphId).bounds !== undefined)).toHaveLength(
      count,
    );
    expect(ink).toBeDefined();
  });

  it('gives way to the plain sign where the text asks for it', () => {
    expect(fontIds('☎\ufe0e')[0]).toContain('symbols');
    expect(fontIds('☎\ufe0f')[0]).toContain('Emoji');
    expect(fontIds('©️')[0]).toBe('eb-garamond-400');
  });
});

describe('harmless characters', () => {
  it('shows markup as typed', () => {
    expect(glyphIds('<b>&amp;</b>', { features: { liga: 0 } })).toHaveLength(12);
  });

  it('composes letters and marks', () => {
    expect(glyphIds('e\u0301n\u0303')).toEqual(glyphIds('én\u0303'.normalize('NFC')));
    // The normal form of this name's character is another one.
    expect(glyphIds('\ufa19', { han: 'jp' })).not.toEqual(glyphIds('\u795e', { han: 'jp' }));
  });

  it('drops controls and invisible marks, reads breaks as spaces', () => {
    expect(glyphIds('a\u0000b\u001bc')).toEqual(glyphIds('abc'));
    expect(glyphIds('a\r\nb\tc\u2028d')).toEqual(glyphIds('a b c d'));
    for (const mark of [
      '\u200b',
      '\u200d',
      '\u2060',
      '\u00ad',
      '\ufeff',
      '\u200e',
      '\u200f',
      '\u202e',
      '\u2066',
      '\u206a',
    ]) {
      expect(shape(`n${mark}n`).width, mark.charCodeAt(0).toString(16)).toBeCloseTo(shape('nn').width);
      expect(missing(`n${mark}n`)).toEqual([]);
    }
  });

  it('gives a no-break space the width of a space', () => {
    expect(shape('a\u00a0b').width).toBeCloseTo(shape('a b').width);
    expect(missing('a\u202fb\u2009c\u3000d\u2011e')).toEqual([]);
  });

  it('shapes nothing from nothing', () => {
    expect(shape('')).toMatchObject({ glyphs: [], width: 0, missing: [] });
  });

  it('shapes ten thousand characters', () => {
    const text = 'Wide and long ליד הים '.repeat(460);
    expect(shape(text).glyphs.length).toBeGreaterThan(10_000);
  });
});

describe('memory', () => {
  it('does not grow over 10,000 lines', () => {
    const line = (index: number): string => `Line number ${index} of many lines, ليلى`;
    for (let index = 0; index < 100; index += 1) shape(line(index));
    const before = process.memoryUsage().external;
    for (let index = 0; index < 10_000; index += 1) shape(line(index));
    // One HarfBuzz buffer a line, left to the collector, makes this 15 MB.
    expect(process.memoryUsage().external - before).toBeLessThan(4_000_000);
  });
});
