/** What a server or a command keeps its tasks and accounts in, whatever that is. Types only. */
import type { AccountStore } from '../../task/accounts/account-store.ts';
import type { TaskHooks, TaskLogger } from '../../task/engine/task-handler.ts';
import type { QueueFacts, WorkQueue } from '../../task/engine/work-queue.ts';
import type { TaskQueueOptions } from '../../task/postgres/queue/task-queue.ts';
import type { TaskChanges } from '../../task/task-changes.ts';
import type { TaskStore } from '../../task/task-store.ts';
import type { OpenedWebhooks } from '../../task/webhooks/opened-webhooks.ts';
import type { UploadRecords } from '../../video/uploads/upload-store.ts';

export interface Stores {
  readonly store: TaskStore;
  /** Opens the accounts at the first call. */
  readonly accounts: () => Promise<AccountStore>;
  /** Credits of tasks. With a database the task store itself moves them, in the transaction of the task. */
  readonly hooks: TaskHooks<unknown>;
  /** Opens the webhooks at the first call. The task store itself stores the deliveries of each end. */
  readonly webhooks: () => Promise<OpenedWebhooks>;
  /** Rejects if the database does not answer or cannot be written. Null without one. */
  readonly checkDatabase: (() => Promise<void>) | null;
  /** The queue over all machines, for metrics. Null without a database. */
  readonly readQueue: (() => Promise<QueueFacts>) | null;
  /** Opens the queue that tells a worker of tasks. Null without a database. */
  readonly openQueue: ((options: QueueOptions) => Promise<WorkQueue>) | null;
  /** Opens the notices of changes of tasks that any server made. Null without a database: look for changes. */
  readonly openChanges: ((logger: TaskLogger) => TaskChanges) | null;
  /** Counts uploads whose bytes are in a bucket. Null without a database. */
  readonly uploads: UploadRecords | null;
  /** Waits for the background work of the accounts, and ends the connections of the database. */
  readonly close: () => Promise<void>;
}

export interface StoresOptions {
  /** How long lists of tasks in files are cached. Default 0. */
  readonly listCacheTtlMs?: number;
}

/** What the store of tasks does not know of a worker. */
export type QueueOptions = Omit<TaskQueueOptions, 'database' | 'url' | 'clock'>;
