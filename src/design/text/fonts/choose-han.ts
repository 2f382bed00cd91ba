/** Chooses the regional shapes of Chinese characters: by a text's own letters, then by the country. Pure. */
import type { HanVariant } from '../text.ts';

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
const HANGUL = /\p{Script=Hangul}/u;
const BOPOMOFO = /\p{Script=Bopomofo}/u;
const CJK_LETTERS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}\p{Script=Bopomofo}]/gu;
const LETTER = /\p{L}/u;
/** Common characters that neither simplified Chinese nor Japanese uses. */
const ONLY_TRADITIONAL = /[們來國學對會發經關號區鄉廣灣臺實樓團黃鄧盧蕭鍾]/u;

const BY_COUNTRY: Readonly<Record<string, HanVariant>> = {
  CN: 'sc',
  SG: 'sc',
  MY: 'sc',
  TW: 'tc',
  HK: 'tc',
  MO: 'tc',
  JP: 'jp',
  KR: 'kr',
};

/**
 * The variant for all texts of one video, for `TextStyle.han`. Kana, hangul or bopomofo in any text decide, then the
 * country, then characters that only traditional Chinese uses.
 *
 * @param texts - Names, addresses, captions.
 * @param country - ISO 3166, two letters, such as a phone's country; a country without Chinese characters decides
 *   nothing.
 */
export function chooseHan(texts: readonly string[], country?: string): HanVariant {
  const all = texts.join(' ');
  const own = variantByLetters(all);
  if (own !== undefined) return own;
  return BY_COUNTRY[country?.toUpperCase() ?? ''] ?? (ONLY_TRADITIONAL.test(all) ? 'tc' : 'sc');
}

/** The variant one text is set in: its own letters decide, then the video's. */
export function hanOfText(text: string, videoHan: HanVariant | undefined): HanVariant {
  return variantByLetters(text) ?? videoHan ?? chooseHan([text]);
}

function variantByLetters(text: string): HanVariant | undefined {
  if (KANA.test(text)) return 'jp';
  if (HANGUL.test(text)) return 'kr';
  return BOPOMOFO.test(text) ? 'tc' : undefined;
}

/** True for a text with Chinese, Japanese or Korean letters and no others. */
export function isCjkOnly(text: string): boolean {
  const others = text.replace(CJK_LETTERS, '');
  return others !== text && !LETTER.test(others);
}
