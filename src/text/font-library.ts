/**
 * Opens the bundled fonts when they are first needed and keeps them: their coverage, shaping and glyph outlines. The only
 * file that uses HarfBuzz. It knows nothing of lines.
 */
import { readFileSync } from 'node:fs';
import {
  Blob,
  Buffer,
  BufferFlag,
  Direction,
  DrawFuncs,
  Face,
  Feature,
  Font,
  MetricsTag,
  shape,
  Variation,
} from 'harfbuzzjs';
import { type BundledFont, fontPath } from './bundled-fonts.ts';
import type { FallbackFont } from './fallback-fonts.ts';
import { findSlices } from './font-slices.ts';
import { CUBIC, type GlyphOutline, LINE, MOVE, outlineBounds, QUADRATIC } from './glyph-outline.ts';
import { readWoff2 } from './read-woff2.ts';

/** One glyph of a shaped run, in em of its own font, y downwards. Runs come in visual order. */
export interface RunGlyph {
  readonly glyphId: number;
  /** UTF-16 index, into the run's text, of the cluster this glyph belongs to. */
  readonly cluster: number;
  readonly advance: number;
  readonly offsetX: number;
  readonly offsetY: number;
}

interface RunRequest {
  /** The run with the text around it, for joining. */
  readonly text: string;
  /** The run is `[start, end)` of `text`, UTF-16. */
  readonly start: number;
  readonly end: number;
  readonly isRtl: boolean;
  /** ISO 15924, such as `Latn`. */
  readonly script: string;
  readonly features: Readonly<Record<string, 0 | 1>>;
}

/** An open font. Lives as long as the process. */
export interface LoadedFont {
  readonly font: BundledFont;
  /** Em. */
  readonly capHeight: number;
  covers(codePoint: number): boolean;
  shapeRun(run: RunRequest): RunGlyph[];
  outline(glyphId: number): GlyphOutline;
}

const loaded = new Map<string, LoadedFont>();

/** The open font; read from disk on the first call. */
export function loadFont(font: BundledFont): LoadedFont {
  let result = loaded.get(font.id);
  if (result === undefined) {
    result = openFont(font);
    loaded.set(font.id, result);
  }
  return result;
}

/**
 * The font of a package that has the character; only slices that list it are opened. `undefined` when none has it or the
 * package is not installed.
 */
export function loadFallback(
  fallback: FallbackFont,
  weight: number,
  scale: number,
  codePoint: number,
): LoadedFont | undefined {
  for (const file of findSlices(fallback, codePoint)) {
    const isAxis = fallback.file === undefined && fallback.sliceWeight === undefined;
    const font = loadFont({
      id: `${file}@${scale}${isAxis ? `@${weight}` : ''}`,
      packageName: fallback.packageName,
      file,
      scale,
      isFamily: false,
      isTall: !fallback.isSigns,
      ...(isAxis ? { weight } : {}),
    });
    if (font.covers(codePoint)) return font;
  }
  return undefined;
}

// harfbuzzjs frees memory only when the garbage collector runs (FinalizationRegistry): a buffer for each line would grow the
// wasm heap, which never shrinks. So one buffer and one set of callbacks serve all.
let sharedBuffer: Buffer | undefined;
let sharedDrawFuncs: DrawFuncs | undefined;

function openFont(bundled: BundledFont): LoadedFont {
  const { face, covered } = openFace(bundled);
  const hbFont = new Font(face);
  if (bundled.weight !== undefined) hbFont.setVariations([new Variation('wght', bundled.weight)]);
  const unit = 1 / face.upem;
  const outlines = new Map<number, GlyphOutline>();
  return {
    font: bundled,
    capHeight: hbFont.getMetricPositionWithFallback(MetricsTag.CAP_HEIGHT) * unit,
    covers: (codePoint) => covered.has(codePoint),
    shapeRun: (run) => shapeRun(hbFont, unit, run),
    outline(glyphId) {
      let outline = outlines.get(glyphId);
      if (outline === undefined) {
        outline = readOutline(hbFont, unit, glyphId);
        outlines.set(glyphId, outline);
      }
      return outline;
    },
  };
}

const faces = new Map<string, { face: Face; covered: ReadonlySet<number> }>();

/** A file is read once, however many weights and sizes are drawn from it. */
function openFace(font: BundledFont): { face: Face; covered: ReadonlySet<number> } {
  const path = fontPath(font);
  let result = faces.get(path);
  if (result === undefined) {
    const file = readFileSync(path);
    const face = new Face(new Blob(path.endsWith('.woff2') ? readWoff2(file) : file));
    result = { face, covered: new Set(face.collectUnicodes()) };
    faces.set(path, result);
  }
  return result;
}

function shapeRun(font: Font, unit: number, run: RunRequest): RunGlyph[] {
  sharedBuffer ??= new Buffer();
  const buffer = sharedBuffer;
  buffer.clearContents();
  buffer.addText(run.text, run.start, run.end - run.start);
  buffer.setDirection(run.isRtl ? Direction.RTL : Direction.LTR);
  buffer.setScript(run.script);
  // The default would be the locale of the machine.
  buffer.setLanguage('en');
  buffer.setFlags(BufferFlag.REMOVE_DEFAULT_IGNORABLES | BufferFlag.DO_NOT_INSERT_DOTTED_CIRCLE);
  shape(
    font,
    buffer,
    Object.entries(run.features).map(([tag, value]) => new Feature(tag, value)),
  );
  const infos = buffer.getGlyphInfos();
  const positions = buffer.getGlyphPositions();
  return infos.map((info, index) => {
    const position = positions[index]!;
    return {
      glyphId: info.codepoint,
      cluster: info.cluster,
      advance: position.xAdvance * unit,
      offsetX: position.xOffset * unit,
      offsetY: -position.yOffset * unit,
    };
  });
}

function readOutline(font: Font, unit: number, glyphId: number): GlyphOutline {
  sharedDrawFuncs ??= createDrawFuncs();
  const raw: number[] = [];
  font.drawGlyph(glyphId, sharedDrawFuncs, { raw, unit });
  const segments = Float64Array.from(raw);
  return { segments, bounds: outlineBounds(segments) };
}

function createDrawFuncs(): DrawFuncs {
  const pen = (code: number) => {
    return (data: unknown, ...points: number[]): void => {
      const { raw, unit } = data as { raw: number[]; unit: number };
      raw.push(code);
      points.forEach((value, index) => {
        raw.push(index % 2 === 0 ? value * unit : -value * unit);
      });
    };
  };
  const [move, line, quadratic, cubic] = [pen(MOVE), pen(LINE), pen(QUADRATIC), pen(CUBIC)];
  const funcs = new DrawFuncs();
  funcs.setMoveToFunc((x, y, data) => move(data, x, y));
  funcs.setLineToFunc((x, y, data) => line(data, x, y));
  funcs.setQuadraticToFunc((cx, cy, x, y, data) => quadratic(data, cx, cy, x, y));
  funcs.setCubicToFunc((ax, ay, bx, by, x, y, data) => cubic(data, ax, ay, bx, by, x, y));
  funcs.setClosePathFunc(() => {});
  return funcs;
}
