/** What the parts of every account store share: clock, identity of this process, tasks, and what follows from them. */
import {
  type Liveness,
  livenessOf,
  type ProcessIdentity,
  systemProbe,
} from '../../platform/disk/process-identity.ts';
import { nullOn } from '../../platform/errors.ts';
import { systemTaskClock, type TaskClock } from '../engine/task-clock.ts';
import type { TaskRecord } from '../task.ts';
import type { TaskStore } from '../task-store.ts';

export interface AccountStoreOptions {
  /** The task store. A reserved task was accepted if it has a record there. */
  readonly tasks: Pick<TaskStore, 'get'>;
  readonly clock?: TaskClock;
  /** The identity of this process, and the check of other processes. By default from the operating system. */
  readonly self?: ProcessIdentity;
  readonly liveness?: (owner: ProcessIdentity) => Liveness;
  /** Makes the ids of tasks for `beginIdempotent`. */
  readonly newTaskId?: () => string;
  /** Name and version of this program, for the audit log. By default `listing-video`. */
  readonly program?: string;
}

/** The options with all defaults filled in. */
export interface AccountDeps extends Required<Omit<AccountStoreOptions, 'tasks' | 'newTaskId'>> {
  readonly newTaskId: () => Promise<string>;
}

export function toAccountDefaults(options: Omit<AccountStoreOptions, 'tasks'>): AccountDeps {
  const probe = systemProbe();
  const { newTaskId } = options;
  return {
    clock: options.clock ?? systemTaskClock,
    self: options.self ?? probe.self,
    liveness: options.liveness ?? ((owner) => livenessOf(owner, probe)),
    program: options.program ?? 'listing-video',
    newTaskId: async () => newTaskId?.() ?? (await import('../new-task-id.ts')).newTaskId(),
  };
}

/** Changes by other processes must show within a second. */
const CACHE_TTL_MS = 500;

/** True while what was read at `atMs` can be served from a cache. */
export function isRecent(atMs: number, nowMs: number): boolean {
  // If the clock was set back, `atMs` lies in the future: the entry must not stay valid until then.
  return nowMs >= atMs && nowMs - atMs < CACHE_TTL_MS;
}

/** Now, in ISO 8601 and UTC. */
export function stamp(clock: Pick<TaskClock, 'nowMs'>): string {
  return new Date(clock.nowMs()).toISOString();
}

/** The task, or null if it does not exist. @throws The store's error for a task that cannot be read. */
export function findTask(tasks: Pick<TaskStore, 'get'>, id: string): Promise<TaskRecord | null> {
  return tasks.get(id).catch(nullOn('task_not_found'));
}

/** A process that this machine cannot check (another container, an earlier boot) counts as gone after this time. */
export const UNKNOWN_OWNER_MS = 10 * 60_000;

/**
 * True if `owner` is dead, or cannot be checked and is older than {@link UNKNOWN_OWNER_MS}. A live process never counts
 * as gone: it can have been suspended for hours, for example by closing the lid of a laptop.
 *
 * @param owner - As read from a file, so it can be damaged. Then it cannot be checked.
 * @param sinceMs - NaN if the file has no valid time. Then it counts as old, as does a time in the future: the clock
 *   was set back after it.
 */
export function isGone(
  owner: Partial<ProcessIdentity> | undefined,
  sinceMs: number,
  { clock, liveness }: Pick<AccountDeps, 'clock' | 'liveness'>,
): boolean {
  const isWhole = typeof owner?.pid === 'number' && typeof owner.boot === 'string';
  const state = isWhole ? liveness(owner as ProcessIdentity) : 'unknown';
  if (state === 'dead' || state === 'alive') return state === 'dead';
  return !(Math.abs(clock.nowMs() - sinceMs) <= UNKNOWN_OWNER_MS);
}
