/** Opens the target of `--events-file`: a file, a pipe with a reader, or a device such as `/dev/stderr`. */
import { constants, openSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { prepareFile, unwritable } from './prepare-file.ts';

/** Lines on their way to a file. */
export interface EventFile {
  write(line: string): void;
  /** Resolves when all is written. Never rejects. */
  close(): Promise<void>;
}

/**
 * @param onTrouble - Called once when a write fails; later lines are dropped, the run continues.
 * @throws ListingVideoError `usage` for a folder, `output_unwritable` when it cannot be opened.
 */
export async function openEventFile(
  file: string,
  onTrouble: (error: NodeJS.ErrnoException) => void,
): Promise<EventFile> {
  await prepareFile(file, '--events-file');
  const stream = await openStream(file);
  let isBroken = false;
  stream.on('error', (error) => {
    if (!isBroken) onTrouble(error);
    isBroken = true;
  });
  return {
    write: (line) => {
      if (!isBroken) stream.write(`${line}\n`);
    },
    close: () =>
      new Promise((resolve) => {
        if (isBroken) return resolve();
        stream.once('close', resolve);
        stream.end();
      }),
  };
}

async function openStream(file: string): Promise<Writable> {
  const found = await stat(file).catch(() => null);
  try {
    if (found?.isFIFO()) {
      // A blocking open(2) would wait for a reader, and Ctrl-C could not end that. This fails with ENXIO instead.
      const fd = openSync(file, constants.O_WRONLY | constants.O_NONBLOCK);
      const { Socket } = await import('node:net');
      return new Socket({ fd, readable: false, writable: true });
    }
    return (await open(file, 'w')).createWriteStream();
  } catch (error) {
    throw unwritable(file, error);
  }
}
