/** What the parts of the accounts and webhooks in a database have in common. */
import {
  type AccountDeps,
  type AccountStoreOptions,
  stamp,
  toAccountDefaults,
} from '../../accounts/account-deps.ts';
import { type AuditedChange, findActor, toAuditLine } from '../../accounts/audit-line.ts';
import type { Database, Queries } from '../database.ts';
import { insertInto } from '../sql.ts';

export interface PostgresAccountOptions
  extends Pick<AccountStoreOptions, 'clock' | 'self' | 'liveness' | 'newTaskId' | 'program'> {
  /** With the schema of this version; see `requireSchema`. The tasks are in it, too. */
  readonly database: Database;
  /** Ids of the tasks that this process is about to create under an idempotency key. Pass it to `taskCredits`, too. */
  readonly claimedIds?: Set<string>;
}

export interface PostgresAccountDeps
  extends Pick<AccountDeps, 'clock' | 'self' | 'liveness' | 'program' | 'newTaskId'> {
  readonly database: Database;
  /** Ids of the tasks that this process is about to create under an idempotency key. */
  readonly claimedIds: Set<string>;
  /** Adds the entry of a change to the audit log. Its document is that of a line of `audit.ndjson`. */
  readonly audit: (transaction: Queries, change: AuditedChange) => Promise<void>;
  readonly now: () => string;
}

export function toPostgresDeps({
  database,
  claimedIds = new Set(),
  ...options
}: PostgresAccountOptions): PostgresAccountDeps {
  const defaults = toAccountDefaults(options);
  return {
    ...defaults,
    database,
    claimedIds,
    audit: async (tx, change) => {
      const entry = toAuditLine(change, await findActor(), defaults);
      await tx.query(insertInto('audit_log', { entry }));
    },
    now: () => stamp(defaults.clock),
  };
}
