/**
 * Opens fonts when they are first needed and keeps them: their coverage, shaping and glyph outlines. The only
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
import { ListingVideoError } from '../../../platform/errors.ts';
import { CUBIC, type GlyphOutline, LINE, MOVE, outlineBounds, QUADRATIC } from '../glyph-outline.ts';
import { type BundledFont, type FontRole, fontPath } from './bundled-fonts.ts';
import type { FallbackFont } from './fallback-fonts.ts';
import type { OwnFont } from './family-fonts.ts';
import { packageVersion } from './font-folders.ts';
import { findSlices } from './font-slices.ts';
import { unpackStream } from './font-stream.ts';
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
  readonly font: FontRole;
  readonly capHeight: number;
  covers(codePoint: number): boolean;
  shapeRun(run: RunRequest): RunGlyph[];
  outline(glyphId: number): GlyphOutline;
}

const loaded = new Map<string, LoadedFont>();

/** @throws {@link ListingVideoError} `template_invalid` for a user's own font that cannot be drawn with. */
export function loadFont(font: BundledFont | OwnFont): LoadedFont {
  let result = loaded.get(font.id);
  if (result === undefined) {
    result = openFont(font);
    loaded.set(font.id, result);
  }
  return result;
}

/**
 * The font of a package that has the character; only slices that list it are opened. `undefined` when none has it or
 * the package is not installed.
 */
export function loadFallback(
  fallback: FallbackFont,
  weight: number,
  scale: number,
  codePoint: number,
): LoadedFont | undefined {
  for (const file of findSlices(fallback, codePoint)) {
    const isAxis = fallback.file === undefined && fallback.sliceWeight === undefined;
    const added = fallback.isOptional ? packageVersion(fallback.packageName) : undefined;
    const font = loadFont({
      id: `${file}@${scale}${isAxis ? `@${weight}` : ''}${added === undefined ? '' : `@${added}`}`,
      packageName: fallback.packageName,
      file,
      scale,
      isFamily: false,
      isTall: !fallback.isSigns,
      ...(isAxis ? { weight } : {}),
      ...(added === undefined ? {} : { added }),
    });
    if (font.covers(codePoint)) return font;
  }
  return undefined;
}

// harfbuzzjs frees memory only when the garbage collector runs (FinalizationRegistry): one for each line would grow the
// wasm heap, which never shrinks. So one buffer and one set of callbacks serve all.
let sharedBuffer: Buffer | undefined;
let sharedDrawFuncs: DrawFuncs | undefined;

function openFont(source: BundledFont | OwnFont): LoadedFont {
  if (!('ownFile' in source)) return openFace(source, packagedFace(source));
  const font = guarded(source, () => openFace(source, ownFace(source)));
  return {
    ...font,
    shapeRun: (run) => guarded(source, () => font.shapeRun(run)),
    outline: (glyphId) => guarded(source, () => font.outline(glyphId)),
  };
}

/** HarfBuzz is WebAssembly: bytes that break it end in an error of the engine, and never leave its memory. */
function guarded<T>({ ownFile }: OwnFont, use: () => T): T {
  try {
    return use();
  } catch (cause) {
    throw new ListingVideoError('template_invalid', `${ownFile} cannot be drawn with`, {
      cause,
      hint: 'save the font again with a font editor, or use another file',
      context: { file: ownFile },
    });
  }
}

function openFace(source: FontRole, { face, covered }: OpenFace): LoadedFont {
  const hbFont = new Font(face);
  if (source.weight !== undefined) hbFont.setVariations([new Variation('wght', source.weight)]);
  const unit = 1 / face.upem;
  const outlines = new Map<number, GlyphOutline>();
  const font: LoadedFont = {
    font: source,
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
  return isCapHeight(font.capHeight) ? font : { ...font, capHeight: heightOfCapitals(font) };
}

/** Some fonts leave the field empty, and texts are aligned by it. */
function isCapHeight(em: number): boolean {
  return em > 0.3 && em < 1.2;
}

const USUAL_CAP_HEIGHT = 0.7;

function heightOfCapitals(font: LoadedFont): number {
  if (!font.covers(0x48)) return USUAL_CAP_HEIGHT;
  const run = { text: 'H', start: 0, end: 1, isRtl: false, script: 'Latn', features: {} };
  const [glyph] = font.shapeRun(run);
  const height = glyph === undefined ? 0 : -(font.outline(glyph.glyphId).bounds?.top ?? 0);
  return isCapHeight(height) ? height : USUAL_CAP_HEIGHT;
}

/** A face that the tables of its file make, and the code points that it has glyphs for. */
interface OpenFace {
  readonly face: Face;
  readonly covered: ReadonlySet<number>;
}

/** By path and name, or digest: a file is read once, however many weights and sizes are drawn from it. */
const faces = new Map<string, OpenFace>();

function packagedFace(font: BundledFont): OpenFace {
  const path = fontPath(font);
  return rememberFace(`${path} ${font.file}`, () => {
    if (path.endsWith('.br')) return openStream(path).get(font.file)!;
    const file = readFileSync(path);
    return path.endsWith('.woff2') ? readWoff2(file) : file;
  });
}

/** A style's other weights are in the same one. */
const streams = new Map<string, ReadonlyMap<string, Uint8Array>>();

function openStream(path: string): ReadonlyMap<string, Uint8Array> {
  let fonts = streams.get(path);
  if (fonts === undefined) {
    fonts = unpackStream(readFileSync(path));
    streams.set(path, fonts);
  }
  return fonts;
}

function ownFace({ digest, openType }: OwnFont): OpenFace {
  const opened = rememberFace(digest, () => openType);
  if (opened.covered.size === 0) throw new RangeError('no characters');
  return opened;
}

function rememberFace(key: string, read: () => Uint8Array): OpenFace {
  let opened = faces.get(key);
  if (opened === undefined) {
    const face = new Face(new Blob(read()));
    opened = { face, covered: new Set(face.collectUnicodes()) };
    faces.set(key, opened);
  }
  return opened;
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
