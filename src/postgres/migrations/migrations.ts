/** The migrations, in order. One that was released is never changed: a further one follows it. */
import { ACCOUNTS } from './accounts.ts';
import { BATCHES } from './batches.ts';
import { TASKS } from './tasks.ts';
import { TURNS } from './turns.ts';
import { UPLOADS } from './uploads.ts';
import { WEBHOOKS } from './webhooks.ts';
import { WORKER_STATES } from './worker-states.ts';
import { WORKERS } from './workers.ts';

export interface Migration {
  /** 1, 2, 3, …: the version of the schema after it. */
  readonly version: number;
  readonly name: string;
  /** Statements, run in one transaction. */
  readonly sql: string;
}

export const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: 'tasks', sql: TASKS },
  { version: 2, name: 'accounts', sql: ACCOUNTS },
  { version: 3, name: 'workers', sql: WORKERS },
  { version: 4, name: 'turns', sql: TURNS },
  { version: 5, name: 'webhooks', sql: WEBHOOKS },
  { version: 6, name: 'uploads', sql: UPLOADS },
  { version: 7, name: 'worker states', sql: WORKER_STATES },
  { version: 8, name: 'batches', sql: BATCHES },
];
