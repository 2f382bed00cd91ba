/** Looks up the task of a reservation or an idempotency key, and whether the process that makes it still lives. */

import type { Liveness, ProcessIdentity } from '../platform/disk/process-identity.ts';
import { nullOn } from '../platform/errors.ts';
import type { TaskRecord } from '../task/task.ts';
import type { AccountDeps } from './account-options.ts';

/** The task, or null if it does not exist. @throws The store's error for a task that cannot be read. */
export function findTask(tasks: AccountDeps['tasks'], id: string): Promise<TaskRecord | null> {
  return tasks.get(id).catch(nullOn('task_not_found'));
}

/** A process that this machine cannot check (another container, an earlier boot) counts as gone after this time. */
export const UNKNOWN_OWNER_MS = 10 * 60_000;

/**
 * True if `owner` is dead, or cannot be checked and is older than {@link UNKNOWN_OWNER_MS}. A live process never counts as
 * gone: it can have been suspended for hours, for example by closing the lid of a laptop.
 *
 * @param owner - As read from a file, so it can be damaged. Then it cannot be checked.
 * @param sinceMs - NaN if the file has no valid time. Then it counts as old, as does a time in the future: the clock was set
 *   back after it.
 */
export function isGone(
  owner: ProcessIdentity,
  sinceMs: number,
  deps: Pick<AccountDeps, 'clock' | 'liveness'>,
): boolean {
  const liveness: Liveness = isWhole(owner) ? deps.liveness(owner) : 'unknown';
  if (liveness === 'dead') return true;
  return liveness !== 'alive' && !(Math.abs(deps.clock.nowMs() - sinceMs) <= UNKNOWN_OWNER_MS);
}

function isWhole(owner: Partial<ProcessIdentity> | undefined): boolean {
  return typeof owner?.pid === 'number' && typeof owner.boot === 'string';
}
