/**
 * Reads the markers of a JPEG to find damage that a decoder does not report. Pure; decodes no pixel.
 *
 * A decoder stops at the last row and does not check the end marker: a cut download that is padded with zeros decodes
 * without a warning to a half-gray image.
 */

/** The limit of libjpeg's fuzzers; real progressive files have about ten. Each scan costs a pass over the image. */
const MAX_SCANS = 500;

/** What the markers show. */
export interface JpegSkeleton {
  /** The damage as the client reads it, or null. */
  readonly damage: string | null;
  /** Number of zero bytes before the end marker: harmless padding. */
  readonly paddingBytes: number;
}

/**
 * @param source - The whole file. Bytes after the end marker (previews, trailers) are ignored.
 */
export function inspectJpeg(source: Uint8Array): JpegSkeleton {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  let at = 2;
  let scans = 0;
  while (at < bytes.length) {
    const marker = nextMarker(bytes, at);
    if (marker === null) break;
    const code = bytes[marker]!;
    if (code === 0xd9) {
      const damage = scans === 0 ? 'a picture without picture data' : null;
      return { damage, paddingBytes: countZerosBefore(bytes, marker - 1) };
    }
    if (code === 0xda) {
      scans += 1;
      if (scans > MAX_SCANS)
        return { damage: `more than ${MAX_SCANS} passes over the picture`, paddingBytes: 0 };
    }
    // RST0 to RST7, TEM and SOI have no segment; every other marker starts one with a length.
    const isAlone = (code >= 0xd0 && code <= 0xd8) || code === 0x01;
    if (isAlone) {
      at = marker + 1;
      continue;
    }
    if (marker + 3 > bytes.length) break;
    at = marker + 1 + bytes.readUInt16BE(marker + 1);
  }
  return { damage: 'the file ends too early', paddingBytes: 0 };
}

function countZerosBefore(bytes: Buffer, end: number): number {
  let at = end;
  while (at > 0 && bytes[at - 1] === 0) at -= 1;
  return end - at;
}

/** Offset of the next marker's code at or after `from`: the byte after FF (and fill FFs) that is not a stuffed zero. */
function nextMarker(bytes: Buffer, from: number): number | null {
  let at = bytes.indexOf(0xff, from);
  while (at !== -1 && at + 1 < bytes.length) {
    const code = bytes[at + 1]!;
    if (code === 0xff) at += 1;
    else if (code === 0x00) at = bytes.indexOf(0xff, at + 2);
    else return at + 1;
  }
  return null;
}
