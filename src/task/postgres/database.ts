/** What the stores need of a database: statements and transactions. `open-database.ts` implements it with `pg`. */

/** Runs statements: each alone, or all in one transaction. */
export interface Queries {
  /**
   * Runs one statement and returns its rows.
   *
   * @param values - For `$1`, `$2`, … Pass JSON as text, because `pg` makes a PostgreSQL array of an array.
   * @throws {@link ListingVideoError} `database_unavailable` if the database does not answer.
   */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** A database with a pool of connections. It connects at its first use. */
export interface Database extends Queries {
  /** Host, port and name of the database, for messages. It has no user name and no password. */
  readonly place: string;
  /**
   * Runs `work` in a transaction on one connection. Commits if `work` resolves, otherwise rolls back. Do not use the
   * database itself in `work`: it would wait for a second connection.
   */
  transaction<T>(work: (transaction: Queries) => Promise<T>): Promise<T>;
  /** Ends all connections. Waits for those in use. */
  close(): Promise<void>;
}

/**
 * An expression that makes the commit of the same statement not wait for the disk. After a crash of the database the change
 * can be lost, but then all later changes are lost with it. Use it as `with quick as (…) update … from quick`.
 */
export const QUICK_COMMIT = `select set_config('synchronous_commit', 'off', true)`;
