/**
 * What graphile-worker gets from us: connections, a logger, and the schema of its tables. It is imported by name: a
 * dynamic import of it has no names in the build.
 */
import { Logger, runMigrations } from 'graphile-worker';
import type pg from 'pg';
import type { TaskLogger } from '../../engine/task-handler.ts';
import { connectionTo, openPool } from '../open-database.ts';

const NAME = 'listing-video queue';

/** Brings the tables in `schema` of the database at `url` to the version of this program. */
export function makeQueueTables(url: string, schema: string): Promise<void> {
  const { connectionString } = connectionTo(url, NAME);
  return runMigrations({ connectionString, schema, logger: queueLogger({ debug: () => {} }) });
}

/** Unlike a pool of graphile-worker, it notices a database that left the network. The caller ends it. */
export function openQueuePool(url: string, size: number): pg.Pool {
  return openPool(url, NAME, { max: size });
}

/**
 * For debugging only: while the database is away it reports each connection, which the readiness of the server says
 * once. Its facts carry connections, and with them passwords: only its message is logged.
 */
export function queueLogger(logger: Pick<TaskLogger, 'debug'>): Logger {
  return new Logger(() => (_, message) => {
    logger.debug('the queue of the database reports', { report: message });
  });
}
