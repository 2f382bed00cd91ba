/**
 * Moves a picture from one stream into another: the slice's header is written again with other numbers, the data behind
 * it stays. Its data begins at a byte, since the arithmetic coder is used. Pure. ITU-T H.264, 7.3.3.
 */
import { BitReader, BitWriter, toAccessUnit, withoutEmulation } from './h264-bits.ts';
import { orderBitsOf, type StreamRules } from './stream-rules.ts';

/** slice_type modulo 5. */
const [P, B, I] = [0, 1, 2];

/** The numbers of a picture in its new stream. */
export interface PictureNumbers {
  readonly frameNum: number;
  /** Twice the frame that it shows, counted from the IDR picture. */
  readonly order: number;
  /**
   * The decoder forgets the reference before the previous one. Of those that it keeps, `max_dec_frame_buffering` counts
   * pictures too that wait to be shown: openh264 refuses a stream in which all of its room is taken by references.
   */
  readonly forgetsOlder: boolean;
}

/** What the headers of both streams must agree in, since these fields are copied. @throws Error when they differ. */
export function assertAlike(from: StreamRules, to: StreamRules): void {
  const isAlike =
    from.isCabac &&
    to.isCabac &&
    from.isWeighted === to.isWeighted &&
    from.hasDeblockingControl === to.hasDeblockingControl &&
    from.columns === to.columns &&
    from.rows === to.rows &&
    !from.hasOrderDelta &&
    !to.hasOrderDelta &&
    // Both pictures that a third is mixed from weigh by their distance in time.
    to.bipredictionWeights === 2;
  if (!isAlike) throw new Error('expected two streams of one kind');
}

/**
 * @param nal - The slice, with emulation prevention.
 * @param toNumbers - From the picture's numbers in its stream; `order` is null where that stream has none.
 */
export function rewriteSlice(
  nal: Buffer,
  from: StreamRules,
  to: StreamRules,
  toNumbers: (old: { readonly frameNum: number; readonly order: number | null }) => PictureNumbers,
): Buffer {
  const raw = withoutEmulation(nal);
  const copy = new HeaderCopy(raw);
  const { reader, writer } = copy;
  const header = copy.bits(8);
  const isIdr = (header & 31) === 5;
  // The first macroblock.
  copy.ue();
  const type = copy.ue() % 5;
  reader.readUe();
  writer.writeUe(to.pictureSetId);
  const frameNum = reader.read(from.frameNumBits);
  const idrId = isIdr ? reader.readUe() : null;
  const order = from.orderBits === null ? null : reader.read(from.orderBits);
  const numbers = toNumbers({ frameNum, order });
  writer.write(numbers.frameNum % 2 ** to.frameNumBits, to.frameNumBits);
  if (idrId !== null) writer.writeUe(idrId);
  writer.write(numbers.order % 2 ** orderBitsOf(to), orderBitsOf(to));
  if (type === B) copy.bits(1);
  if (type !== I) copyReferences(copy, type, from);
  if (header >> 5 !== 0) copyMarking(copy, isIdr, numbers.forgetsOlder);
  else if (numbers.forgetsOlder) throw new Error('expected a reference');
  // cabac_init_idc.
  if (type !== I) copy.ue();
  writer.writeSe(reader.readSe() + from.initialQp - to.initialQp);
  if (from.hasDeblockingControl && copy.ue() !== 1) {
    copy.se();
    copy.se();
  }
  writer.align(1);
  const data = raw.subarray(Math.ceil(reader.position / 8));
  return toAccessUnit(Buffer.concat([writer.toBytes(), data]));
}

/** How many references, their order and their weights. */
function copyReferences(copy: HeaderCopy, type: number, from: StreamRules): void {
  const { reader, writer } = copy;
  const lists = type === B ? 2 : 1;
  const says = reader.read(1) === 1;
  const used = from.usedReferences.slice(0, lists).map((count) => (says ? reader.readUe() + 1 : count));
  // The other stream's default may differ.
  writer.write(1, 1);
  for (const count of used) writer.writeUe(count - 1);
  for (let list = 0; list < lists; list += 1) {
    if (copy.bits(1) === 0) continue;
    while (copy.ue() !== 3) copy.ue();
  }
  if (type === P && from.isWeighted) copyWeights(copy, used[0]!);
}

/** 7.3.3.2. */
function copyWeights(copy: HeaderCopy, references: number): void {
  copy.ue();
  copy.ue();
  for (let n = 0; n < references; n += 1) {
    // Of luma two numbers, of chroma four.
    for (const count of [2, 4]) {
      if (copy.bits(1) === 0) continue;
      for (let k = 0; k < count; k += 1) copy.se();
    }
  }
}

/** 7.3.3.3. */
function copyMarking(copy: HeaderCopy, isIdr: boolean, forgetsOlder: boolean): void {
  if (isIdr) {
    copy.bits(2);
    return;
  }
  const hasOperations = copy.reader.read(1) === 1;
  copy.writer.write(hasOperations || forgetsOlder ? 1 : 0, 1);
  if (forgetsOlder) {
    if (hasOperations) throw new Error('expected a picture that forgets none');
    // Operation 1: the picture whose number is lower by 2.
    for (const value of [1, 1, 0]) copy.writer.writeUe(value);
  }
  if (!hasOperations) return;
  for (;;) {
    const operation = copy.ue();
    if (operation === 0) return;
    if (operation !== 5) copy.ue();
    if (operation === 3) copy.ue();
  }
}

/** Reads fields and writes them unchanged. */
class HeaderCopy {
  readonly reader: BitReader;
  readonly writer = new BitWriter();

  constructor(raw: Uint8Array) {
    this.reader = new BitReader(raw);
  }

  bits(count: number): number {
    const value = this.reader.read(count);
    this.writer.write(value, count);
    return value;
  }

  ue(): number {
    const value = this.reader.readUe();
    this.writer.writeUe(value);
    return value;
  }

  se(): void {
    this.writer.writeSe(this.reader.readSe());
  }
}
