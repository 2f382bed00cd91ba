/** The dependencies of all parts of an account store: clock, process identity and tasks. Types and defaults only. */

import { type Liveness, livenessOf, type ProcessIdentity, systemProbe } from '../platform/disk/process-identity.ts';
import { systemTaskClock, type TaskClock } from '../task/engine/task-clock.ts';
import type { TaskStore } from '../task/task-store.ts';
import type { AccountStorages } from './account-storage.ts';

export interface AccountStoreOptions {
  /** The task store. A reserved task was accepted if it has a record there. */
  readonly tasks: Pick<TaskStore, 'get'>;
  readonly clock?: TaskClock;
  /** The identity of this process, and the check of other processes. By default from the operating system. */
  readonly self?: ProcessIdentity;
  readonly liveness?: (owner: ProcessIdentity) => Liveness;
  /** Makes the ids of tasks for `beginIdempotent`. */
  readonly newTaskId?: () => string;
  /** Number of ledger lines between two snapshots. */
  readonly snapshotLines?: number;
  /** Length at which a volume of a ledger is closed. */
  readonly volumeBytes?: number;
  /** Name and version of this program, for the audit log. By default `listing-video`. */
  readonly program?: string;
}

/** The options with all defaults filled in. */
export interface AccountDeps
  extends AccountStorages,
    Required<Pick<AccountStoreOptions, 'tasks' | 'clock' | 'self' | 'liveness' | 'program'>>,
    Pick<AccountStoreOptions, 'snapshotLines' | 'volumeBytes'> {
  readonly newTaskId: () => Promise<string>;
}

/** Fills in the defaults, for accounts in files. */
export function toAccountDeps(storages: AccountStorages, options: AccountStoreOptions): AccountDeps {
  return { ...options, ...toAccountDefaults(options), ...storages };
}

/** What accounts in files and in a database have in common, with the defaults filled in. */
export function toAccountDefaults(
  options: Omit<AccountStoreOptions, 'tasks'>,
): Pick<AccountDeps, 'clock' | 'self' | 'liveness' | 'program' | 'newTaskId'> {
  const probe = systemProbe();
  const { newTaskId } = options;
  return {
    clock: options.clock ?? systemTaskClock,
    self: options.self ?? probe.self,
    liveness: options.liveness ?? ((owner) => livenessOf(owner, probe)),
    program: options.program ?? 'listing-video',
    newTaskId: async () => newTaskId?.() ?? (await import('../task/new-task-id.ts')).newTaskId(),
  };
}

/** How long a document is cached. Changes by other processes must show within a second. */
const CACHE_TTL_MS = 500;

/** True while a document that was read at `atMs` can be served from the cache. */
export function isRecent(atMs: number, nowMs: number): boolean {
  // If the clock was set back, `atMs` lies in the future: the entry must not stay valid until then.
  return nowMs >= atMs && nowMs - atMs < CACHE_TTL_MS;
}

/** Now, in ISO 8601 and UTC. */
export function stamp(clock: TaskClock): string {
  return new Date(clock.nowMs()).toISOString();
}
