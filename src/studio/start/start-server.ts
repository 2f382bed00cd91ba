/**
 * Serves the start page, once for each data folder and machine: a second start finds the server that runs, and gets an
 * address of it.
 */
import { hostname } from 'node:os';
import path from 'node:path';
import { toStoreError } from '../../platform/disk/disk-error.ts';
import { makeFolder } from '../../platform/disk/folder.ts';
import { holdLock, type LockHolder, writePort } from '../../platform/disk/held-lock.ts';
import { safeName } from '../../platform/disk/safe-name.ts';
import type { TemporaryFolder } from '../../platform/disk/temporary-folder.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import { memoryFolder, StudioMemory } from '../editor/studio-memory.ts';
import { takeOrFind } from '../server/find-server.ts';
import { type PageServer, type PageServerOptions, startPageServer } from '../server/page-server.ts';
import { loadStudioKey } from '../server/studio-key.ts';
import type { Start } from './start.ts';
import { createStartApp } from './start-app.ts';

export interface StartServerOptions extends Pick<PageServerOptions, 'port' | 'onFault'> {
  readonly start: Start;
  /** The data folder. */
  readonly home: string;
  readonly homeDir: string;
  /** How long a server that runs has to give an address. */
  readonly patienceMs?: number;
}

/**
 * @returns The server, or the address of the one that runs, which works once.
 * @throws {@link ListingVideoError} `cannot_listen`, `output_locked`, `store_unwritable`, `disk_full`.
 */
export async function startOnce(
  options: StartServerOptions,
): Promise<{ readonly own: PageServer } | { readonly other: string }> {
  const { home, onFault, patienceMs } = options;
  const memory = await StudioMemory.open(home, 'start page', onFault);
  const key = await loadStudioKey(memory.keyFile, onFault);
  const folder = memoryFolder(home);
  // A data folder on a network drive is that of many machines, and a page is on one.
  const lock = path.join(folder, `start-page-${safeName(hostname())}.lock`);
  const take = async (): Promise<TemporaryFolder | null> => {
    const makeParent = () => makeFolder(folder, false);
    const lostError = () => new Error('another process has taken over the start page');
    const hold = await holdLock(lock, { attempt: null, makeParent, lostError }).catch((error: unknown) => {
      throw toStoreError(error, folder);
    });
    return 'held' in hold ? hold.held : null;
  };
  const found = await takeOrFind({
    ...{ lock, key, take, refuse: doesNotAnswer },
    ...(patienceMs === undefined ? {} : { patienceMs }),
  });
  return 'own' in found ? { own: await listen(options, memory, found.own) } : found;
}

/** It is busy while a listing is open. */
async function listen(
  { start, homeDir, port, onFault }: StartServerOptions,
  memory: StudioMemory,
  held: TemporaryFolder,
): Promise<PageServer> {
  try {
    await memory.removeLeftovers();
    await start.removeLeftovers();
    const own = await startPageServer({
      ...{ memory, port, onFault, folder: 'studio/start-page' },
      isBusy: () => start.isBusy,
      createApp: (parts) => createStartApp({ ...parts, start, homeDir }),
      onClosed: () => held.close(),
    });
    await writePort(held, own.port);
    return own;
  } catch (error) {
    await held.close();
    throw error;
  }
}

function doesNotAnswer({ process }: LockHolder): ListingVideoError {
  const what = process === null ? 'the studio that runs' : `the studio of process ${process.pid}`;
  return new ListingVideoError('output_locked', `${what} does not answer`, {
    hint: 'end that process, then start the studio again',
    context: { pid: process?.pid ?? null },
  });
}
