import { expect, it } from 'vitest';
import { missingCharacterWarnings } from '../../../src/design/storyboard/missing-characters.ts';

it('names the font to add once for all its characters, and the others one by one', () => {
  const missing = new Map([
    [0x3042, 'jp'],
    [0x1f9ff, 'sc'],
    [0x3044, 'jp'],
    [0x0ea5, 'sc'],
    [0x3046, 'jp'],
  ] as const);
  const fontToAdd = (point: number, han: string) =>
    point === 0x0ea5 ? 'lo' : han === 'jp' ? 'ja' : undefined;
  expect(missingCharacterWarnings(missing, { fontToAdd })).toEqual([
    'no installed font has the character あ (U+3042) and 2 other characters; run: listing-video fonts add ja',
    'no installed font has the character ລ (U+0EA5); run: listing-video fonts add lo',
    'no bundled font has the character 🧿 (U+1F9FF)',
  ]);
});
