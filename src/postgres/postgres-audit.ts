/** The audit log in a database: an entry of `audit_log` for each change, in the transaction of the change. */
import type { AccountDeps } from '../account/account-options.ts';
import { type AuditedChange, findActor, toAuditLine } from '../account/audit-log.ts';
import type { Queries } from '../task/postgres/database.ts';

export class PostgresAudit {
  readonly #deps: Pick<AccountDeps, 'clock' | 'program'>;

  constructor(deps: Pick<AccountDeps, 'clock' | 'program'>) {
    this.#deps = deps;
  }

  /** Adds the entry of a change. Its document is that of a line of `audit.ndjson`. */
  async record(transaction: Queries, change: AuditedChange): Promise<void> {
    const entry = toAuditLine(change, await findActor(), this.#deps);
    await transaction.query('insert into listing_video.audit_log (entry) values ($1)', [
      JSON.stringify(entry),
    ]);
  }
}
