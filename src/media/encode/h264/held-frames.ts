/**
 * Frames that repeat the previous one, written without an encoder. While a card rests, x264 would need 6 ms per frame
 * at 1080p to encode "unchanged"; this code writes it in 40 bytes.
 *
 * Each is a reference P picture with only skipped macroblocks, which decodes to the pixels of the frame before it. x264
 * writes the same for an unchanged frame. ITU-T H.264.
 */
import { BitReader, BitWriter, toAccessUnit, withoutEmulation } from './h264-bits.ts';
import { cabacSkips, SKIP_QP } from './skip-slice.ts';
import { orderBitsOf, readStreamRules, type StreamRules } from './stream-rules.ts';

/** The facts of an encoded picture that later pictures need. */
interface CodedPicture {
  readonly isReference: boolean;
  readonly frameNum: number;
  /** Lowest bits of its display order. */
  readonly orderLsb: number;
}

/** Makes the held frames at the end of one segment. Pass it every access unit of the segment first. */
export class HeldFrames {
  readonly #rules: StreamRules;
  readonly #orderBits: number;
  readonly #skips: Uint8Array;
  #shownLast: { readonly frame: number; readonly picture: CodedPicture } | undefined;
  #decodedLast: CodedPicture | undefined;

  /**
   * @param avcC - AVCDecoderConfigurationRecord of the stream.
   * @throws Error when the stream is not of the kind that our encoder makes.
   */
  constructor(avcC: Buffer) {
    this.#rules = readStreamRules(avcC);
    this.#orderBits = orderBitsOf(this.#rules);
    const { isCabac, columns, rows } = this.#rules;
    this.#skips = isCabac ? cabacSkips(columns * rows) : new Uint8Array(0);
  }

  /**
   * Reads an access unit.
   *
   * @param data - NAL units after their lengths in 4 bytes, in decoding order.
   * @param frame - The frame that it shows.
   */
  note(data: Buffer, frame: number): void {
    const picture = readPicture(data, this.#rules);
    this.#decodedLast = picture;
    if (this.#shownLast === undefined || frame > this.#shownLast.frame) this.#shownLast = { frame, picture };
  }

  /** The next held frame, decoded and shown after all others. @throws Error when there is nothing to hold. */
  next(): Buffer {
    const { frameNumBits } = this.#rules;
    const [shown, decoded] = [this.#shownLast, this.#decodedLast];
    if (shown === undefined || decoded === undefined || !shown.picture.isReference)
      throw new Error('the last picture shown cannot be referred to');
    const frameNums = 2 ** frameNumBits;
    // 7.4.3: one more than that of the last reference; a non-reference picture has used that number already.
    const frameNum = (decoded.frameNum + (decoded.isReference ? 1 : 0)) % frameNums;
    const orderLsb = (shown.picture.orderLsb + 2) % 2 ** this.#orderBits;
    const distance = (frameNum - shown.picture.frameNum + frameNums) % frameNums;
    const picture = { isReference: true, frameNum, orderLsb };
    this.#shownLast = { frame: shown.frame + 1, picture };
    this.#decodedLast = picture;
    return this.#write(picture, distance);
  }

  /** 7.3.3, of a P slice. */
  #write({ frameNum, orderLsb }: CodedPicture, distance: number): Buffer {
    const rules = this.#rules;
    const bits = new BitWriter();
    // nal_ref_idc 2, nal_unit_type 1.
    bits.write(0x41, 8);
    bits.writeUe(0);
    // All slices of the picture are P.
    bits.writeUe(5);
    bits.writeUe(rules.pictureSetId);
    bits.write(frameNum, rules.frameNumBits);
    bits.write(orderLsb, this.#orderBits);
    if (rules.hasOrderDelta) bits.writeSe(0);
    // One reference.
    bits.write(1, 1);
    bits.writeUe(0);
    writeReference(bits, distance);
    if (rules.isWeighted) {
      bits.writeUe(0);
      bits.writeUe(0);
      bits.write(0, 2);
    }
    // The oldest reference is removed.
    bits.write(0, 1);
    if (rules.isCabac) bits.writeUe(0);
    bits.writeSe(SKIP_QP - rules.initialQp);
    if (rules.hasDeblockingControl) bits.writeUe(1);
    if (rules.isCabac) bits.align(1);
    else {
      // CAVLC: one number for all skips, and the stop bit.
      bits.writeUe(rules.columns * rules.rows);
      bits.write(1, 1);
      bits.align(0);
    }
    return toAccessUnit(Buffer.concat([bits.toBytes(), this.#skips]));
  }
}

/** 7.3.3.1: by default the last decoded reference is first. After B-pictures it is not the last shown. */
function writeReference(bits: BitWriter, distance: number): void {
  bits.write(distance === 1 ? 0 : 1, 1);
  if (distance === 1) return;
  bits.writeUe(0);
  bits.writeUe(distance - 1);
  bits.writeUe(3);
}

/** Enough bytes for the part of a slice header that is read, with emulation prevention. */
const HEADER_BYTES = 32;

function readPicture(data: Buffer, rules: StreamRules): CodedPicture {
  for (let at = 0; at + 5 <= data.length; at += 4 + data.readUInt32BE(at)) {
    const nalHeader = data[at + 4]!;
    const type = nalHeader & 31;
    if (type !== 1 && type !== 5) continue;
    const bits = new BitReader(withoutEmulation(data.subarray(at + 5, at + 5 + HEADER_BYTES)));
    bits.readUe();
    bits.readUe();
    bits.readUe();
    const frameNum = bits.read(rules.frameNumBits);
    if (type === 5) bits.readUe();
    return { isReference: nalHeader >> 5 !== 0, frameNum, orderLsb: bits.read(orderBitsOf(rules)) };
  }
  throw new Error('an access unit without a picture');
}
