/**
 * Converts colors that a file describes with code points (ITU-T H.273, `nclx` in HEIF) instead of a profile. Pure.
 */
import { type Matrix, type ProfileConverter, toMatrixConverter } from './icc-profile.ts';

/**
 * Linear light of these primaries to linear sRGB; all have the white of sRGB, D65. Primaries that are not here are
 * close to it.
 */
const TO_SRGB: Readonly<Record<number, Matrix>> = {
  // 9: BT.2020.
  9: [
    [1.660491, -0.5876411, -0.0728499],
    [-0.1245505, 1.1328999, -0.0083494],
    [-0.0181508, -0.1005789, 1.1187297],
  ],
  // 12: Display P3.
  12: [
    [1.2249401, -0.2249404, 0],
    [-0.0420569, 1.0420571, 0],
    [-0.0196376, -0.0786361, 1.0982735],
  ],
};
const IDENTITY: Matrix = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** Code points of transfer characteristics whose curve is not that of sRGB. BT.709 and HLG are shown like sRGB. */
const GAMMA_22 = 4;
const LINEAR = 8;
const PQ = 16;
/** White of standard pictures in PQ, in cd/m² (ITU-R BT.2408). Brighter light is compressed above the knee. */
const PQ_WHITE_NITS = 203;
const KNEE = 0.8;

/** Null when the colors need no conversion. */
export function toNclxConverter(primaries: number, transfer: number): ProfileConverter | null {
  const evaluate =
    transfer === PQ ? pqToLinear : transfer === LINEAR ? same : transfer === GAMMA_22 ? gamma : srgb;
  const matrix = TO_SRGB[primaries];
  if (matrix === undefined && evaluate === srgb) return null;
  const curve = Float32Array.from({ length: 256 }, (_, value) => evaluate(value / 255));
  return toMatrixConverter(matrix ?? IDENTITY, [curve, curve, curve]);
}

const same = (x: number): number => x;
const gamma = (x: number): number => x ** 2.2;
/** IEC 61966-2-1. */
const srgb = (x: number): number => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);

/** SMPTE ST 2084, relative to {@link PQ_WHITE_NITS}, at most 1. */
function pqToLinear(x: number): number {
  const power = x ** (1 / 78.84375);
  const nits =
    10_000 * (Math.max(0, power - 0.8359375) / (18.8515625 - 18.6875 * power)) ** (1 / 0.1593017578125);
  const light = nits / PQ_WHITE_NITS;
  if (light <= KNEE) return light;
  const above = (light - KNEE) / (1 - KNEE);
  return KNEE + (1 - KNEE) * (above / (1 + above));
}
