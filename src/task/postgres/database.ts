/** What the stores need of a database: statements and transactions. `open-database.ts` implements it with `pg`. */
import type { Sql } from './sql.ts';

export interface Queries {
  /**
   * Runs one statement and returns its rows.
   *
   * @param values - Of a statement that is text: for its `$1`, `$2`, ….
   * @throws {@link ListingVideoError} `database_unavailable` if the database does not answer.
   */
  query<Row extends object>(statement: Sql | string, values?: readonly unknown[]): Promise<Row[]>;
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
