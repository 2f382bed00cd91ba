/** Sets type in the styles of a template: fits words into a width and makes text layers whose boxes are their ink. */

import type { Template, TypeOverflow, TypeStyle } from '../template/template.ts';
import { type FitRequest, type FittedText, fitText } from '../text/fit-text.ts';
import { isRtlText } from '../text/order-runs.ts';
import { placeLines, type TextAlign } from '../text/place-lines.ts';
import type { HanVariant, LineMetrics, PlacedLine, TextMeasurer, TextStyle } from '../text/text.ts';
import { toCapitals } from '../text/to-capitals.ts';
import type { Color, TextLayer } from './storyboard.ts';

const HANGING_DOT = /\s*[·|]$/;
const HAN = /\p{Script=Han}/u;
/** Arabic and Hebrew have no capitals and low letters: type under this size is set larger, up to it. */
const SMALL_RTL_PX = 56;
const SMALL_RTL_SCALE = 1.25;

export type TextPart = 'line' | 'word';

export interface SetText {
  readonly fitted: FittedText;
  readonly hang: boolean;
  /** From the capitals of the first line to the last baseline, px. */
  readonly heightPx: number;
  readonly widthPx: number;
  /** Ink above the capitals of the first line and below the last baseline, px. */
  readonly overTopPx: number;
  readonly underPx: number;
  /** Ink of the only line relative to its baseline, px; above is negative. */
  readonly inkTopPx: number;
  readonly inkBottomPx: number;
}

/** How a text is fitted; the defaults are those of its style. */
export interface SetOptions {
  readonly widthPx: number;
  readonly maxLines?: number;
  readonly wrapFirst?: boolean;
  /** Multiplies the style's size; the style's minimum still applies. */
  readonly scale?: number;
  readonly sizePx?: number;
  readonly minSizePx?: number;
  readonly ellipsis?: boolean;
}

function toTextStyle(defaults: Template['styleDefaults'], style: TypeStyle): TextStyle {
  const features = style.features ?? defaults.features;
  const wordSpace = style.wordSpace ?? defaults.wordSpace;
  return {
    family: (style.family ?? defaults.family) as TextStyle['family'],
    weight: (style.weight ?? defaults.weight ?? 400) as TextStyle['weight'],
    italic: style.italic ?? defaults.italic ?? false,
    sizePx: style.size,
    trackingEm: style.tracking ?? defaults.tracking ?? 0,
    lineHeight: style.lineHeight ?? defaults.lineHeight ?? 1.1,
    ...(wordSpace ? { wordSpaceEm: wordSpace } : {}),
    ...(features ? { features } : {}),
  };
}

function grownFor(text: string, sizePx: number): number {
  if (sizePx >= SMALL_RTL_PX || !isRtlText(text)) return sizePx;
  return Math.min(SMALL_RTL_PX, Math.round(SMALL_RTL_SCALE * sizePx));
}

/** Fits and places the texts of one video; remembers which characters no font has. */
export class TypeSetter {
  readonly #measurer: TextMeasurer;
  readonly #defaults: Template['styleDefaults'];
  readonly #styles: Readonly<Record<string, TypeStyle>>;
  readonly #han: HanVariant | undefined;
  readonly #isRtl: boolean;
  /** Lines at full size come before one line of a smaller one. */
  readonly #keepsSize: boolean;
  readonly #missing = new Set<number>();
  /** A stack is set again at every scale it tries; most of its texts come out the same. */
  readonly #memo = new Map<string, SetText>();

  /**
   * @param han - Regional shapes of Chinese characters, for texts that do not decide it themselves.
   * @param isRtl - The scenes are read from right to left.
   */
  constructor(
    measurer: TextMeasurer,
    defaults: Template['styleDefaults'],
    styles: Readonly<Record<string, TypeStyle>>,
    han?: HanVariant,
    isRtl = false,
    keepsSize = false,
  ) {
    this.#measurer = measurer;
    this.#defaults = defaults;
    this.#styles = styles;
    this.#han = han;
    this.#isRtl = isRtl;
    this.#keepsSize = keepsSize;
  }

  /** Code points that no font has, in order of first use. */
  get missing(): readonly number[] {
    return [...this.#missing];
  }

  get isRtl(): boolean {
    return this.#isRtl;
  }

  /** The same type; what is larger has this size. */
  atMost(sizePx: number): TypeSetter {
    const capped = Object.entries(this.#styles).map(
      ([name, style]) =>
        [name, style.size > sizePx ? { ...style, size: sizePx, min: sizePx } : style] as const,
    );
    return new TypeSetter(this.#measurer, this.#defaults, Object.fromEntries(capped), this.#han, this.#isRtl);
  }

  /** Where a text of this alignment stands: from right to left, left and right change places. */
  sideOf(align: TextAlign): TextAlign {
    if (!this.#isRtl || align === 'center') return align;
    return align === 'left' ? 'right' : 'left';
  }

  style(name: string): TypeStyle {
    const style = this.#styles[name];
    if (!style) throw new TypeError(`the template has no type style "${name}"`);
    return style;
  }

  minSize(name: string): number {
    const { min, size } = this.style(name);
    return min ?? size;
  }

  /** The text on one line at exactly this size, however wide it becomes. */
  measure(text: string, styleName: string, sizePx: number): SetText {
    return this.fit(text, styleName, { widthPx: Number.MAX_SAFE_INTEGER, sizePx, minSizePx: sizePx });
  }

  fit(text: string, styleName: string, options: SetOptions): SetText {
    const key = JSON.stringify([
      text,
      styleName,
      { ...options, scale: 1, sizePx: this.#sizeOf(styleName, options) },
    ]);
    const known = this.#memo.get(key);
    if (known) return known;
    const set = this.#fitAnew(text, styleName, options);
    this.#memo.set(key, set);
    return set;
  }

  #sizeOf(styleName: string, options: SetOptions): number {
    const min = options.minSizePx ?? this.minSize(styleName);
    return Math.round(Math.max(min, options.sizePx ?? this.style(styleName).size * (options.scale ?? 1)));
  }

  #fitAnew(text: string, styleName: string, options: SetOptions): SetText {
    const style = this.style(styleName);
    const han = this.#han !== undefined && HAN.test(text) ? { han: this.#han } : {};
    const { overflow } = style;
    const request = {
      text: (style.caps ?? this.#defaults.caps) ? toCapitals(text) : text,
      style: {
        ...toTextStyle(this.#defaults, style),
        sizePx: grownFor(text, this.#sizeOf(styleName, options)),
        ...han,
      },
      widthPx: options.widthPx,
      minSizePx: options.minSizePx ?? this.minSize(styleName),
      maxLines: options.maxLines ?? 1,
      ...(options.wrapFirst === undefined && !this.#keepsSize
        ? {}
        : { wrapFirst: options.wrapFirst || this.#keepsSize }),
      ...(options.ellipsis === undefined ? {} : { ellipsis: options.ellipsis }),
      measurer: this.#measurer,
    };
    const whole = fitText(request);
    const fitted = this.#withoutHangingDots(
      overflow === undefined || isWhole(whole) ? whole : fitOverflow(request, text, overflow),
    );
    for (const codePoint of fitted.missing) this.#missing.add(codePoint);
    const first = fitted.lines[0];
    const last = fitted.lines.at(-1);
    const top = first ? this.#measurer.measure(first.text, fitted.style).ink.topPx : 0;
    const bottom = last ? this.#measurer.measure(last.text, fitted.style).ink.bottomPx : 0;
    const pitch = fitted.style.lineHeight * fitted.style.sizePx;
    return {
      fitted,
      hang: style.hang ?? this.#defaults.hang ?? false,
      heightPx: fitted.lines.length === 0 ? 0 : fitted.capHeightPx + (fitted.lines.length - 1) * pitch,
      widthPx: fitted.widthPx,
      overTopPx: Math.max(0, -top - fitted.capHeightPx),
      underPx: Math.max(0, bottom),
      inkTopPx: top,
      inkBottomPx: bottom,
    };
  }

  /** Removes a middle dot at the end of a line: the line break separates as well. */
  #withoutHangingDots(fitted: FittedText): FittedText {
    const last = fitted.lines.length - 1;
    if (!fitted.lines.some((line, index) => index < last && HANGING_DOT.test(line.text))) return fitted;
    const lines = fitted.lines.map((line, index) => {
      if (index === last || !HANGING_DOT.test(line.text)) return line;
      const text = line.text.replace(HANGING_DOT, '');
      return { text, widthPx: this.#measurer.measure(text, fitted.style).widthPx };
    });
    return { ...fitted, lines, widthPx: Math.max(...lines.map((line) => line.widthPx)) };
  }

  /** The layer whose first capitals touch `capTopY`. Its box is that of the ink, for lint and clips. */
  place(
    id: string,
    set: SetText,
    at: { readonly x: number; readonly w: number; readonly capTopY: number },
    align: TextAlign,
    paint: { readonly color: Color; readonly reads: string },
  ): TextLayer {
    return toLayer(id, set, this.#linesAt(set, at, align), paint.color, paint.reads);
  }

  /**
   * As {@link place}, with a layer for each line or word: `name`, `name-line-2` …, `name-word-2` …. The first one
   * reads the whole text, the others read nothing.
   */
  placeEach(
    id: string,
    set: SetText,
    at: { readonly x: number; readonly w: number; readonly capTopY: number },
    align: TextAlign,
    paint: { readonly color: Color; readonly reads: string },
    each: TextPart,
  ): TextLayer[] {
    const lines = this.#linesAt(set, at, align);
    const parts = each === 'word' ? lines.flatMap((line) => this.#wordsOf(line, set.fitted.style)) : lines;
    return parts.map((part, index) =>
      toLayer(
        index === 0 ? id : `${id}-${each}-${index + 1}`,
        set,
        [part],
        paint.color,
        index === 0 ? paint.reads : '',
      ),
    );
  }

  countParts({ fitted: { lines, style } }: SetText, each: TextPart): number {
    if (each === 'line') return lines.length;
    return lines.reduce((sum, { text }) => sum + this.#measurer.measureWords(text, style).length, 0);
  }

  /** Each as high as the line: all words travel equally far, and their windows open at one edge. */
  #wordsOf(line: InkedLine, style: TextStyle): InkedLine[] {
    return this.#measurer.measureWords(line.text, style).map(({ word, text, ink }) => ({
      ...line,
      text,
      ink: { ...line.ink, leftPx: ink.leftPx, rightPx: ink.rightPx },
      part: { of: line.text, word },
    }));
  }

  #linesAt(
    set: SetText,
    at: { readonly x: number; readonly w: number; readonly capTopY: number },
    aligned: TextAlign,
  ): InkedLine[] {
    const align = this.sideOf(aligned);
    const { capHeightPx } = set.fitted;
    // The eye aligns by baselines: they stand on whole pixels, whatever the cap height is.
    const shift = Math.round(at.capTopY + capHeightPx) - Math.round(capHeightPx);
    return placeLines(set.fitted, at.w, align).map((line, index) => {
      const { ink, addedFonts } = this.#measurer.measure(line.text, set.fitted.style);
      // Italics lean over the end of their advance: text that is flush right is flush by its ink.
      const lean = align === 'right' ? Math.max(0, ink.rightPx - set.fitted.lines[index]!.widthPx) : 0;
      const hang = set.hang && align === 'left' ? Math.max(0, ink.leftPx) : lean;
      return { text: line.text, x: at.x + line.xPx - hang, y: line.baselineYPx + shift, ink, addedFonts };
    });
  }
}

/** False where words were cut or broken. */
function isWhole({ truncated, breaksWord }: FittedText): boolean {
  return !truncated && !breaksWord;
}

/**
 * What a style does before it cuts a text: more lines, smaller type, then no capitals and no tracking.
 *
 * @param typed - The text as it was typed.
 */
function fitOverflow(request: FitRequest, typed: string, overflow: TypeOverflow): FittedText {
  const roomy: FitRequest = {
    ...request,
    style: { ...request.style, sizePx: Math.min(request.style.sizePx, request.minSizePx) },
    minSizePx: Math.min(request.minSizePx, overflow.min),
    maxLines: Math.max(request.maxLines, overflow.lines),
    wrapFirst: true,
  };
  const smaller = fitText(roomy);
  if (isWhole(smaller)) return smaller;
  const trackingEm = Math.min(0, request.style.trackingEm);
  return fitText({ ...roomy, text: typed, style: { ...roomy.style, trackingEm } });
}

/** A line on the frame: start of its pen, baseline, and ink relative to both, px. */
interface InkedLine {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly ink: LineMetrics['ink'];
  readonly addedFonts: LineMetrics['addedFonts'];
  readonly part?: PlacedLine['part'];
}

function toLayer(
  id: string,
  set: SetText,
  lines: readonly InkedLine[],
  color: Color,
  reads: string,
): TextLayer {
  const left = Math.floor(Math.min(...lines.map((line) => line.x + line.ink.leftPx)));
  const top = Math.floor(Math.min(...lines.map((line) => line.y + line.ink.topPx)));
  const right = Math.ceil(Math.max(...lines.map((line) => line.x + line.ink.rightPx)));
  const bottom = Math.ceil(Math.max(...lines.map((line) => line.y + line.ink.bottomPx)));
  const addedFonts = [...new Set(lines.flatMap((line) => line.addedFonts ?? []))];
  return {
    type: 'text',
    id,
    box: { x: left, y: top, w: Math.max(1, right - left), h: Math.max(1, bottom - top) },
    style: set.fitted.style,
    color,
    lines: lines.map(({ text, x, y, part }) => ({
      text,
      xPx: round(x - left),
      baselineYPx: y - top,
      ...(part ? { part } : {}),
    })),
    ...(addedFonts.length > 0 ? { addedFonts } : {}),
    reads,
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
