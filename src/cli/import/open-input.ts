/** Opens a file of MLS data, a pipe or stdin as a stream of bytes, which can be larger than memory. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { isAbsent } from '../../platform/disk/disk-error.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import { usageError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { unreadableBecause } from '../listings/collect-inputs.ts';
import { openPipe } from '../listings/read-input-bytes.ts';

/** What the command line names. */
export interface ImportInput {
  /** As it is shown; `-` for stdin. */
  readonly name: string;
  /** Absolute; null for stdin. */
  readonly path: string | null;
}

/**
 * The inputs in the order of the words.
 *
 * @throws ListingVideoError `usage`, `file_not_found` or `input_unreadable` before anything is imported.
 */
export async function findInputs(run: CommandRun, words: readonly string[]): Promise<ImportInput[]> {
  const { cwd } = await run.host.machine();
  if (words.filter((word) => word === '-').length > 1)
    throw usageError('stdin can be read only once', 'leave out the second -');
  const inputs: ImportInput[] = [];
  for (const name of words) {
    if (name === '') throw usageError('the name of a file is empty', 'name a file, or - for stdin');
    const named = name === '-' ? null : path.resolve(cwd, name);
    const file = named && (run.host.folders?.require(named, name) ?? named);
    if (file !== null) await requireFile(name, file);
    inputs.push({ name, path: file });
  }
  return inputs;
}

async function requireFile(name: string, file: string): Promise<void> {
  try {
    const found = await stat(file);
    if (found.isDirectory()) throw unreadable(name, 'it is a folder', 'name the files in it');
    if (!found.isFile() && !found.isFIFO()) throw unreadable(name, 'it is a device or a socket, not a file');
  } catch (error) {
    if (error instanceof ListingVideoError) throw error;
    if (isAbsent(error))
      throw new ListingVideoError('file_not_found', `cannot read ${name}: no such file`, {
        hint: 'check the name',
      });
    throw unreadable(name, unreadableBecause(error));
  }
}

/**
 * @yields The bytes of an input.
 * @throws ListingVideoError `input_unreadable`, also for a compressed file; the abort reason of the run.
 */
export async function* readChunks(run: CommandRun, input: ImportInput): AsyncGenerator<Buffer> {
  let isFirst = true;
  try {
    for await (const chunk of await open(run, input)) {
      const bytes = Buffer.from(chunk);
      if (isFirst && bytes[0] === 0x1f && bytes[1] === 0x8b)
        throw unreadable(
          input.name,
          'it is compressed',
          'gunzip it first, or pipe the output of gunzip -c into -',
        );
      if (isFirst && bytes[0] === 0x50 && bytes[1] === 0x4b)
        throw unreadable(input.name, 'it is a ZIP archive or a workbook', 'unpack it, or save it as CSV');
      isFirst = false;
      yield bytes;
    }
  } catch (error) {
    run.signal.throwIfAborted();
    if (error instanceof ListingVideoError) throw error;
    throw unreadable(input.name, unreadableBecause(error));
  }
}

async function open(run: CommandRun, { path: file }: ImportInput): Promise<Readable> {
  if (file === null) return addAbortSignal(run.signal, run.terminal.stdin);
  if ((await stat(file)).isFIFO()) return openPipe(file, run.signal);
  return createReadStream(file, { signal: run.signal, highWaterMark: 256 * 1024 });
}

/** @param reason - Continues the name of the file. */
export function unreadable(name: string, reason: string, hint?: string): ListingVideoError {
  return new ListingVideoError('input_unreadable', `cannot read ${name}: ${reason}`, { hint });
}
