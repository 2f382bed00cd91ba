/** Counts the reference pictures that a decoder keeps while it reads a segment. ITU-T H.264, 7.3.3 and 8.2.5. */
import { readFile } from 'node:fs/promises';
import { BitReader, sliceOf, withoutEmulation } from '../../../src/media/encode/h264/h264-bits.ts';
import { readStreamRules, type StreamRules } from '../../../src/media/encode/h264/stream-rules.ts';
import { readTrackFile } from '../../../src/media/encode/mp4/track-file.ts';

const P = 0;
const B = 1;

/** For each picture that no other refers to: how many references are kept then. */
export async function keptReferences(segmentFile: string): Promise<number[]> {
  const { index } = (await readTrackFile(segmentFile))!;
  const bytes = await readFile(segmentFile);
  const rules = readStreamRules(Buffer.from(index.config, 'base64'));
  const found: number[] = [];
  let [at, kept] = [0, 0];
  for (const size of index.sizes) {
    const slice = readSlice(sliceOf(bytes.subarray(at, at + size)), rules);
    at += size;
    if (!slice.isReference) found.push(kept);
    else if (slice.isIdr) kept = 1;
    else if (slice.forgets > 0) kept += 1 - slice.forgets;
    else kept = Math.min(kept + 1, rules.references);
  }
  return found;
}

function readSlice(nal: Buffer, rules: StreamRules) {
  const isReference = nal[0]! >> 5 !== 0;
  const isIdr = (nal[0]! & 31) === 5;
  if (isIdr || !isReference) return { isReference, isIdr, forgets: 0 };
  const bits = new BitReader(withoutEmulation(nal.subarray(1)));
  bits.readUe();
  const type = bits.readUe() % 5;
  bits.readUe();
  bits.read(rules.frameNumBits + rules.orderBits!);
  if (type === B) bits.read(1);
  const used: number[] = rules.usedReferences.slice(0, type === B ? 2 : 1);
  if (bits.read(1) === 1) for (const list of used.keys()) used[list] = bits.readUe() + 1;
  for (const _ of used) if (bits.read(1) === 1) while (bits.readUe() !== 3) bits.readUe();
  if (type === P && rules.isWeighted) skipWeights(bits, used[0]!);
  let forgets = 0;
  // Every operation of these streams is of the kind that forgets one picture.
  if (bits.read(1) === 1) for (; bits.readUe() === 1; forgets += 1) bits.readUe();
  return { isReference, isIdr, forgets };
}

/** 7.3.3.2. */
function skipWeights(bits: BitReader, references: number): void {
  bits.readUe();
  bits.readUe();
  for (let n = 0; n < 2 * references; n += 1) {
    const numbers = n % 2 === 0 ? 2 : 4;
    if (bits.read(1) === 1) for (let k = 0; k < numbers; k += 1) bits.readSe();
  }
}
