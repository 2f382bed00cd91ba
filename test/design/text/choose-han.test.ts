import { describe, expect, it } from 'vitest';
import { chooseHan, hanOfText, isCjkOnly } from '../../../src/design/text/fonts/choose-han.ts';

describe('chooseHan', () => {
  it.each([
    [['山田太郎', 'さくら不動産'], undefined, 'jp'],
    [['金敏俊', '서울'], 'JP', 'kr'],
    [['山田太郎'], 'JP', 'jp'],
    [['王小明'], 'TW', 'tc'],
    [['王小明'], 'hk', 'tc'],
    [['王小明'], 'US', 'sc'],
    [['王小明'], undefined, 'sc'],
    [['黃國學'], 'US', 'tc'],
    [['黃國學'], 'SG', 'sc'],
    [['Jane Doe'], undefined, 'sc'],
  ] as const)('%s in %s: %s', (texts, country, variant) => {
    expect(chooseHan(texts, country)).toBe(variant);
  });
});

describe('hanOfText', () => {
  it('prefers the text to the video', () => {
    expect(hanOfText('東京ベイ', 'sc')).toBe('jp');
    expect(hanOfText('東京', 'jp')).toBe('jp');
    expect(hanOfText('東京', undefined)).toBe('sc');
  });
});

describe('isCjkOnly', () => {
  it.each([
    ['王小明', true],
    ['東京都渋谷区1-2-3', true],
    ['プラザー', true],
    ['서울 152', true],
    ['王小明 Wang', false],
    ['123', false],
    ['Jane', false],
  ])('%s: %s', (text, expected) => {
    expect(isCjkOnly(text)).toBe(expected);
  });
});
