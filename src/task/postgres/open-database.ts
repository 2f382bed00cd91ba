/** Opens a database: a pool of connections of `pg`, with limits for every wait. */
import pg from 'pg';
import type { Database, Queries } from './database.ts';
import { isConnectionLost, toDatabaseError } from './database-error.ts';
import { type Sql, toName } from './sql.ts';

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
const CONNECT_TIMEOUT_MS = 5_000;
const IDLE_TIMEOUT_MS = 30_000;
/** Far above any of our statements, which take milliseconds. */
const STATEMENT_TIMEOUT_MS = 15_000;
/** After this time without an answer the connection is dead: a machine can disappear from the network. */
const ANSWER_TIMEOUT_MS = 20_000;
/** Locks are held for one transaction of a few statements. */
const LOCK_TIMEOUT_MS = 10_000;
/** A suspended process must not keep its locks. Removing the files of a task takes seconds. */
const IDLE_TRANSACTION_TIMEOUT_MS = 60_000;

const TIMEOUTS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  query_timeout: ANSWER_TIMEOUT_MS,
  lock_timeout: LOCK_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
};

const { INT8, TIMESTAMPTZ } = pg.types.builtins;
const toTime: (text: string) => Date | number = pg.types.getTypeParser(TIMESTAMPTZ, 'text');

/**
 * `bigint` arrives as text by default. Our sums stay far below 2^53. A time is ISO 8601 in UTC; null for one that no
 * date has, such as `infinity`.
 */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8) return Number;
    if (oid !== TIMESTAMPTZ) return pg.types.getTypeParser(oid, format as 'text');
    return (text: string) => {
      const time = new Date(toTime(text));
      return Number.isNaN(time.getTime()) ? null : time.toISOString();
    };
  },
};

/** What our statements rely on, whatever the address, the user or the server sets. */
const SESSION = `
  set datestyle = 'ISO, MDY'; set timezone = 'UTC'; set search_path = pg_catalog; set standard_conforming_strings = on;
  set session characteristics as transaction isolation level read committed`;

/** Connects at the first use. */
export function openDatabase(options: DatabaseOptions): Database {
  const { url, connections = DEFAULT_CONNECTIONS, hasTimeouts = true } = options;
  const place = placeOf(url);
  const pool = openPool(url, 'listing-video', {
    max: connections,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    types: TYPES,
    onConnect: async (client) => {
      await client.query(SESSION);
    },
    ...(hasTimeouts ? TIMEOUTS : {}),
  });

  /** Lends a connection to `work`. One that is lost does not return to the pool. */
  const use = async <T>(work: (lent: Lent) => Promise<T>): Promise<T> => {
    // Throws at once if a file that the address names cannot be read.
    const client = await (async () => pool.connect())().catch((error: unknown) => {
      throw toDatabaseError(error, place);
    });
    const lent: Lent = { client, isLost: false };
    return work(lent).finally(() => client.release(lent.isLost));
  };

  const runOn = (lent: Lent): Queries => ({
    async query<Row extends object>(statement: Sql | string, values: readonly unknown[] = []) {
      const own =
        typeof statement === 'string' ? { text: statement, values: [...values] } : statement.toStatement();
      try {
        return toRows(await lent.client.query({ ...own, rowMode: 'array' })) as Row[];
      } catch (error) {
        lent.isLost ||= isConnectionLost(error);
        throw toDatabaseError(error, place);
      }
    },
  });

  return {
    place,
    query: (statement, values) => use((lent) => runOn(lent).query(statement, values)),
    transaction: (work) =>
      use(async (lent) => {
        const transaction = runOn(lent);
        await transaction.query('begin');
        try {
          const result = await work(transaction);
          await transaction.query('commit');
          return result;
        } catch (error) {
          // If the connection is lost, the server rolls back by itself. To wait for its answer would take as long
          // again.
          if (!lent.isLost) await transaction.query('rollback').catch(() => {});
          throw error;
        }
      }),
    close: () => pool.end(),
  };
}

/** Columns as `toName` names them. Of several statements there are no rows. */
function toRows({ fields = [], rows }: pg.QueryArrayResult): object[] {
  const names = fields.map(({ name }) => toName(name));
  return (rows ?? []).map((row) => Object.fromEntries(names.map((name, place) => [name, row[place]])));
}

interface Lent {
  readonly client: pg.PoolClient;
  /** True once it must not be used again. */
  isLost: boolean;
}

/** A pool of connections with this name at the server. The caller ends it. */
export function openPool(url: string, name: string, options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...connectionTo(url, name), ...options });
  // An error without a listener would end the process. The next use of the connection reports it, too. Do not log it
  // here: the error carries the client, and with it the password.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Notices after 20 s that a machine disappeared from the network: without a delay, Linux first waits two hours. */
export function connectionTo(url: string, name: string) {
  return {
    connectionString: toConnectionString(url),
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  } satisfies pg.ClientConfig;
}

/**
 * The address with the TLS modes of PostgreSQL's manual: `require` encrypts, `verify-full` also checks the
 * certificate. Without this, `pg` checks it in both, and prints a warning about the change to come.
 */
export function toConnectionString(url: string): string {
  const needsMode =
    /[?&]sslmode=(?:prefer|require|verify-ca)(?:&|$)/.test(url) && !/[?&]uselibpqcompat=/.test(url);
  return needsMode ? `${url}&uselibpqcompat=true` : url;
}

/**
 * Host, port and name of the database in `url`. Never its user, password or options: a sign in the password that is
 * not escaped would make a part of it look like one of these, so such an address has no place.
 */
export function placeOf(url: string): string {
  const parts = /^\w+:\/\/(?:[^@/?#]*@)?(?<host>[^@/?#]*)(?:\/(?<name>[^@?#]*))?(?:\?[^@#]*)?$/.exec(
    url,
  )?.groups;
  if (parts === undefined) return 'in LISTING_VIDEO_DATABASE';
  return `${parts.host}${parts.name ? `/${parts.name}` : ''}` || 'of this machine';
}
