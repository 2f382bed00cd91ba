/** What every part of an account store is given: time, processes, and a look at the tasks. Types and defaults only. */

import { type Liveness, livenessOf, type ProcessIdentity, systemProbe } from '../disk/process-identity.ts';
import { systemTaskClock, type TaskClock } from '../task/engine/task-clock.ts';
import type { TaskStore } from '../task/task-store.ts';
import type { AccountStorage } from './account-storage.ts';

export interface AccountStoreOptions {
  /** The store whose tasks are reserved for: a task's record says whether it was accepted. */
  readonly tasks: Pick<TaskStore, 'get'>;
  readonly clock?: TaskClock;
  /** This process, and how it judges others; by default asked of the operating system. */
  readonly self?: ProcessIdentity;
  readonly liveness?: (owner: ProcessIdentity) => Liveness;
  /** Makes the ids of tasks for `beginIdempotent`. */
  readonly newTaskId?: () => string;
  /** Lines of a ledger between two snapshots. */
  readonly snapshotLines?: number;
  /** Length at which a volume of a ledger is closed. */
  readonly volumeBytes?: number;
}

/** The options with every choice made. */
export interface AccountDeps {
  readonly storage: AccountStorage;
  readonly tasks: Pick<TaskStore, 'get'>;
  readonly clock: TaskClock;
  readonly self: ProcessIdentity;
  readonly liveness: (owner: ProcessIdentity) => Liveness;
  readonly newTaskId: () => Promise<string>;
  readonly snapshotLines: number | undefined;
  readonly volumeBytes: number | undefined;
}

/** Fills in what `options` leave open. */
export function toAccountDeps(storage: AccountStorage, options: AccountStoreOptions): AccountDeps {
  const probe = systemProbe();
  const { newTaskId } = options;
  return {
    storage,
    tasks: options.tasks,
    clock: options.clock ?? systemTaskClock,
    self: options.self ?? probe.self,
    liveness: options.liveness ?? ((owner) => livenessOf(owner, probe)),
    newTaskId: async () => newTaskId?.() ?? (await import('../task/new-task-id.ts')).newTaskId(),
    snapshotLines: options.snapshotLines,
    volumeBytes: options.volumeBytes,
  };
}

/** For this long what was read of a document is cached; others' changes must show within a second. */
const BELIEVED_MS = 500;

/** True while what was read at `atMs` may be cached. */
export function isRecent(atMs: number, nowMs: number): boolean {
  // A clock set back must not make old knowledge young for hours.
  return nowMs >= atMs && nowMs - atMs < BELIEVED_MS;
}

/** Now, in ISO 8601 and UTC. */
export function stamp(clock: TaskClock): string {
  return new Date(clock.nowMs()).toISOString();
}
