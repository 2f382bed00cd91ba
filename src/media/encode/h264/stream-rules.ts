/** Reads what slice headers depend on from a stream's parameter sets. Pure. ITU-T H.264, 7.3.2. */
import { BitReader, withoutEmulation } from './h264-bits.ts';

/** Table A-1, MaxFS of level 6.2. A frame that we write has a bit or more for each. */
const MAX_MACROBLOCKS = 139_264;

/** The fields of the sequence and picture parameter sets that a slice header depends on. */
export interface StreamRules {
  readonly frameNumBits: number;
  /** Of the display order in a slice header; null: it is not there, frames are shown as they are decoded. */
  readonly orderBits: number | null;
  /** Reference pictures that a decoder keeps. */
  readonly references: number;
  readonly columns: number;
  readonly rows: number;
  readonly pictureSetId: number;
  readonly isCabac: boolean;
  readonly hasOrderDelta: boolean;
  /** Of list 0 and list 1, where a slice does not say it. */
  readonly usedReferences: readonly [number, number];
  readonly isWeighted: boolean;
  readonly bipredictionWeights: number;
  readonly initialQp: number;
  readonly hasDeblockingControl: boolean;
}

/**
 * @param avcC - AVCDecoderConfigurationRecord of the stream.
 * @throws Error when the stream is not of the kind that our encoder makes.
 */
export function readStreamRules(avcC: Buffer): StreamRules {
  const sequenceBytes = avcC.readUInt16BE(6);
  const sequence = readSequence(avcC.subarray(8, 8 + sequenceBytes));
  const pictureAt = 8 + sequenceBytes + 1;
  const pictureBytes = avcC.readUInt16BE(pictureAt);
  return { ...sequence, ...readPictureSet(avcC.subarray(pictureAt + 2, pictureAt + 2 + pictureBytes)) };
}

/** @throws Error when the stream's pictures do not say when they are shown. */
export function orderBitsOf({ orderBits }: StreamRules): number {
  if (orderBits === null) throw new Error('expected picture order type 0');
  return orderBits;
}

type SequenceRules = Pick<StreamRules, 'frameNumBits' | 'orderBits' | 'references' | 'columns' | 'rows'>;

/** 7.3.2.1.1. */
function readSequence(nal: Buffer): SequenceRules {
  const bits = new BitReader(withoutEmulation(nal.subarray(1)));
  const profile = bits.read(8);
  bits.read(16);
  bits.readUe();
  if (profile >= 100) {
    const isPlain = [bits.readUe() === 1, bits.readUe() === 0, bits.readUe() === 0, bits.read(2) === 0];
    if (isPlain.includes(false)) throw new Error('expected 4:2:0 of 8 bits without scaling lists');
  }
  const frameNumBits = readLog2(bits);
  const orderBits = readOrderBits(bits);
  const references = bits.readUe();
  bits.read(1);
  const [columns, rows] = [bits.readUe() + 1, bits.readUe() + 1];
  if (columns * rows > MAX_MACROBLOCKS) throw new Error('expected a picture of a size that levels allow');
  if (bits.read(1) !== 1) throw new Error('expected frames, not fields');
  return { frameNumBits, orderBits, references, columns, rows };
}

/** Types 0 and 2 of 7.4.2.1.1: x264 writes 2 where it has no B-frames. */
function readOrderBits(bits: BitReader): number | null {
  const type = bits.readUe();
  if (type === 0) return readLog2(bits);
  if (type !== 2) throw new Error('expected picture order type 0 or 2');
  return null;
}

/** 7.4.2.1.1: `log2_max_frame_num_minus4` and its like are 0 to 12. */
function readLog2(bits: BitReader): number {
  const value = bits.readUe();
  if (value > 12) throw new Error('expected a number of 4 to 16 bits');
  return value + 4;
}

/** 7.3.2.2. */
function readPictureSet(nal: Buffer): Omit<StreamRules, keyof SequenceRules> {
  const bits = new BitReader(withoutEmulation(nal.subarray(1)));
  const pictureSetId = bits.readUe();
  bits.readUe();
  const isCabac = bits.read(1) === 1;
  const hasOrderDelta = bits.read(1) === 1;
  if (bits.readUe() !== 0) throw new Error('expected one slice group');
  const usedReferences = [bits.readUe() + 1, bits.readUe() + 1] as const;
  const isWeighted = bits.read(1) === 1;
  const bipredictionWeights = bits.read(2);
  const initialQp = 26 + bits.readSe();
  bits.readSe();
  bits.readSe();
  const hasDeblockingControl = bits.read(1) === 1;
  bits.read(1);
  if (bits.read(1) !== 0) throw new Error('expected no redundant pictures');
  return {
    ...{ pictureSetId, isCabac, hasOrderDelta, usedReferences },
    ...{ isWeighted, bipredictionWeights, initialQp, hasDeblockingControl },
  };
}
