/**
 * Shapes one line of text into positioned glyphs, in em: cleans it, cuts it by font, orders, shapes and tracks it.
 *
 * Nothing here depends on the size: fonts are unhinted, so a line at any size is this line scaled, and a text fitted at
 * twenty sizes is shaped once.
 */

import type { OutlinePlacement } from './fill-outline.ts';
import { hanOfText, isCjkOnly } from './fonts/choose-han.ts';
import { emojiFont, type FallbackFont, fallbackFonts, fallbackWeight } from './fonts/fallback-fonts.ts';
import { familyFonts, hasSerifs } from './fonts/family-fonts.ts';
import { foldersRevision } from './fonts/font-folders.ts';
import { type LoadedFont, loadFallback, loadFont, type RunGlyph } from './fonts/font-library.ts';
import type { Bounds } from './glyph-outline.ts';
import { type FontSource, itemizeText, type TextItem } from './itemize-text.ts';
import { embeddingLevels, visualOrder } from './order-runs.ts';
import type { TextStyle } from './text.ts';

/** A glyph at its place, in em of the style; y downwards, the baseline at 0. */
export interface PlacedGlyph {
  readonly font: LoadedFont;
  readonly glyphId: number;
  readonly x: number;
  readonly y: number;
  /** Size of the glyph's font relative to the style's. */
  readonly scale: number;
  /** Index into {@link ShapedLine.words} of its word; a glyph of several words belongs to their first. */
  readonly word: number;
}

export interface ShapedLine {
  readonly glyphs: readonly PlacedGlyph[];
  /** What stands between spaces, in reading order, as it is drawn. */
  readonly words: readonly string[];
  readonly width: number;
  readonly ink: Bounds | undefined;
  readonly missing: readonly number[];
  /** Code points that the family lacks and another font draws. */
  readonly substituted: readonly number[];
  /** Added fonts that draw glyphs of it: `name@version` of their packages. */
  readonly addedFonts: readonly string[];
  readonly isTall: boolean;
  readonly primary: LoadedFont;
}

interface Run extends TextItem {
  readonly level: number;
}

/** Text around a run that the shaper sees, in UTF-16 units: joining depends on the next letter, after any marks. */
const CONTEXT_UNITS = 8;

const SPACE = /[ \u00a0]/;

/** Glyphs kept for lines that are shaped again; about 100 bytes each. */
const MEMO_GLYPHS = 100_000;

const memo = new Map<string, ShapedLine>();
let memoGlyphs = 0;

/** Shapes one line. Breaks inside `text` count as spaces. */
export function shapeLine(text: string, style: TextStyle): ShapedLine {
  const key = [
    foldersRevision(),
    style.family,
    style.weight,
    style.italic,
    style.trackingEm,
    style.wordSpaceEm,
    featureKey(style.features),
    style.han,
    style.isCjkOnly,
    text,
  ].join('|');
  const known = memo.get(key);
  if (known !== undefined) {
    memo.delete(key);
    memo.set(key, known);
    return known;
  }
  const line = shapeAnew(text, style);
  memo.set(key, line);
  memoGlyphs += memoCost(line);
  for (const [oldKey, old] of memo) {
    if (memoGlyphs <= MEMO_GLYPHS || oldKey === key) break;
    memo.delete(oldKey);
    memoGlyphs -= memoCost(old);
  }
  return line;
}

function memoCost(line: ShapedLine): number {
  return line.glyphs.length + 4;
}

function featureKey(features: TextStyle['features']): string {
  if (features === undefined) return '';
  const known = featureKeys.get(features);
  if (known !== undefined) return known;
  const key = JSON.stringify(Object.entries(features).sort());
  featureKeys.set(features, key);
  return key;
}

const featureKeys = new WeakMap<object, string>();

function shapeAnew(text: string, style: TextStyle): ShapedLine {
  const [primaryFont, ...otherCuts] = familyFonts(style);
  const primary = loadFont(primaryFont);
  const kind = { weight: style.weight, hasSerifs: hasSerifs(style.family) };
  const fallbacks = fallbackFonts(kind, hanOfText(text, style.han));
  // Without a neighbor of the family, Chinese, Japanese and Korean keep the style's size.
  const isAlone = style.isCjkOnly ?? isCjkOnly(text);
  const toSource = (font: FallbackFont): FontSource => {
    const scale = isAlone && font.han !== undefined ? 1 : font.scale;
    return (codePoint) => loadFallback(font, fallbackWeight(font, style.weight), scale, codePoint);
  };
  const itemized = itemizeText(text, {
    chain: [
      (codePoint) => (primary.covers(codePoint) ? primary : undefined),
      ...otherCuts.map(
        (cut): FontSource =>
          (codePoint) => {
            const font = loadFont(cut);
            return font.covers(codePoint) ? font : undefined;
          },
      ),
      ...fallbacks.map(toSource),
    ],
    emoji: toSource(emojiFont(style)),
  });
  const runs = visualOrder(splitByLevel(itemized.items, embeddingLevels(itemized.text)));

  const wordAt = wordIndexes(itemized.text);
  const glyphs: PlacedGlyph[] = [];
  let x = 0;
  let trailingTracking = 0;
  for (const run of runs) {
    const { scale, isFamily } = run.font.font;
    const tracking = isFamily ? style.trackingEm : 0;
    const wordSpace = isFamily ? (style.wordSpaceEm ?? 0) : 0;
    const from = contextStartOf(run);
    for (const cluster of groupClusters(shapeRun(itemized.text, run, style))) {
      let advance = 0;
      const word = wordAt[from + cluster[0]!.cluster] ?? 0;
      for (const glyph of cluster) {
        if (glyph.glyphId !== 0) {
          const { glyphId } = glyph;
          const glyphX = x + (advance + glyph.offsetX) * scale;
          glyphs.push({ font: run.font, glyphId, x: glyphX, y: glyph.offsetY * scale, scale, word });
          advance += glyph.advance;
        }
      }
      if (advance > 0) {
        const isSpace = wordSpace !== 0 && SPACE.test(itemized.text.charAt(from + cluster[0]!.cluster));
        x += advance * scale + tracking + (isSpace ? wordSpace : 0);
        trailingTracking = tracking;
      }
    }
  }
  return {
    glyphs,
    words: wordsOf(itemized.text),
    width: Math.max(0, x - trailingTracking),
    ink: inkBounds(glyphs, ({ x, y, scale }) => ({ xPx: x, yPx: y, emPx: scale })),
    missing: itemized.missing,
    substituted: substitutedIn(itemized.text, itemized.items),
    addedFonts: [...new Set(runs.flatMap(({ font }) => font.font.added ?? []))],
    isTall: runs.some((run) => run.font.font.isTall),
    primary,
  };
}

/** A no-break space parts no words: it glues a number to its noun. */
const WORD_SPACE = / +/;

function wordsOf(text: string): string[] {
  return text.split(WORD_SPACE).filter((word) => word !== '');
}

/** By UTF-16 unit: the index of its word; spaces belong to the word before them. */
function wordIndexes(text: string): number[] {
  let word = -1;
  return Array.from({ length: text.length }, (_, unit) => {
    if (text[unit] !== ' ' && (unit === 0 || text[unit - 1] === ' ')) word += 1;
    return Math.max(0, word);
  });
}

function substitutedIn(text: string, items: readonly TextItem[]): number[] {
  const others = items.filter(({ font }) => !font.font.isFamily);
  const chars = others.flatMap(({ start, end }) => Array.from(text.slice(start, end)));
  return [...new Set(chars.map((char) => char.codePointAt(0)!))];
}

function splitByLevel(items: readonly TextItem[], levels: Uint8Array | undefined): Run[] {
  if (levels === undefined) return items.map((item) => ({ ...item, level: 0 }));
  return items.flatMap((item) => {
    const runs: Run[] = [];
    for (let start = item.start; start < item.end; ) {
      const level = levels[start] ?? 0;
      let end = start + 1;
      while (end < item.end && levels[end] === level) end += 1;
      runs.push({ ...item, start, end, level });
      start = end;
    }
    return runs;
  });
}

function contextStartOf(run: Run): number {
  return Math.max(0, run.start - CONTEXT_UNITS);
}

function shapeRun(text: string, run: Run, style: TextStyle): RunGlyph[] {
  const contextStart = contextStartOf(run);
  return run.font.shapeRun({
    text: text.slice(contextStart, run.end + CONTEXT_UNITS),
    start: run.start - contextStart,
    end: run.end - contextStart,
    isRtl: run.level % 2 === 1,
    script: run.script,
    features: run.font.font.isFamily ? familyFeatures(style) : {},
  });
}

/** Always lining figures; ligatures only where letters are not tracked. */
function familyFeatures(style: TextStyle): Record<string, 0 | 1> {
  const tracked: Record<string, 0 | 1> = style.trackingEm === 0 ? {} : { liga: 0, clig: 0, dlig: 0 };
  return { lnum: 1, ...tracked, ...style.features };
}

function groupClusters(glyphs: readonly RunGlyph[]): RunGlyph[][] {
  const groups: RunGlyph[][] = [];
  for (const glyph of glyphs) {
    const group = groups.at(-1);
    if (group !== undefined && group[0]!.cluster === glyph.cluster) group.push(glyph);
    else groups.push([glyph]);
  }
  return groups;
}

/** Absent when nothing is drawn. @param placeOf - Origin and em of a glyph, in the unit of the result. */
export function inkBounds<Glyph extends Pick<PlacedGlyph, 'font' | 'glyphId'>>(
  glyphs: readonly Glyph[],
  placeOf: (glyph: Glyph) => OutlinePlacement,
): Bounds | undefined {
  let left = Number.POSITIVE_INFINITY;
  let top = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (const glyph of glyphs) {
    const { bounds } = glyph.font.outline(glyph.glyphId);
    if (bounds === undefined) continue;
    const { xPx, yPx, emPx } = placeOf(glyph);
    left = Math.min(left, xPx + bounds.left * emPx);
    top = Math.min(top, yPx + bounds.top * emPx);
    right = Math.max(right, xPx + bounds.right * emPx);
    bottom = Math.max(bottom, yPx + bounds.bottom * emPx);
  }
  return right > left ? { left, top, right, bottom } : undefined;
}
