/** Finds the boxes in a box of an MP4 (ISO 14496-12). Pure. */

const MAX_INNER_BOXES = 100;

/** The contents of all boxes at a path of types; none after one that is cut off. */
export function boxesAt(bytes: Buffer, path: readonly string[]): Buffer[] {
  const [type, ...rest] = path;
  if (type === undefined) return [bytes];
  return boxesIn(bytes)
    .filter((box) => box.type === type)
    .flatMap(({ content }) => boxesAt(content, rest));
}

function boxesIn(bytes: Buffer): { type: string; content: Buffer }[] {
  const boxes: { type: string; content: Buffer }[] = [];
  for (let offset = 0; offset + 8 <= bytes.length && boxes.length < MAX_INNER_BOXES; ) {
    const size = bytes.readUInt32BE(offset);
    if (size < 8 || offset + size > bytes.length) break;
    const type = bytes.toString('latin1', offset + 4, offset + 8);
    boxes.push({ type, content: bytes.subarray(offset + 8, offset + size) });
    offset += size;
  }
  return boxes;
}
