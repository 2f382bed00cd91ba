/** Where bytes stop being UTF-8. `TextDecoder` says only that they do. */

/**
 * Offset of the first byte of the first sequence that is not UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing
 * beyond U+10FFFF, no sequence cut short).
 *
 * @returns null when all bytes are UTF-8.
 */
export function findUtf8Fault(bytes: Uint8Array): number | null {
  let offset = 0;
  while (offset < bytes.length) {
    const length = sequenceLength(bytes, offset);
    if (length === 0) return offset;
    offset += length;
  }
  return null;
}

/** 1 to 4, or 0 where no sequence begins. The bounds of the second byte are those of RFC 3629, section 4. */
function sequenceLength(bytes: Uint8Array, offset: number): number {
  const first = bytes[offset]!;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const lowest = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const highest = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  for (let step = 1; step < length; step++) {
    const byte = bytes[offset + step];
    if (byte === undefined) return 0;
    if (byte < (step === 1 ? lowest : 0x80) || byte > (step === 1 ? highest : 0xbf)) return 0;
  }
  return length;
}
