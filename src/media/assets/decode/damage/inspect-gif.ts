/** Reads the blocks and codes of a GIF's first picture to find damage that its decoder does not report. Pure. */
import { walkLzw } from './walk-lzw.ts';

const EXTENSION = 0x21;
const PICTURE = 0x2c;

/** True when the data of the first picture is damaged. @param gif - A file that `sniffFormat` calls a GIF. */
export function isGifBroken(gif: Buffer): boolean {
  let at = 13 + tableBytes(gif[10] ?? 0);
  while (gif[at] === EXTENSION) at = readBlocks(gif, at + 2).end;
  if (gif[at] !== PICTURE || at + 11 > gif.length) return true;
  const pixels = gif.readUInt16LE(at + 5) * gif.readUInt16LE(at + 7);
  at += 10 + tableBytes(gif[at + 9]!);
  const rootBits = gif[at] ?? 0;
  const { parts, end } = readBlocks(gif, at + 1);
  if (end > gif.length || rootBits < 1 || rootBits > 8) return true;
  const codes = walkLzw(Buffer.concat(parts), rootBits, 'gif');
  return codes === null || codes.count !== pixels;
}

function tableBytes(flags: number): number {
  return flags & 0x80 ? 3 << ((flags & 7) + 1) : 0;
}

/** Blocks of up to 255 bytes, each after its length, up to an empty one. `end` is beyond the file if that is missing. */
function readBlocks(gif: Buffer, start: number): { parts: Buffer[]; end: number } {
  const parts: Buffer[] = [];
  let at = start;
  while (at < gif.length && gif[at] !== 0) {
    parts.push(gif.subarray(at + 1, at + 1 + gif[at]!));
    at += 1 + gif[at]!;
  }
  return { parts, end: at + 1 };
}
