/** Writes a zip file piece by piece, so that memory stays flat however large the pictures in it are. */
import { once } from 'node:events';
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import { replaceFile } from '../../disk/atomic-write.ts';
import type { PackedFile } from './pack-listing.ts';

/** A text that goes into the zip. */
export interface PackedText {
  readonly name: string;
  readonly text: string;
}

/**
 * Appears under `target` when it is complete.
 *
 * @throws What the file system throws; nothing is left behind then.
 */
export async function writeZip(
  target: string,
  texts: readonly PackedText[],
  files: readonly PackedFile[],
): Promise<void> {
  await replaceFile(target, async (aside) => {
    const out = createWriteStream(aside, { flags: 'wx' });
    const ended = finished(out);
    // Awaited below; a failure before that is no unhandled one.
    ended.catch(() => undefined);
    try {
      await fillZip(out, texts, files);
      await ended;
    } finally {
      out.destroy();
    }
  });
}

async function fillZip(
  out: WriteStream,
  texts: readonly PackedText[],
  files: readonly PackedFile[],
): Promise<void> {
  const zip = new Zip((error, chunk, isLast) => {
    if (error) out.destroy(error);
    else out.write(chunk);
    if (isLast) out.end();
  });
  for (const { name, text } of texts) {
    const entry = new ZipDeflate(name, { level: 6 });
    zip.add(entry);
    entry.push(Buffer.from(text), true);
  }
  for (const { name, path } of files) {
    // Images are compressed already.
    const entry = new ZipPassThrough(name);
    zip.add(entry);
    for await (const chunk of createReadStream(path)) {
      entry.push(chunk as Buffer);
      if (out.writableNeedDrain) await once(out, 'drain');
    }
    entry.push(new Uint8Array(0), true);
  }
  zip.end();
}
