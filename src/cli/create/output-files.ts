/** The files that options of `create` name: checked before rendering; reports written whole, events as they come. */
import { constants, openSync } from 'node:fs';
import { access, mkdir, open, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { writeFileAtomically } from '../../platform/disk/atomic-write.ts';
import { errnoOf, outputUnwritable } from '../../platform/disk/disk-error.ts';
import type { ListingVideoError } from '../../platform/errors.ts';
import { usageError } from '../cli-error.ts';
import type { Printer } from '../command-run.ts';

/**
 * Makes the folders above `file`.
 *
 * @throws ListingVideoError `usage` when it is a folder, `output_unwritable` when it cannot be written.
 */
export async function prepareFile(file: string, flag: string): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (found?.isDirectory()) throw usageError(`${flag}: ${file} is a folder`, 'name a file in it');
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await access(found === null ? path.dirname(file) : file, constants.W_OK);
  } catch (error) {
    throw unwritable(file, error);
  }
}

/**
 * Replaces the file: a reader sees the old or the new one. A device or pipe is written directly.
 *
 * @throws ListingVideoError `output_unwritable`, `disk_full`.
 */
export async function writeWhole(file: string, text: string): Promise<void> {
  try {
    const found = await stat(file).catch(() => null);
    if (found !== null && !found.isFile()) await writeFile(file, text);
    else await writeFileAtomically(file, text, { durable: true });
  } catch (error) {
    throw unwritable(file, error);
  }
}

export function unwritable(file: string, cause: unknown): ListingVideoError {
  const isPipe = errnoOf(cause) === 'ENXIO';
  const hint = isPipe ? 'nobody reads this pipe: start the reader first' : 'check its rights and its folder';
  return outputUnwritable(cause, file, hint);
}

export interface EventFile {
  write(line: string): void;
  /** Resolves when all is written. Never rejects. */
  close(): Promise<void>;
}

/**
 * Opens the target of `--events-file`: a file, a pipe with a reader, or a device such as `/dev/stderr`. When a write
 * fails, this is logged once, later lines are dropped, and the run continues.
 *
 * @throws ListingVideoError `usage` for a folder, `output_unwritable` when it cannot be opened.
 */
export async function openEventFile(
  file: string,
  { terminal }: Pick<Printer, 'terminal'>,
): Promise<EventFile> {
  await prepareFile(file, '--events-file');
  const stream = await openStream(file);
  let isBroken = false;
  stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (!isBroken) terminal.log(`warning: cannot write more events to ${file} (${code ?? message})`);
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
