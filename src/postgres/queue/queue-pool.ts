/** The connections of graphile-worker. Those that it would make by itself wait for a database that disappeared from the network. */
import pg from 'pg';
import { CONNECT_TIMEOUT_MS, KEEP_ALIVE, toConnectionString } from '../../task/postgres/open-database.ts';

/** A pool of at most `size` connections. The caller ends it. */
export function openQueuePool(url: string, size: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: toConnectionString(url),
    application_name: 'listing-video queue',
    max: size,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...KEEP_ALIVE,
  });
  // An error without a listener would end the process. graphile-worker hears of it at its next statement.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
