/**
 * A picture between two others of a camera move, written without an encoder. Pan and zoom of a photo move every
 * macroblock by a distance that is known, and hardly anything else changes. So the picture says of each where it stands
 * in the picture before and in the one after, and the decoder mixes both by their distance in time.
 *
 * It is a B picture that no other refers to, without residual. Of 8160 macroblocks at 1080p some hundreds say their
 * distance and the others are skipped: it follows from their neighbors. 400 to 700 bytes. Pure. ITU-T H.264.
 */
import { CabacCoder } from './cabac-coder.ts';
import { BitWriter, toAccessUnit } from './h264-bits.ts';
import { SKIP_QP } from './skip-slice.ts';
import { orderBitsOf, type StreamRules } from './stream-rules.ts';

/** What all macroblocks have in common: each column has its horizontal distance, each row its vertical one. */
export interface MoveDistances {
  /** To the picture after and the one before, in quarters of a pixel, for each column of macroblocks. */
  readonly columns: readonly [after: Int16Array, before: Int16Array];
  /** For each row. */
  readonly rows: readonly [after: Int16Array, before: Int16Array];
}

/** Where the picture stands in its stream. */
export interface MovedNumbers {
  readonly frameNum: number;
  readonly order: number;
}

/** First ctxIdx of each syntax element (Table 9-34). */
const SKIP = 24;
const TYPE = 27;
const MVD = [40, 47] as const;
const REFERENCE = 54;
const CODED_LUMA = 73;
const CODED_CHROMA = 77;

/** Tables 9-14 to 9-18 at cabac_init_idc 0. */
const CONTEXTS = {
  ...{ 24: [18, 64], 25: [9, 43], 26: [29, 0] },
  ...{ 27: [26, 67], 28: [16, 90], 29: [9, 104], 30: [-46, 127], 31: [-20, 104], 32: [1, 67] },
  ...{ 40: [-3, 69], 41: [-6, 81], 42: [-11, 96], 43: [6, 55], 44: [7, 67], 45: [-5, 86], 46: [2, 88] },
  ...{ 47: [0, 58], 48: [-3, 76], 49: [-10, 94], 50: [5, 54], 51: [4, 69], 52: [-3, 81], 53: [0, 88] },
  ...{ 54: [-7, 67], 55: [-5, 74], 56: [-4, 74], 57: [-5, 80], 58: [-7, 72], 59: [1, 58] },
  ...{ 73: [-27, 126], 74: [-28, 98], 75: [-25, 101], 76: [-23, 67], 77: [-28, 82] },
} as const satisfies Record<number, readonly [number, number]>;

/**
 * The decoder must keep the pictures before and after it, and no others.
 *
 * @returns An access unit: the slice after its length in 4 bytes.
 */
export function writeMovedPicture(
  rules: StreamRules,
  numbers: MovedNumbers,
  distances: MoveDistances,
): Buffer {
  const header = writeHeader(rules, numbers);
  return toAccessUnit(Buffer.concat([header, sliceData(rules, distances)]));
}

/** Of the last picture in which nothing moves: those of a fade are equal, and so are those of all agents' cards. */
let resting: { readonly columns: number; readonly rows: number; readonly data: Uint8Array } | undefined;

function sliceData(rules: StreamRules, distances: MoveDistances): Uint8Array {
  const { columns, rows } = rules;
  const moves = [...distances.columns, ...distances.rows].some((list) =>
    list.some((distance) => distance !== 0),
  );
  if (moves) return new MovedSlice(rules, distances).write();
  if (resting?.columns !== columns || resting.rows !== rows)
    resting = { columns, rows, data: new MovedSlice(rules, distances).write() };
  return resting.data;
}

/**
 * 7.3.3. The macroblocks refer to the second picture of each list, which is the later one in list 0 and the earlier one
 * in list 1: a skipped macroblock with the first reference would stand still where the later picture's own macroblock
 * does (8.4.1.2.2, colZeroFlag), which only a decoder knows. The lists are not reordered: openh264 takes the weights of
 * both pictures from the lists before that.
 */
function writeHeader(rules: StreamRules, { frameNum, order }: MovedNumbers): Uint8Array {
  const bits = new BitWriter();
  // nal_ref_idc 0, nal_unit_type 1.
  bits.write(0x01, 8);
  bits.writeUe(0);
  // All slices of the picture are B.
  bits.writeUe(6);
  bits.writeUe(rules.pictureSetId);
  bits.write(frameNum % 2 ** rules.frameNumBits, rules.frameNumBits);
  bits.write(order % 2 ** orderBitsOf(rules), orderBitsOf(rules));
  // Skipped macroblocks move as their neighbors do (direct_spatial_mv_pred_flag).
  bits.write(1, 1);
  // Two references in each list.
  bits.write(1, 1);
  bits.writeUe(1);
  bits.writeUe(1);
  bits.write(0, 2);
  // cabac_init_idc.
  bits.writeUe(0);
  bits.writeSe(SKIP_QP - rules.initialQp);
  // Without residual there is nothing to smooth.
  if (rules.hasDeblockingControl) bits.writeUe(1);
  bits.align(1);
  return bits.toBytes();
}

/** 7.3.4, 7.3.5. */
class MovedSlice {
  readonly #coder = new CabacCoder(CONTEXTS, SKIP_QP);
  readonly #columns: number;
  readonly #rows: number;
  readonly #distances: MoveDistances;
  /** Of each macroblock: 1 where its distances are written. */
  readonly #isWritten: Uint8Array;
  /** Of each macroblock four numbers: what was added to the expected distance, without sign. */
  readonly #added: Uint16Array;

  constructor({ columns, rows }: StreamRules, distances: MoveDistances) {
    this.#columns = columns;
    this.#rows = rows;
    this.#distances = distances;
    this.#isWritten = new Uint8Array(columns * rows);
    this.#added = new Uint16Array(4 * columns * rows);
  }

  write(): Uint8Array {
    const [columns, rows] = [this.#columns, this.#rows];
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        if (row > 0 || column > 0) this.#coder.encodeNotLast();
        this.#writeMacroblock(column, row);
      }
    }
    return this.#coder.finish();
  }

  #writeMacroblock(column: number, row: number): void {
    const at = row * this.#columns + column;
    const left = column > 0 ? this.#isWritten[at - 1]! : 0;
    const above = row > 0 ? this.#isWritten[at - this.#columns]! : 0;
    const beside = left + above;
    // The first one has no neighbor to take its references from.
    const differs = at === 0 || this.#differs(column, row);
    this.#coder.encode(SKIP + beside, differs ? 0 : 1);
    if (!differs) return;
    this.#isWritten[at] = 1;
    // B_Bi_16x16.
    this.#coder.encode(TYPE + beside, 1);
    this.#coder.encode(TYPE + 3, 1);
    this.#coder.encode(TYPE + 4, 0);
    for (let bit = 0; bit < 3; bit += 1) this.#coder.encode(TYPE + 5, 0);
    for (let list = 0; list < 2; list += 1) {
      this.#coder.encode(REFERENCE + left + 2 * above, 1);
      this.#coder.encode(REFERENCE + 4, 0);
    }
    for (let list = 0; list < 2; list += 1) {
      for (let axis = 0; axis < 2; axis += 1) this.#writeDistance(column, row, list, axis);
    }
    this.#writeNothingCoded(column, row);
  }

  #differs(column: number, row: number): boolean {
    for (let list = 0; list < 2; list += 1) {
      if (this.#expected(column, row, list, 0) !== this.#distances.columns[list]![column]) return true;
      if (this.#expected(column, row, list, 1) !== this.#distances.rows[list]![row]) return true;
    }
    return false;
  }

  /**
   * 8.4.1.3: the median of the macroblocks to the left, above, and above to the right, or to the left where the row ends.
   */
  #expected(column: number, row: number, list: number, axis: number): number {
    const distances = axis === 0 ? this.#distances.columns[list]! : this.#distances.rows[list]!;
    const own = axis === 0 ? column : row;
    const hasLeft = column > 0;
    const left = hasLeft ? distances[axis === 0 ? own - 1 : own]! : 0;
    if (row === 0) return left;
    const above = distances[axis === 0 ? own : own - 1]!;
    const isEnd = column + 1 === this.#columns;
    if (isEnd && !hasLeft) return above;
    const corner = distances[axis === 0 ? own + (isEnd ? -1 : 1) : own - 1]!;
    return Math.max(Math.min(left, above), Math.min(Math.max(left, above), corner));
  }

  /** mvd_l0 and mvd_l1, 9.3.2.3: unary up to 9, then Exp-Golomb of order 3. */
  #writeDistance(column: number, row: number, list: number, axis: number): void {
    const at = row * this.#columns + column;
    const own = axis === 0 ? this.#distances.columns[list]![column]! : this.#distances.rows[list]![row]!;
    const change = own - this.#expected(column, row, list, axis);
    const added = Math.abs(change);
    const part = 2 * list + axis;
    const left = column > 0 ? this.#added[4 * (at - 1) + part]! : 0;
    const above = row > 0 ? this.#added[4 * (at - this.#columns) + part]! : 0;
    const beside = left + above;
    this.#added[4 * at + part] = added;
    const first = MVD[axis]!;
    let context = first + (beside < 3 ? 0 : beside > 32 ? 2 : 1);
    for (let n = 0; n < Math.min(9, added); n += 1) {
      this.#coder.encode(context, 1);
      context = first + Math.min(3 + n, 6);
    }
    if (added < 9) this.#coder.encode(context, 0);
    else this.#writeGolomb(added - 9);
    if (added > 0) this.#coder.encodeEven(change < 0 ? 1 : 0);
  }

  #writeGolomb(value: number): void {
    let [rest, order] = [value, 3];
    for (; rest >= 2 ** order; order += 1) {
      this.#coder.encodeEven(1);
      rest -= 2 ** order;
    }
    this.#coder.encodeEven(0);
    for (let bit = order - 1; bit >= 0; bit -= 1) this.#coder.encodeEven(((rest >> bit) & 1) as 0 | 1);
  }

  /** coded_block_pattern 0. A neighbor without residual counts 1, one outside of the picture 0. */
  #writeNothingCoded(column: number, row: number): void {
    const left = column > 0 ? 1 : 0;
    const above = row > 0 ? 2 : 0;
    this.#coder.encode(CODED_LUMA + left + above, 0);
    this.#coder.encode(CODED_LUMA + 1 + above, 0);
    this.#coder.encode(CODED_LUMA + left + 2, 0);
    this.#coder.encode(CODED_LUMA + 3, 0);
    this.#coder.encode(CODED_CHROMA, 0);
  }
}
