/**
 * Reads size, profile and colors from an H.264 parameter set, which decoders obey. Our own code, because mediabunny
 * reports the container's values where both exist. Pure. ITU-T H.264, 7.3.2.1.1, E.1.1.
 */
import { BitReader, withoutEmulation } from './h264-bits.ts';

export interface VideoParameters {
  /** 100 is High. */
  readonly profileIdc: number;
  /** 40 is level 4. */
  readonly levelIdc: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly isFullRange: boolean;
  /** Code points of ITU-T H.273; 1 is BT.709, 2 is unspecified. */
  readonly primaries: number;
  readonly transfer: number;
  readonly matrix: number;
}

/**
 * @param avcC - AVCDecoderConfigurationRecord with a sequence parameter set for 4:2:0, 8 bits, as our encoder writes
 *   it.
 * @throws Error when there is none.
 */
export function readVideoParameters(avcC: Buffer): VideoParameters {
  const spsBytes = avcC.readUInt16BE(6);
  const bits = new BitReader(withoutEmulation(avcC.subarray(8 + 1, 8 + spsBytes)));
  const profileIdc = bits.read(8);
  bits.read(8);
  const levelIdc = bits.read(8);
  bits.readUe();
  if (profileIdc >= 100) skipHighProfile(bits);
  bits.readUe();
  skipPictureOrder(bits);
  bits.readUe();
  bits.read(1);
  const widthMbs = bits.readUe() + 1;
  const heightUnits = bits.readUe() + 1;
  const isFrameOnly = bits.read(1) === 1;
  if (!isFrameOnly) bits.read(1);
  bits.read(1);
  const crop =
    bits.read(1) === 1 ? [bits.readUe(), bits.readUe(), bits.readUe(), bits.readUe()] : [0, 0, 0, 0];
  const [left = 0, right = 0, top = 0, bottom = 0] = crop;
  const rowsPerUnit = isFrameOnly ? 1 : 2;
  return {
    profileIdc,
    levelIdc,
    widthPx: widthMbs * 16 - (left + right) * 2,
    heightPx: heightUnits * 16 * rowsPerUnit - (top + bottom) * 2 * rowsPerUnit,
    ...readColors(bits),
  };
}

function skipHighProfile(bits: BitReader): void {
  bits.readUe();
  bits.readUe();
  bits.readUe();
  bits.read(1);
  if (bits.read(1) === 1) throw new Error('scaling lists are not expected');
}

function skipPictureOrder(bits: BitReader): void {
  const type = bits.readUe();
  if (type === 0) bits.readUe();
  if (type === 1) throw new Error('picture order type 1 is not expected');
}

function readColors(
  bits: BitReader,
): Pick<VideoParameters, 'isFullRange' | 'primaries' | 'transfer' | 'matrix'> {
  const unspecified = { isFullRange: false, primaries: 2, transfer: 2, matrix: 2 };
  if (bits.read(1) === 0) return unspecified;
  if (bits.read(1) === 1 && bits.read(8) === 255) bits.read(32);
  if (bits.read(1) === 1) bits.read(1);
  if (bits.read(1) === 0) return unspecified;
  bits.read(3);
  const isFullRange = bits.read(1) === 1;
  if (bits.read(1) === 0) return { ...unspecified, isFullRange };
  return { isFullRange, primaries: bits.read(8), transfer: bits.read(8), matrix: bits.read(8) };
}
