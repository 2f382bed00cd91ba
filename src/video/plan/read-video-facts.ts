/**
 * Reads size, duration and frame count of an MP4 of unknown origin: one that a server sent, or that a folder has
 * without a report. Not with mediabunny, which verifies our own files: a 2 MB file that declares 268 million frames
 * kept it busy for over 100 s. This reader looks at bounded headers only.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { boxesAt } from '../../media/encode/mp4/read-boxes.ts';

export interface VideoFacts {
  readonly durationSec: number;
  readonly frames: number;
  /** As it is shown; 0 when the track does not say. */
  readonly widthPx: number;
  readonly heightPx: number;
}

const MAX_OUTER_BOXES = 1_000;
const MAX_MOOV_BYTES = 64 << 20;

/** @returns Null when no player could play the file. */
export async function readVideoFacts(path: string): Promise<VideoFacts | null> {
  const file = await open(path, 'r');
  try {
    const moov = await readMoov(file, (await file.stat()).size);
    return moov === null ? null : toFacts(moov);
  } finally {
    await file.close();
  }
}

async function readMoov(file: FileHandle, fileBytes: number): Promise<Buffer | null> {
  const header = Buffer.alloc(16);
  for (let offset = 0, count = 0; offset + 8 <= fileBytes && count < MAX_OUTER_BOXES; count += 1) {
    const { bytesRead } = await file.read(header, 0, 16, offset);
    if (bytesRead < 8) return null;
    const type = header.toString('latin1', 4, 8);
    if (count === 0 && type !== 'ftyp') return null;
    const shortSize = header.readUInt32BE(0);
    const isLong = shortSize === 1 && bytesRead === 16;
    const size = isLong
      ? Number(header.readBigUInt64BE(8))
      : shortSize === 0
        ? fileBytes - offset
        : shortSize;
    const headBytes = isLong ? 16 : 8;
    if (size < headBytes || offset + size > fileBytes) return null;
    if (type === 'moov') {
      if (size > MAX_MOOV_BYTES) return null;
      const moov = Buffer.alloc(size - headBytes);
      await file.read(moov, 0, moov.length, offset + headBytes);
      return moov;
    }
    offset += size;
  }
  return null;
}

/**
 * ISO 14496-12: `mvhd` (8.2.2) has the length, `stsz` (8.7.3.2) of the video track the number of its frames, `tkhd`
 * (8.3.2) its size in 16.16 fixed point.
 */
function toFacts(moov: Buffer): VideoFacts | null {
  const [mvhd] = boxesAt(moov, ['mvhd']);
  const videoTrack = boxesAt(moov, ['trak']).find((trak) => {
    const [hdlr] = boxesAt(trak, ['mdia', 'hdlr']);
    return hdlr !== undefined && hdlr.toString('latin1', 8, 12) === 'vide';
  });
  const [stsz] = videoTrack === undefined ? [] : boxesAt(videoTrack, ['mdia', 'minf', 'stbl', 'stsz']);
  if (mvhd === undefined || stsz === undefined || mvhd.length < 32 || stsz.length < 12) return null;
  const isLong = mvhd[0] === 1;
  const timescale = mvhd.readUInt32BE(isLong ? 20 : 12);
  const units = isLong ? Number(mvhd.readBigUInt64BE(24)) : mvhd.readUInt32BE(16);
  const frames = stsz.readUInt32BE(8);
  const durationSec = units / timescale;
  if (!Number.isFinite(durationSec) || durationSec <= 0 || frames <= 0) return null;
  return { durationSec, frames, ...sizeOf(boxesAt(videoTrack!, ['tkhd'])[0]) };
}

function sizeOf(tkhd: Buffer | undefined): { widthPx: number; heightPx: number } {
  const offset = tkhd?.[0] === 1 ? 88 : 76;
  if (tkhd === undefined || tkhd.length < offset + 8) return { widthPx: 0, heightPx: 0 };
  return { widthPx: tkhd.readUInt32BE(offset) >> 16, heightPx: tkhd.readUInt32BE(offset + 4) >> 16 };
}
