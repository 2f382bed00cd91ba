/** Damaged copies of a sample file, as a broken disk or an attacker makes them. */
import fc from 'fast-check';

type Change = (bytes: Buffer) => Buffer;

/** Length and count fields set to these find most faults of readers. */
const EXTREMES = [
  0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff,
];

/**
 * The sample with 1 to 8 changes: flipped bits, random bytes, extreme numbers, parts that are cut, inserted or
 * repeated. Half of the places are in the first 256 bytes, where the headers are.
 */
export function mutated(sample: Buffer): fc.Arbitrary<Buffer> {
  return fc
    .array(changeOf(sample.length), { minLength: 1, maxLength: 8 })
    .map((changes) => changes.reduce<Buffer>((bytes, change) => change(bytes), Buffer.from(sample)));
}

/** {@link mutated} samples, and in one of ten runs random bytes. */
export function damagedFiles(...samples: readonly Buffer[]): fc.Arbitrary<Buffer> {
  const random = fc.uint8Array({ maxLength: 2_000, size: 'max' }).map((bytes) => Buffer.from(bytes));
  return fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...samples).chain(mutated) },
    { weight: 1, arbitrary: random },
  );
}

function changeOf(length: number): fc.Arbitrary<Change> {
  const last = Math.max(0, length - 1);
  const place = fc.oneof(fc.nat(Math.min(255, last)), fc.nat(last));
  const size = fc.oneof(fc.nat(8), fc.nat(length));
  const junk = fc.uint8Array({ minLength: 1, maxLength: 32 });
  return fc.oneof(
    fc.tuple(place, fc.nat(7)).map(
      ([at, bit]): Change =>
        (bytes) =>
          set(bytes, at, (bytes[at] ?? 0) ^ (1 << bit)),
    ),
    fc.tuple(place, fc.nat(255)).map(
      ([at, value]): Change =>
        (bytes) =>
          set(bytes, at, value),
    ),
    fc.tuple(place, fc.constantFrom(...EXTREMES, length), fc.constantFrom(1, 2, 3, 4), fc.boolean()).map(
      ([at, value, width, isBig]): Change =>
        (bytes) =>
          setNumber(bytes, at, value, width, isBig),
    ),
    place.map(
      (at): Change =>
        (bytes) =>
          bytes.subarray(0, at),
    ),
    fc.tuple(place, junk).map(
      ([at, part]): Change =>
        (bytes) =>
          Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)]),
    ),
    fc.tuple(place, size).map(
      ([at, count]): Change =>
        (bytes) =>
          Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + count)]),
    ),
    fc.tuple(place, size).map(
      ([at, count]): Change =>
        (bytes) =>
          Buffer.concat([bytes.subarray(0, at + count), bytes.subarray(at)]),
    ),
    fc.tuple(place, size, fc.constantFrom(0, 0xff)).map(
      ([at, count, value]): Change =>
        (bytes) =>
          Buffer.from(bytes).fill(value, at, Math.min(bytes.length, at + count)),
    ),
  );
}

function set(bytes: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.from(bytes);
  if (at < copy.length) copy[at] = value;
  return copy;
}

function setNumber(bytes: Buffer, at: number, value: number, width: number, isBig: boolean): Buffer {
  const copy = Buffer.from(bytes);
  if (at + width > copy.length) return copy;
  const cut = value % 2 ** (8 * width);
  if (isBig) copy.writeUIntBE(cut, at, width);
  else copy.writeUIntLE(cut, at, width);
  return copy;
}
