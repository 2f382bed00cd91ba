/** What the task store says about a reservation's or an idempotency key's task. */

import type { Liveness, ProcessIdentity } from '../disk/process-identity.ts';
import { ListingVideoError } from '../errors.ts';
import type { TaskRecord } from '../task/task.ts';
import type { AccountDeps } from './account-options.ts';

/** The task, or null when there is none. @throws what the store throws for a task that cannot be read. */
export async function findTask(tasks: AccountDeps['tasks'], id: string): Promise<TaskRecord | null> {
  try {
    return await tasks.get(id);
  } catch (error) {
    if (error instanceof ListingVideoError && error.code === 'task_not_found') return null;
    throw error;
  }
}

/** A process that this machine cannot judge (another container, an earlier boot) counts as gone after this long. */
export const UNKNOWN_OWNER_MS = 10 * 60_000;

/**
 * True when `owner` will certainly, or after {@link UNKNOWN_OWNER_MS} as good as certainly, do no more. A process that
 * lives is never gone, however long it takes: it may have been stopped, as a laptop is whose lid was closed.
 */
export function isGone(
  owner: ProcessIdentity,
  sinceMs: number,
  deps: Pick<AccountDeps, 'clock' | 'liveness'>,
): boolean {
  const liveness: Liveness = deps.liveness(owner);
  if (liveness === 'dead') return true;
  return liveness !== 'alive' && deps.clock.nowMs() - sinceMs > UNKNOWN_OWNER_MS;
}
