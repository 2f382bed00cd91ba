/**
 * Damages a file as disks, downloads and careless programs do: a part that is zero, random, missing, doubled, foreign
 * or in the wrong place. The same seed gives the same damage.
 */

/** A number from 0 to less than 1. */
export type Random = () => number;

/** Mulberry32. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Damage = (file: Buffer, random: Random, other: Buffer) => Buffer;

const BLOCK_BYTES = [512, 4096, 4096, 16_384, 65_536];
const SECTOR_BYTES = 512;

interface Block {
  readonly at: number;
  readonly size: number;
  readonly end: number;
}

/** A block behind the first bytes, half of the time at the border of a sector, of at most a third of the file. */
function someBlock({ length }: Buffer, random: Random): Block {
  const size = Math.min(BLOCK_BYTES[Math.floor(random() * BLOCK_BYTES.length)]!, Math.floor(length / 3));
  const anywhere = 64 + Math.floor(random() * Math.max(1, length - size - 64));
  const sector = Math.max(SECTOR_BYTES, Math.floor(anywhere / SECTOR_BYTES) * SECTOR_BYTES);
  const at = random() < 0.5 && sector + size <= length ? sector : anywhere;
  return { at, size, end: at + size };
}

const noise = (size: number, random: Random): Buffer =>
  Buffer.from(Uint8Array.from({ length: size }, () => random() * 256));

const replace = (file: Buffer, { at, end }: Block, by: Buffer): Buffer =>
  Buffer.concat([file.subarray(0, at), by, file.subarray(end)]);

const PAGE = Buffer.from('<html><body>504 Gateway Time-out</body></html>\n'.repeat(1400));

/** What happens to files, by name. */
export const DAMAGES: Readonly<Record<string, Damage>> = {
  zeros(file, random) {
    const block = someBlock(file, random);
    return replace(file, block, Buffer.alloc(block.size));
  },
  random(file, random) {
    const block = someBlock(file, random);
    return replace(file, block, noise(block.size, random));
  },
  /** A sector of another picture of its kind. */
  foreign(file, random, other) {
    const block = someBlock(file, random);
    const from = Math.floor(random() * Math.max(1, other.length - block.size));
    return replace(file, block, other.subarray(from, from + block.size));
  },
  text(file, random) {
    const block = someBlock(file, random);
    return replace(file, block, PAGE.subarray(0, block.size));
  },
  removed(file, random) {
    return replace(file, someBlock(file, random), Buffer.alloc(0));
  },
  doubled(file, random) {
    const block = someBlock(file, random);
    const part = file.subarray(block.at, block.end);
    return replace(file, block, Buffer.concat([part, part]));
  },
  inserted(file, random) {
    const { at, size } = someBlock(file, random);
    return replace(file, { at, size: 0, end: at }, noise(size, random));
  },
  swapped(file, random) {
    const first = someBlock(file, random);
    const size = first.size;
    const at = 64 + Math.floor(random() * Math.max(1, file.length - size - 64));
    const second = { at, size, end: at + size };
    const swapped = replace(file, first, file.subarray(second.at, second.end));
    return replace(swapped, second, file.subarray(first.at, first.end));
  },
  flipped(file, random) {
    const copy = Buffer.from(file);
    for (let count = 1 + Math.floor(random() * 24); count > 0; count -= 1) {
      const at = 64 + Math.floor(random() * (file.length - 64));
      copy[at]! ^= 1 << Math.floor(random() * 8);
    }
    return copy;
  },
  truncated(file, random) {
    return file.subarray(0, 64 + Math.floor(random() * (file.length - 65)));
  },
  /** A download that stopped, into a file of the right size. */
  unfinished(file, random) {
    const end = 64 + Math.floor(random() * (file.length - 65));
    return Buffer.concat([file.subarray(0, end), Buffer.alloc(file.length - end)]);
  },
};
