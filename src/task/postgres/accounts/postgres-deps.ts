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

export interface ClaimedKey {
  readonly organizationId: string;
  /** The database has the hash, never the key. */
  readonly keyHash: string;
  readonly bodyHash: string;
}

/** Idempotency keys of requests that are about to make a task, by its id. */
export type ClaimedKeys = Map<string, ClaimedKey>;

export interface PostgresAccountOptions extends Pick<AccountStoreOptions, 'clock' | 'newTaskId' | 'program'> {
  /** With the schema of this version; see `requireSchema`. The tasks are in it, too. */
  readonly database: Database;
  /** Pass it to `taskCredits`, too. */
  readonly claimedKeys?: ClaimedKeys;
}

export interface PostgresAccountDeps
  extends Pick<AccountDeps, 'clock' | 'newTaskId'>,
    Required<Pick<PostgresAccountOptions, 'database' | 'claimedKeys'>> {
  /** Adds the entry of a change to the audit log. Its document is that of a line of `audit.ndjson`. */
  readonly audit: (transaction: Queries, change: AuditedChange) => Promise<void>;
  readonly now: () => string;
}

export function toPostgresDeps(options: PostgresAccountOptions): PostgresAccountDeps {
  const { database, claimedKeys = new Map() } = options;
  const { clock, newTaskId, program } = toAccountDefaults(options);
  return {
    ...{ database, claimedKeys, clock, newTaskId },
    audit: async (tx, change) => {
      const entry = toAuditLine(change, await findActor(), { clock, program });
      await tx.query(insertInto('audit_log', { entry }));
    },
    now: () => stamp(clock),
  };
}
