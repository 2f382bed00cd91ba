/**
 * Fits a text into a width (storyboard/README.md, "Text fitting"): one line at full size, shrunk to the minimum, then
 * lines from 0.8 of the full size, shrinking again, then an ellipsis.
 *
 * Pure: widths come from the measurer in the request.
 */
import { breakOpportunities, graphemes, stripBreakMarks } from './break-text.ts';
import { hanOfText, isCjkOnly } from './fonts/choose-han.ts';
import { isRtlText } from './order-runs.ts';
import type { LineMetrics, TextMeasurer, TextStyle } from './text.ts';

export interface FitRequest {
  /** Can contain the marks of `break-text.ts`. */
  readonly text: string;
  readonly style: TextStyle;
  readonly widthPx: number;
  readonly minSizePx: number;
  readonly maxLines: number;
  /**
   * False for a text that must stay whole (a phone number, a license): where its minimum does not fit it shrinks
   * further and sets `isBelowMin`. Default true.
   */
  readonly ellipsis?: boolean;
  /**
   * True for a text that is meant for several lines (an address in a narrow column): it is wrapped at full size
   * before it shrinks. Default false.
   */
  readonly wrapFirst?: boolean;
  readonly measurer: TextMeasurer;
}

interface FittedLine {
  /** Without break marks, not empty. Can begin with an invisible direction mark. */
  readonly text: string;
  readonly widthPx: number;
}

export interface FittedText {
  /** With the final size, and the line height raised where a fallback script needs it. */
  readonly style: TextStyle;
  /** Empty for a blank text. */
  readonly lines: readonly FittedLine[];
  readonly widthPx: number;
  /** True when an ellipsis stands for the rest. */
  readonly truncated: boolean;
  /** True when a line ends inside a word that is too wide. */
  readonly breaksWord: boolean;
  /** True when only a size under the minimum fitted. */
  readonly isBelowMin: boolean;
  /** Code points of the text that no bundled font has. */
  readonly missing: readonly number[];
  readonly capHeightPx: number;
}

/** A letter of a script whose typefaces have no italic: words beside it, and its numbers, are upright too. */
const UPRIGHT_LETTER =
  /(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}])\p{L}/u;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

const WRAP_SCALE = 0.8;

/** Fits a text into a width. Sizes between full and minimum are whole pixels. */
export function fitText(given: FitRequest): FittedText {
  const { text } = given;
  const plain = stripBreakMarks(text);
  const request: FitRequest = { ...given, style: { ...given.style, ...scriptStyle(plain, given.style) } };
  const ruler = new Ruler(request, baseDirectionMark(plain));
  if (plain === '') return finish(request, ruler, request.style.sizePx, [], {});

  const full = request.style.sizePx;
  const min = Math.min(full, request.minSizePx);
  const wrapFirst = (request.wrapFirst ?? false) && request.maxLines > 1;
  const oneLine = sizesDown(full, wrapFirst ? full : min).find((size) => ruler.fits(plain, size));
  if (oneLine !== undefined) return finish(request, ruler, oneLine, [plain], {});

  const pieces = splitPieces(text);
  const fine = splitPieces(text, true);
  if (request.maxLines > 1) {
    const start = wrapFirst ? full : Math.max(min, full * WRAP_SCALE);
    const sizes = sizesDown(start, min);
    const wrapped =
      wrapAtLargest(request, ruler, pieces, sizes) ??
      (fine.length > pieces.length ? wrapAtLargest(request, ruler, fine, sizes) : undefined);
    if (wrapped !== undefined) return finish(request, ruler, wrapped.size, wrapped.lines, {});
  }
  if (request.ellipsis ?? true) {
    const looser = loosenWidePieces(fine, ruler, min);
    const whole = looser.length > fine.length ? wrapAtLargest(request, ruler, looser, [min]) : undefined;
    if (whole !== undefined) return finish(request, ruler, min, whole.lines, {});
    const cut = cutToLines(looser, ruler, min, request.maxLines);
    return finish(request, ruler, min, cut.lines, cut);
  }
  const smaller = wrapAtLargest(request, ruler, fine, sizesDown(Math.max(1, Math.ceil(min) - 1), 1));
  return finish(request, ruler, smaller?.size ?? 1, smaller?.lines ?? [plain], { isBelowMin: true });
}

/** The style properties that the whole text decides for each of its lines. */
function scriptStyle(
  text: string,
  style: TextStyle,
): Partial<Pick<TextStyle, 'italic' | 'han' | 'isCjkOnly'>> {
  return {
    ...(style.italic && UPRIGHT_LETTER.test(text) ? { italic: false } : {}),
    ...(CJK.test(text) ? { han: hanOfText(text, style.han), isCjkOnly: isCjkOnly(text) } : {}),
  };
}

/** Full size, then whole pixels downwards, the minimum last; a full size under the minimum stands alone. */
function sizesDown(full: number, min: number): number[] {
  const sizes = [full];
  for (let size = Math.ceil(full) - 1; size > min; size -= 1) sizes.push(size);
  if (min < full) sizes.push(min);
  return sizes;
}

/** The parts between break opportunities, each with the spaces at its end. */
function splitPieces(text: string, isFine = false): string[] {
  const offsets = [0, ...breakOpportunities(text, isFine)];
  return offsets.map((offset, index) => text.slice(offset, offsets[index + 1]));
}

/**
 * Splits what is too wide for a line where it is better than inside a word: glued pairs at their space, web addresses
 * after a dot.
 */
function loosenWidePieces(pieces: readonly string[], ruler: Ruler, size: number): string[] {
  return pieces.flatMap((piece) => {
    if (ruler.fits(stripBreakMarks(piece), size)) return [piece];
    const spaced = piece.replaceAll('\u00a0', ' ');
    return splitPieces(
      HAS_BREAK_MARKS.test(piece) ? spaced.replace(/\.(?=\p{L}|\p{N})/gu, '.\u200b') : spaced,
    );
  });
}

class Ruler {
  readonly #request: FitRequest;
  readonly #directionMark: string;

  constructor(request: FitRequest, directionMark: string) {
    this.#request = request;
    this.#directionMark = directionMark;
  }

  /** A line as it will be drawn: it keeps the direction of the whole text, with whatever letter it starts. */
  lineText(plain: string): string {
    const own = baseDirectionMark(plain);
    return own === this.#directionMark || plain === '' ? plain : `${this.#directionMark || '\u200e'}${plain}`;
  }

  measure(plain: string, size: number): LineMetrics {
    return this.#request.measurer.measure(this.lineText(plain), { ...this.#request.style, sizePx: size });
  }

  fits(plain: string, size: number): boolean {
    // Slack, so that the rounding of a sum of advances does not decide.
    return this.measure(plain, size).widthPx <= this.#request.widthPx + 0.01;
  }
}

/** The mark that makes a line run right to left; empty for a text from left to right. */
function baseDirectionMark(text: string): '' | '\u200f' {
  return isRtlText(text) ? '\u200f' : '';
}

function wrapAtLargest(
  request: FitRequest,
  ruler: Ruler,
  pieces: readonly string[],
  sizes: readonly number[],
): { size: number; lines: string[] } | undefined {
  for (const size of sizes) {
    const lines = fillLines(pieces, ruler, size, request.maxLines);
    if (lines !== undefined) return { size, lines: balanceLines(pieces, lines, ruler, size) };
  }
  return undefined;
}

/** Fills every line as far as possible; `undefined` when that takes more than `maxLines` or a piece is too wide. */
function fillLines(
  pieces: readonly string[],
  ruler: Ruler,
  size: number,
  maxLines: number,
): string[] | undefined {
  const lines: string[] = [];
  let line = '';
  for (const piece of pieces) {
    if (line !== '' && ruler.fits(stripBreakMarks(line + piece), size)) {
      line += piece;
      continue;
    }
    if (!ruler.fits(stripBreakMarks(piece), size)) return undefined;
    if (line !== '') lines.push(stripBreakMarks(line));
    if (lines.length >= maxLines) return undefined;
    line = piece;
  }
  lines.push(stripBreakMarks(line));
  return lines.filter((text) => text !== '');
}

/** Weight of a short last line: it looks better than a short line elsewhere. */
const SHORT_LAST_LINE = 0.8;

/** A line that begins so looks like a mistake: it costs as much as one that is empty. */
const POOR_START = /^&/;

/** Breaks the pieces into as many lines with the smallest sum of squared differences to the mean width. */
function balanceLines(pieces: readonly string[], greedy: string[], ruler: Ruler, size: number): string[] {
  const count = greedy.length;
  if (count < 2) return greedy;
  const mean = greedy.reduce((sum, line) => sum + ruler.measure(line, size).widthPx, 0) / count;
  // best[n][end]: the cheapest way to set pieces [0, end) in n lines.
  type Way = { readonly cost: number; readonly lines: readonly string[] };
  let best: (Way | undefined)[] = [{ cost: 0, lines: [] }];
  for (let n = 1; n <= count; n += 1) {
    const next: (Way | undefined)[] = [];
    for (let start = 0; start < pieces.length; start += 1) {
      const before = best[start];
      if (before === undefined) continue;
      let line = '';
      for (let end = start + 1; end <= pieces.length; end += 1) {
        line += pieces[end - 1]!;
        const plain = stripBreakMarks(line);
        if (!ruler.fits(plain, size)) break;
        const off = ruler.measure(plain, size).widthPx - mean;
        const weight = end === pieces.length && off < 0 ? SHORT_LAST_LINE : 1;
        const poor = start > 0 && POOR_START.test(pieces[start]!) ? mean * mean : 0;
        const cost = before.cost + weight * off * off + poor;
        if (cost < (next[end]?.cost ?? Number.POSITIVE_INFINITY))
          next[end] = { cost, lines: [...before.lines, plain] };
      }
    }
    best = next;
  }
  return [...(best[pieces.length]?.lines ?? greedy)];
}

/**
 * Full lines at the smallest size. Words wider than a line are broken at a grapheme, with a hyphen (a web address
 * without one); an ellipsis replaces what the last line cannot hold.
 */
function cutToLines(
  pieces: readonly string[],
  ruler: Ruler,
  size: number,
  maxLines: number,
): { lines: string[]; truncated: boolean; breaksWord: boolean } {
  const lines: string[] = [];
  let breaksWord = false;
  const hyphenates = !HAS_BREAK_MARKS.test(pieces.join(''));
  const finishPart = hyphenates ? withHyphen : stripBreakMarks;
  let queue = [...pieces];
  while (lines.length < maxLines - 1 && queue.length > 0) {
    let line = '';
    let used = 0;
    while (used < queue.length && ruler.fits(stripBreakMarks(line + queue[used]!), size)) {
      line += queue[used]!;
      used += 1;
    }
    if (used === 0) {
      const head = longestPrefix(queue[0]!, finishPart, ruler, size);
      queue[0] = queue[0]!.slice(head.length);
      line = partsWord(head, queue[0]) ? finishPart(head) : head;
      breaksWord = true;
    }
    queue = queue.slice(used);
    if (stripBreakMarks(line) !== '') lines.push(stripBreakMarks(line));
  }
  const rest = stripBreakMarks(queue.join(''));
  if (rest === '') return { lines, truncated: false, breaksWord };
  if (ruler.fits(rest, size)) return { lines: [...lines, rest], truncated: false, breaksWord };
  const last = longestPrefix(rest, withEllipsis, ruler, size);
  return { lines: [...lines, withEllipsis(last)], truncated: true, breaksWord };
}

/** The longest start of the text that fits; at least one grapheme, so that cutting always ends. */
function longestPrefix(
  text: string,
  finishLine: (line: string) => string,
  ruler: Ruler,
  size: number,
): string {
  // No line holds more, and measuring all of a hostile text again and again would take long.
  const parts = graphemes(text.slice(0, 2000));
  let low = 1;
  let high = parts.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (ruler.fits(finishLine(parts.slice(0, middle).join('')), size)) low = middle;
    else high = middle - 1;
  }
  return parts.slice(0, low).join('');
}

/** A text with marks of its own is a web address, of which a hyphen would become a part. */
const HAS_BREAK_MARKS = /\u200b/;

/** True where a line ends inside a word of a script that hyphenates. */
function partsWord(head: string, rest: string): boolean {
  return /[\p{Lu}\p{Ll}]\p{M}*$/u.test(head) && /^[\p{Lu}\p{Ll}]/u.test(rest);
}

function withHyphen(text: string): string {
  return `${stripBreakMarks(text)}-`;
}

function withEllipsis(text: string): string {
  return `${stripBreakMarks(text).replace(/[\s,;:·|.…]+$/, '')}…`;
}

/** Overlap of the lowest and the highest ink of two lines, em: they are seldom above each other. */
const SHARED_INK_EM = 0.06;

/** The smallest distance of baselines at which no line touches the next: marks can stack high, as in Vietnamese. */
function minPitchPx(lines: readonly LineMetrics[], sizePx: number): number {
  const pitches = lines
    .slice(1)
    .map((line, index) => lines[index]!.ink.bottomPx - line.ink.topPx - SHARED_INK_EM * sizePx);
  return Math.max(0, ...pitches);
}

function finish(
  request: FitRequest,
  ruler: Ruler,
  size: number,
  plainLines: readonly string[],
  outcome: { readonly truncated?: boolean; readonly breaksWord?: boolean; readonly isBelowMin?: boolean },
): FittedText {
  const metrics = plainLines.map((line) => ruler.measure(line, size));
  // Measures the whole text, so that missing characters after the ellipsis are reported too.
  const whole = ruler.measure(stripBreakMarks(request.text), size);
  return {
    style: {
      ...request.style,
      sizePx: size,
      lineHeight: Math.max(
        request.style.lineHeight,
        minPitchPx(metrics, size) / size,
        ...metrics.map((line) => line.minLineHeight ?? 0),
      ),
    },
    lines: plainLines.map((line, index) => ({
      text: ruler.lineText(line),
      widthPx: metrics[index]!.widthPx,
    })),
    widthPx: Math.max(0, ...metrics.map((line) => line.widthPx)),
    truncated: outcome.truncated ?? false,
    breaksWord: outcome.breaksWord ?? false,
    isBelowMin: outcome.isBelowMin ?? false,
    missing: whole.missing,
    capHeightPx: whole.capHeightPx,
  };
}
