/** The temporary folder of one run. It is in the data folder, beside the cache, so that cached files can be hard-linked. */
import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { toStoreError } from '../disk/disk-error.ts';
import { makeFolder } from '../disk/folder.ts';
import { livenessOf, type ProcessIdentity, systemProbe } from '../disk/process-identity.ts';
import { removeAtExit } from '../disk/remove-at-exit.ts';

const OWNER_NAME = 'owner.json';

export interface WorkFolder {
  readonly path: string;
  /** Removes it with all that is in it. Always call it. */
  close(): Promise<void>;
}

/**
 * Makes a new folder in `<home>/work`, and removes those of killed processes of this machine.
 *
 * @throws {@link ListingVideoError} `store_unwritable` or `disk_full`.
 */
export async function openWorkFolder(home: string): Promise<WorkFolder> {
  const root = path.join(home, 'work');
  const folder = path.join(root, randomUUID());
  const forget = removeAtExit(folder);
  try {
    await makeFolder(folder, false);
    await writeFile(path.join(folder, OWNER_NAME), JSON.stringify(systemProbe().self), { flush: true });
  } catch (error) {
    forget();
    throw toStoreError(error, root);
  }
  await sweep(root);
  return {
    path: folder,
    async close() {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
      forget();
    },
  };
}

async function sweep(root: string): Promise<void> {
  const probe = systemProbe();
  for (const name of await readdir(root)) {
    const folder = path.join(root, name);
    const owner = await readOwner(folder);
    const liveness = owner ? livenessOf(owner, probe) : 'unknown';
    const isFromBefore = liveness === 'elsewhere' && owner?.host === probe.self.host;
    if (liveness === 'dead' || isFromBefore) await rm(folder, { recursive: true, force: true });
  }
}

/** Null while another process has made its folder but not yet written its owner. */
async function readOwner(folder: string): Promise<ProcessIdentity | null> {
  try {
    return JSON.parse(await readFile(path.join(folder, OWNER_NAME), 'utf8')) as ProcessIdentity;
  } catch {
    return null;
  }
}
