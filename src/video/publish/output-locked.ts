/** The errors of an output folder that another process has. */
import type { FolderOwner } from '../../platform/disk/owned-folder.ts';
import { systemProbe } from '../../platform/disk/process-identity.ts';
import { ListingVideoError } from '../../platform/errors.ts';

/**
 * The error while another process holds the lock.
 *
 * @param owner - Null when several processes take and free the lock at the same time.
 */
export function lockedBy(owner: FolderOwner | null, folder: string): ListingVideoError {
  const holder = owner?.process ?? null;
  const isHere = isOfThisMachine(owner);
  return new ListingVideoError(
    'output_locked',
    `${nameHolder(owner)} is writing this listing's videos right now: ${folder}`,
    {
      hint:
        'wait until it is done (`listing-video tasks list --state RUNNING`), or choose another folder with --out' +
        (isHere ? '' : '; if it was killed, the folder becomes free 30 seconds later'),
      context: { path: folder, pid: holder?.pid ?? null },
    },
  );
}

/** `process 4711`, with its host when it runs in another container or on another machine. */
export function nameHolder(owner: FolderOwner | null): string {
  const holder = owner?.process ?? null;
  if (holder === null) return 'another process';
  const where = isOfThisMachine(owner) ? '' : ` of another container or machine (${holder.host})`;
  return `process ${holder.pid}${where}`;
}

function isOfThisMachine(owner: FolderOwner | null): boolean {
  const { host, space } = systemProbe().self;
  return owner?.process?.host === host && owner.process.space === space;
}

export function lockLost(folder: string): ListingVideoError {
  return new ListingVideoError('output_locked', `another process has taken over ${folder}`, {
    hint: 'this process did not respond for more than 30 seconds, so it counted as dead; run the same command again',
    context: { path: folder, pid: null },
  });
}
