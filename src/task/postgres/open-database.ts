/** Opens a database: a pool of connections of `pg`, with limits for every wait. */
import pg from 'pg';
import type { Database, Queries } from './database.ts';
import { isConnectionLost, toDatabaseError } from './database-error.ts';

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/name`. What is absent comes from PGHOST, PGPASSWORD and so on, as in psql. */
  readonly url: string;
  /** Most connections of this process. Default 10: PostgreSQL allows 100 for all processes by default. */
  readonly connections?: number;
  /** False: a statement can take any time, as a migration of a large table does. Default true. */
  readonly hasTimeouts?: boolean;
}

const DEFAULT_CONNECTIONS = 10;
/** Wait for a connection: for a free one of the pool, or for the server to accept a new one. */
export const CONNECT_TIMEOUT_MS = 5_000;
const IDLE_TIMEOUT_MS = 30_000;
/**
 * Finds out about a machine that disappeared from the network, 20 s after its last sign. Without a delay, Linux first waits two hours.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };
/** Far above any of our statements, which take milliseconds. */
const STATEMENT_TIMEOUT_MS = 15_000;
/** After this time without an answer the connection is dead, for example because a machine disappeared from the network. */
const ANSWER_TIMEOUT_MS = 20_000;
/** Locks are held for one transaction of a few statements. */
const LOCK_TIMEOUT_MS = 10_000;
/** A process that is suspended within a transaction must not keep its locks. Removing the files of a task takes seconds. */
const IDLE_TRANSACTION_TIMEOUT_MS = 60_000;

const TIMEOUTS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  query_timeout: ANSWER_TIMEOUT_MS,
  lock_timeout: LOCK_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
};

/** `bigint` arrives as text by default. Our sums stay far below 2^53. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

/** What our statements rely on, whatever the address, the user or the server sets. Transactions are short and lock rows. */
const SESSION = `
  set datestyle = 'ISO, MDY'; set timezone = 'UTC'; set search_path = pg_catalog; set standard_conforming_strings = on;
  set session characteristics as transaction isolation level read committed`;

/** Connects at the first use. */
export function openDatabase(options: DatabaseOptions): Database {
  const { url, connections = DEFAULT_CONNECTIONS, hasTimeouts = true } = options;
  return new PooledDatabase(
    new pg.Pool({
      connectionString: toConnectionString(url),
      application_name: 'listing-video',
      max: connections,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
      ...KEEP_ALIVE,
      types: TYPES,
      onConnect: async (client) => {
        await client.query(SESSION);
      },
      ...(hasTimeouts ? TIMEOUTS : {}),
    }),
    placeOf(url),
  );
}

/**
 * The address with the TLS modes of PostgreSQL's manual: `require` encrypts, `verify-full` also checks the certificate. Without this, `pg`
 * checks it in both, and prints a warning about the change to come.
 */
export function toConnectionString(url: string): string {
  const needsMode =
    /[?&]sslmode=(?:prefer|require|verify-ca)(?:&|$)/.test(url) && !/[?&]uselibpqcompat=/.test(url);
  return needsMode ? `${url}&uselibpqcompat=true` : url;
}

/**
 * Host, port and name of the database in `url`. Never its user, password or options: a sign in the password that is not escaped
 * would make a part of it look like one of these, so such an address has no place.
 */
export function placeOf(url: string): string {
  const parts = /^\w+:\/\/(?:[^@/?#]*@)?(?<host>[^@/?#]*)(?:\/(?<name>[^@?#]*))?(?:\?[^@#]*)?$/.exec(
    url,
  )?.groups;
  if (parts === undefined) return 'in LISTING_VIDEO_DATABASE';
  return `${parts.host}${parts.name ? `/${parts.name}` : ''}` || 'of this machine';
}

class PooledDatabase implements Database {
  readonly place: string;
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool, place: string) {
    this.#pool = pool;
    this.place = place;
    // An error without a listener would end the process. The next use of the connection reports it, too. Do not log it here:
    // the error carries the client, and with it the password.
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
  }

  query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#use((lent) => this.#run(lent, text, values));
  }

  transaction<T>(work: (transaction: Queries) => Promise<T>): Promise<T> {
    return this.#use(async (lent) => {
      const run = <Row extends object>(text: string, values: readonly unknown[] = []) =>
        this.#run<Row>(lent, text, values);
      await run('begin');
      try {
        const result = await work({ query: run });
        await run('commit');
        return result;
      } catch (error) {
        // If the connection is lost, the server rolls back by itself. To wait for its answer would take as long again.
        if (!lent.isLost) await run('rollback').catch(() => {});
        throw error;
      }
    });
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  /** Lends a connection to `work`. One that is lost does not return to the pool. */
  async #use<T>(work: (lent: Lent) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    const lent: Lent = { client, isLost: false };
    try {
      return await work(lent);
    } finally {
      client.release(lent.isLost);
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      // Throws at once if a file that the address names cannot be read.
      return await this.#pool.connect();
    } catch (error) {
      throw toDatabaseError(error, this.place);
    }
  }

  async #run<Row extends object>(lent: Lent, text: string, values: readonly unknown[]): Promise<Row[]> {
    try {
      return (await lent.client.query<Row>(text, [...values])).rows;
    } catch (error) {
      lent.isLost ||= isConnectionLost(error);
      throw toDatabaseError(error, this.place);
    }
  }
}

/** A connection in use. */
interface Lent {
  readonly client: pg.PoolClient;
  /** True once it must not be used again. */
  isLost: boolean;
}
