/**
 * Cuts a line into stretches that one font can shape: cleans it, gives every grapheme cluster a font that has it, and
 * says what no font has. Knows coverage, not glyphs.
 */
import type { LoadedFont } from './font-library.ts';

/** Neighbouring clusters of one font and one script, in logical order. */
export interface TextItem {
  readonly start: number;
  readonly end: number;
  readonly font: LoadedFont;
  /** ISO 15924. */
  readonly script: string;
}

export interface ItemisedText {
  /** What is left to be drawn; items index into it (UTF-16). */
  readonly text: string;
  readonly items: readonly TextItem[];
  /** Code points that no font has, in order of first appearance. */
  readonly missing: readonly number[];
}

const SIMPLE = /^[\x20-\x7e]*$/;
const BREAKS = /\r\n|[\t\n\v\f\r\u0085\u2028\u2029]/g;
const INVISIBLE = /[\p{Cc}\ufeff\u00ad]/gu;
const IGNORABLE = /^\p{Default_Ignorable_Code_Point}$/u;
const SPACE = /^\p{Zs}$/u;

const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ['Latn', /^\p{Script=Latin}$/u],
  ['Cyrl', /^\p{Script=Cyrillic}$/u],
  ['Grek', /^\p{Script=Greek}$/u],
  ['Arab', /^\p{Script=Arabic}$/u],
  ['Hebr', /^\p{Script=Hebrew}$/u],
  ['Deva', /^\p{Script=Devanagari}$/u],
  ['Thai', /^\p{Script=Thai}$/u],
];

let segmenter: Intl.Segmenter | undefined;

/**
 * @param chain - Fonts to ask, best first, each opened only when those before it lack a character.
 */
export function itemiseText(text: string, chain: readonly (() => LoadedFont)[]): ItemisedText {
  const clusters = splitClusters(text);
  const missing = new Set<number>();
  const items: { start: number; end: number; font: LoadedFont; script: string | undefined }[] = [];
  let kept = '';
  let dropped = false;
  for (const cluster of clusters) {
    const drawn = chooseFont(cluster, chain, missing);
    if (drawn === undefined) {
      dropped = true;
      continue;
    }
    // The space beside a sign that could not be drawn goes with it: no double space, none at the start.
    if (dropped && drawn.text === ' ' && (kept === '' || kept.endsWith(' '))) continue;
    dropped = false;
    const last = items.at(-1);
    const script = scriptOf(drawn.text);
    const start = kept.length;
    kept += drawn.text;
    if (last !== undefined && last.font === drawn.font && joinsScript(last.script, script)) {
      last.end = kept.length;
      last.script ??= script;
    } else {
      items.push({ start, end: kept.length, font: drawn.font, script });
    }
  }
  if (dropped && kept.endsWith(' ')) {
    kept = kept.slice(0, -1);
    const last = items.at(-1)!;
    last.end -= 1;
    if (last.end === last.start) items.pop();
  }
  return {
    text: kept,
    items: items.map((item) => ({ ...item, script: item.script ?? 'Latn' })),
    missing: [...missing],
  };
}

function splitClusters(text: string): Iterable<string> {
  if (SIMPLE.test(text)) return text;
  const clean = text.replace(BREAKS, ' ').replace(INVISIBLE, '');
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(clean), ({ segment }) => segment);
}

/** The font for a cluster and what of the cluster it can draw; `undefined` when that is nothing. */
function chooseFont(
  cluster: string,
  chain: readonly (() => LoadedFont)[],
  missing: Set<number>,
): { font: LoadedFont; text: string } | undefined {
  const forms = cluster.length === 1 ? [cluster] : [...new Set([cluster, cluster.normalize('NFC')])];
  for (const openFont of chain) {
    const font = openFont();
    if (forms.some((form) => Array.from(form).every((char) => isCovered(font, char))))
      return { font, text: cluster };
  }
  // No font has the whole cluster: keep the base and the marks of the first font that has the base.
  const chars = Array.from(cluster);
  const base = chars[0]!;
  const font = chain.map((openFont) => openFont()).find((candidate) => isCovered(candidate, base));
  for (const char of chars) {
    if (font === undefined ? !isIgnorable(char) : !isCovered(font, char)) missing.add(char.codePointAt(0)!);
  }
  if (font === undefined) return undefined;
  return { font, text: chars.filter((char) => isCovered(font, char)).join('') };
}

function isCovered(font: LoadedFont, char: string): boolean {
  return font.covers(char.codePointAt(0)!) || isIgnorable(char);
}

/** Drawn by the shaper without a glyph: joiners, selectors, marks of direction; and spaces, which it makes itself. */
function isIgnorable(char: string): boolean {
  return char > '\x7e' && (SPACE.test(char) || IGNORABLE.test(char) || char === '\u2011');
}

function scriptOf(cluster: string): string | undefined {
  const char = String.fromCodePoint(cluster.codePointAt(0)!);
  return SCRIPTS.find(([, pattern]) => pattern.test(char))?.[0];
}

function joinsScript(before: string | undefined, after: string | undefined): boolean {
  return before === undefined || after === undefined || before === after;
}
