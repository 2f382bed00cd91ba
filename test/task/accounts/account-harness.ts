/** Account stores as several processes see them, over their own task store, with deaths and a clock of the test. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Liveness, ProcessIdentity } from '../../../src/platform/disk/process-identity.ts';
import type { AccountStore, ReservationKey } from '../../../src/task/accounts/account-store.ts';
import { systemTaskClock, type TaskClock } from '../../../src/task/engine/task-clock.ts';
import { createFileAccountStore } from '../../../src/task/files/accounts/create-account-store.ts';
import { createFileTaskStore } from '../../../src/task/files/tasks/file-task-store.ts';
import type { TaskStore } from '../../../src/task/task-store.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { idAt, identity, START_MS } from '../store-harness.ts';

export const ORGANIZATION = 'org_default';

export interface AccountHarness<Store extends AccountStore = AccountStore> {
  /** The accounts as the process of this name sees them. @param tasks - By default those of the process. */
  open(processName?: string, tasks?: Pick<TaskStore, 'get'>): Store;
  tasks(processName?: string): TaskStore;
  setLiveness(processName: string, liveness: Liveness): void;
  nowMs: number;
  newId(): string;
  close(): Promise<void>;
}

interface Process {
  readonly self: ProcessIdentity;
  readonly liveness: (owner: ProcessIdentity) => Liveness;
}

/** The accounts and tasks that these functions open, for processes that the test names. */
export function harness<Store extends AccountStore>(
  openAccounts: (
    options: Process & { clock: TaskClock; newTaskId: () => string; tasks: Pick<TaskStore, 'get'> },
  ) => Store,
  openTasks: (options: Process & { nowMs: () => number }) => TaskStore,
  close: () => Promise<void>,
): AccountHarness<Store> {
  const livenesses = new Map<string, Liveness>();
  let made = 0;
  const processOf = (name: string): Process => ({
    self: identity(name),
    liveness: (owner) => livenesses.get(owner.started ?? '') ?? 'alive',
  });
  const self: AccountHarness<Store> = {
    nowMs: START_MS,
    open: (name = 'first', tasks = self.tasks(name)) => {
      return openAccounts({
        ...processOf(name),
        tasks,
        // Time stands still unless the test moves it; waiting takes what waiting takes.
        clock: { nowMs: () => self.nowMs, schedule: systemTaskClock.schedule },
        newTaskId: () => self.newId(),
      });
    },
    tasks: (name = 'first') => openTasks({ ...processOf(name), nowMs: () => self.nowMs }),
    setLiveness: (name, liveness) => livenesses.set(name, liveness),
    newId: () => idAt(self.nowMs, made++),
    close,
  };
  return self;
}

/** Accounts in files, with the path of the document of the default organization. */
export async function openFileAccounts() {
  const home = temporaryFolder();
  const made = harness(
    (options) => createFileAccountStore({ ...options, home, durable: false }),
    (options) => createFileTaskStore({ ...options, home, durable: false }),
    // Stores that were not closed can still be writing.
    () => rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }),
  );
  const documentPath = join(home, 'accounts', 'organizations', ORGANIZATION, 'organization.json');
  return Object.assign(made, { home, documentPath });
}

/** A reservation for the default organization. */
export function reservation(taskId: string, retries = 0): ReservationKey {
  return { organizationId: ORGANIZATION, taskId, retries };
}

/** Makes the task that a reservation was for. */
export async function accept(tasks: TaskStore, id: string, organizationId = ORGANIZATION): Promise<void> {
  await tasks.create({ id, origin: 'api', organizationId, payload: null });
}

/** Runs a waiting task to its end. */
export async function end(tasks: TaskStore, id: string, state: 'SUCCEEDED' | 'FAILED'): Promise<void> {
  const result = await tasks.claim(id);
  if (result.kind !== 'claimed') throw new Error(result.kind);
  const failure = { code: 'render_failed', message: 'x', context: {} };
  await tasks.settle(
    result.claim,
    state === 'SUCCEEDED' ? { kind: 'succeeded', outcome: null } : { kind: 'failed', failure },
    null,
  );
}
