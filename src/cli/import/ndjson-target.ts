/** Writes one listing per line, to a file that appears when it is whole, or to stdout. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { asidePath } from '../../platform/disk/atomic-write.ts';
import { outputUnwritable } from '../../platform/disk/disk-error.ts';
import { makeFolder } from '../../platform/disk/folder.ts';
import { usageError } from '../cli-error.ts';
import { escapeUnsafeJson } from '../terminal/escape-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { ListingTarget } from './listing-target.ts';

/** @param cwd - The folder that a reader of stdin takes for that of the listing. */
export function openStdoutTarget(terminal: Terminal, cwd: string): ListingTarget {
  return {
    folderOf: async () => cwd,
    earlier: async () => null,
    write: async (_, listing) => {
      terminal.print(escapeUnsafeJson(JSON.stringify(listing)));
      await terminal.flush();
      return { state: 'written', file: null };
    },
    close: async () => undefined,
    abandon: async () => undefined,
  };
}

/**
 * A device or pipe is written directly: a rename would replace it, also `/dev/null` of the whole machine.
 *
 * @param file - Absolute.
 * @param shown - The same as the command line names it.
 * @throws ListingVideoError `usage` for a folder; `output_unwritable`, `disk_full`; so do the functions of the target.
 */
export async function openFileTarget(file: string, shown: string): Promise<ListingTarget> {
  const found = await stat(file).catch(() => null);
  if (found?.isDirectory()) throw usageError(`--ndjson: ${shown} is a folder`, 'name a file in it');
  const isReplaced = found === null || found.isFile();
  const written = isReplaced ? asidePath(file) : file;
  const hint = 'check that the folder can be written, or name another file with --ndjson';
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw outputUnwritable(error, shown, hint);
    }
  };
  const stream = await guarded(async () => {
    await makeFolder(path.dirname(file), false, 0o777);
    const opened = createWriteStream(written, { flags: isReplaced ? 'wx' : 'w' });
    await once(opened, 'open');
    return opened;
  });
  // A fault between two writes is thrown by the next one.
  stream.on('error', () => undefined);
  let line = 0;
  const write = (text: string): Promise<void> =>
    new Promise((resolve, reject) => stream.write(text, (error) => (error ? reject(error) : resolve())));
  return {
    folderOf: async () => path.dirname(file),
    earlier: async () => null,
    write: async (_, listing) => {
      await guarded(() => write(`${JSON.stringify(listing)}\n`));
      line += 1;
      // As create names it.
      return { state: 'written', file: `${shown}:${line}` };
    },
    close: () =>
      guarded(async () => {
        stream.end();
        await once(stream, 'close');
        if (isReplaced) await rename(written, file);
      }),
    abandon: async () => {
      stream.destroy();
      if (isReplaced) await rm(written, { force: true });
    },
  };
}
