/**
 * Converts color profiles of the matrix kind (a matrix and three curves), which nearly every photo has. Pure.
 *
 * Most are sRGB and need no conversion; most others are Display P3 (phones) or AdobeRGB (cameras). sharp converts at
 * full size before it scales. Converting here, after scaling, halves the cost of a 12-megapixel P3 photo. sharp
 * converts every other profile (tables, CMYK, gray).
 */

/** Converts pixels of one profile to sRGB, in place. */
export interface ProfileConverter {
  /** True when the profile is sRGB: the conversion changes no value by more than one step. */
  readonly isSrgb: boolean;
  /** @param channels - 3, or 4 with straight alpha, which is left alone. */
  convert(pixels: Uint8Array, channels: 3 | 4): void;
}

type Vector = readonly [number, number, number];
/** Rows of a matrix from one linear RGB to another. */
export type Matrix = readonly [Vector, Vector, Vector];

/** XYZ relative to D50, as all profiles give it, to linear sRGB: the inverse of IEC 61966-2-1's, Bradford-adapted. */
const D50_TO_SRGB: Matrix = [
  [3.1338561, -1.6168667, -0.4906146],
  [-0.9787684, 1.9161415, 0.033454],
  [0.0719453, -0.2289914, 1.4052427],
];

/** Size of the table from linear light to a byte: enough for the steep start of the curve (12.92 * 255). */
const ENCODE_STEPS = 16384;

let encodeTable: Uint8Array | undefined;

/** IEC 61966-2-1: linear 0 to `ENCODE_STEPS` to 0 to 255. */
function toEncodeTable(): Uint8Array {
  encodeTable ??= Uint8Array.from({ length: ENCODE_STEPS + 1 }, (_, step) => {
    const linear = step / ENCODE_STEPS;
    const encoded = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
    return Math.round(encoded * 255);
  });
  return encodeTable;
}

/**
 * Reads a profile.
 *
 * @param icc - The embedded profile; its bytes are not trusted.
 * @returns Null when it is damaged or not of the matrix kind.
 */
export function toProfileConverter(icc: Uint8Array): ProfileConverter | null {
  try {
    return readMatrixProfile(new DataView(icc.buffer, icc.byteOffset, icc.byteLength));
  } catch (error) {
    // DataView throws this for a read beyond the end, which means wrong offsets in the profile.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function readMatrixProfile(view: DataView): ProfileConverter | null {
  // ICC.1:2010, 7.2: color space at 16, connection space at 20, tag table at 128.
  if (readText(view, 36) !== 'acsp' || readText(view, 16) !== 'RGB ' || readText(view, 20) !== 'XYZ ')
    return null;
  const tags = new Map<string, number>();
  const count = Math.min(view.getUint32(128), 100);
  for (let index = 0; index < count; index += 1) {
    tags.set(readText(view, 132 + 12 * index), view.getUint32(136 + 12 * index));
  }
  // A table has precedence over the matrix (ICC.1:2010, 8.10.2).
  if (tags.has('A2B0') || tags.has('D2B0')) return null;
  const names = ['r', 'g', 'b'] as const;
  const columns = names.map((name) => readXyz(view, tags.get(`${name}XYZ`)));
  const curves = names.map((name) => readCurve(view, tags.get(`${name}TRC`)));
  const [r, g, b] = columns;
  const [curveR, curveG, curveB] = curves;
  if (!r || !g || !b || !curveR || !curveG || !curveB) return null;
  const matrix = D50_TO_SRGB.map((row) => [dot(row, r), dot(row, g), dot(row, b)]) as unknown as Matrix;
  return toMatrixConverter(matrix, [curveR, curveG, curveB]);
}

/** The linear light of each of 256 values, 0 to 1, of red, green and blue. */
type Curves = readonly [Float32Array, Float32Array, Float32Array];

/** @param matrix - From the linear RGB of the pixels to that of sRGB. */
export function toMatrixConverter(matrix: Matrix, curves: Curves): ProfileConverter {
  const convert = (pixels: Uint8Array, channels: 3 | 4) => convertPixels(pixels, channels, matrix, curves);
  return { isSrgb: isIdentity(convert), convert };
}

function convertPixels(
  pixels: Uint8Array,
  channels: 3 | 4,
  [[rr, rg, rb], [gr, gg, gb], [br, bg, bb]]: Matrix,
  [curveR, curveG, curveB]: Curves,
): void {
  const table = toEncodeTable();
  const encode = (linear: number) =>
    table[linear <= 0 ? 0 : linear >= 1 ? ENCODE_STEPS : (linear * ENCODE_STEPS + 0.5) | 0]!;
  for (let at = 0; at + 2 < pixels.length; at += channels) {
    const r = curveR[pixels[at]!]!;
    const g = curveG[pixels[at + 1]!]!;
    const b = curveB[pixels[at + 2]!]!;
    pixels[at] = encode(rr * r + rg * g + rb * b);
    pixels[at + 1] = encode(gr * r + gg * g + gb * b);
    pixels[at + 2] = encode(br * r + bg * g + bb * b);
  }
}

/** Compares a coarse cube of colors, so that every way to describe sRGB is recognized. */
function isIdentity(convert: (pixels: Uint8Array, channels: 3) => void): boolean {
  const levels = [0, 16, 51, 102, 153, 204, 255];
  const cube = Uint8Array.from(
    levels.flatMap((r) => levels.flatMap((g) => levels.flatMap((b) => [r, g, b]))),
  );
  const converted = Uint8Array.from(cube);
  convert(converted, 3);
  return converted.every((value, index) => Math.abs(value - cube[index]!) <= 1);
}

function readXyz(view: DataView, at: number | undefined): Vector | null {
  if (at === undefined || readText(view, at) !== 'XYZ ') return null;
  return [readFixed(view, at + 8), readFixed(view, at + 12), readFixed(view, at + 16)];
}

/** A tone curve as linear light (0 to 1) for each byte. */
function readCurve(view: DataView, at: number | undefined): Float32Array | null {
  if (at === undefined) return null;
  const type = readText(view, at);
  const evaluate =
    type === 'curv' ? readSampledCurve(view, at) : type === 'para' ? readFormula(view, at) : null;
  return (
    evaluate &&
    Float32Array.from({ length: 256 }, (_, value) => Math.min(1, Math.max(0, evaluate(value / 255))))
  );
}

/** ICC.1:2010, 10.5: no entry means identity, one entry a gamma (8.8 fixed), more a table to interpolate. */
function readSampledCurve(view: DataView, at: number): (x: number) => number {
  const count = view.getUint32(at + 8);
  if (count === 0) return (x) => x;
  if (count === 1) {
    const gamma = view.getUint16(at + 12) / 256;
    return (x) => x ** gamma;
  }
  view.getUint16(at + 12 + 2 * (count - 1));
  return (x) => {
    const place = x * (count - 1);
    const low = Math.min(count - 2, Math.floor(place));
    const from = view.getUint16(at + 12 + 2 * low) / 65535;
    const to = view.getUint16(at + 14 + 2 * low) / 65535;
    return from + (to - from) * (place - low);
  };
}

/** ICC.1:2010, 10.16: five shapes of (aX + b)^g with a straight start. */
function readFormula(view: DataView, at: number): ((x: number) => number) | null {
  const shape = view.getUint16(at + 8);
  const needed = [1, 3, 4, 5, 7][shape];
  if (needed === undefined) return null;
  const values = Array.from({ length: needed }, (_, index) => readFixed(view, at + 12 + 4 * index));
  const [g = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = values;
  const power = (x: number) => Math.max(0, a * x + b) ** g;
  switch (shape) {
    case 0:
      return (x) => x ** g;
    case 1:
      return (x) => (x >= -b / a ? power(x) : 0);
    case 2:
      return (x) => (x >= -b / a ? power(x) + c : c);
    case 3:
      return (x) => (x >= d ? power(x) : c * x);
    default:
      return (x) => (x >= d ? power(x) + e : c * x + f);
  }
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function readFixed(view: DataView, at: number): number {
  return view.getInt32(at) / 65536;
}

function readText(view: DataView, at: number): string {
  return String.fromCharCode(
    view.getUint8(at),
    view.getUint8(at + 1),
    view.getUint8(at + 2),
    view.getUint8(at + 3),
  );
}
