/** How wide a text is in a terminal. The package `string-width` compiles all emoji at its start, which takes 31 ms. */
import { stripVTControlCharacters } from 'node:util';
import { eastAsianWidth } from 'get-east-asian-width';

const PLAIN = /^[\x20-\x7e]*$/;
const EMOJI = /\p{Emoji_Presentation}|\p{Extended_Pictographic}.*\ufe0f|^[\d#*]\ufe0f?\u20e3/u;
/** What takes no column: marks, controls, joiners. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Mn}\p{Me}\p{Cs}]/gu;
/** Of Unicode's halfwidth forms: they add to the letter that they follow. */
const HALFWIDTH_FORM = /[\uff00-\uffef]/;

let graphemes: Intl.Segmenter | undefined;

/** Columns of a text in a terminal: two for wide East Asian characters and emoji, none for marks and colors. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  // Its first use takes 18 ms.
  graphemes ??= new Intl.Segmenter('en');
  return Array.from(graphemes.segment(stripVTControlCharacters(text)), ({ segment }) =>
    widthOf(segment),
  ).reduce((sum, width) => sum + width, 0);
}

function widthOf(grapheme: string): number {
  if (EMOJI.test(grapheme)) return 2;
  const [base, ...more] = grapheme.replace(INVISIBLE, '');
  if (base === undefined) return 0;
  const added = more.filter((each) => HALFWIDTH_FORM.test(each));
  return [base, ...added].reduce((sum, each) => sum + eastAsianWidth(each.codePointAt(0)!), 0);
}
