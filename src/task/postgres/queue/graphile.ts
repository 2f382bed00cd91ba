/**
 * What graphile-worker gets from us: connections, a logger, and the schema of its tables. It is imported by name: a
 * dynamic import of it has no names in the build.
 */
import { Logger, makeWorkerUtils, runMigrations } from 'graphile-worker';
import type pg from 'pg';
import type { TaskLogger } from '../../engine/task-handler.ts';
import { connectionTo, openPool } from '../open-database.ts';

const NAME = 'listing-video queue';
const SILENT = { debug: () => {} };

/** Brings the tables in `schema` of the database at `url` to the version of this program. */
export function makeQueueTables(url: string, schema: string): Promise<void> {
  const { connectionString } = connectionTo(url, NAME);
  return runMigrations({ connectionString, schema, logger: queueLogger(SILENT) });
}

/**
 * Removes jobs without attempts left and queues without jobs. Not kinds without jobs: a running pool knows them by
 * number, and would not see the jobs of a kind that comes back under another one. Nor jobs of a kind that this program
 * does not know: during an update they are a newer program's.
 */
export async function cleanQueue(url: string, schema: string): Promise<void> {
  const pool = openQueuePool(url, 1);
  try {
    const utils = await makeWorkerUtils({ pgPool: pool, schema, logger: queueLogger(SILENT) });
    await utils.cleanup({ tasks: ['DELETE_PERMAFAILED_JOBS', 'GC_JOB_QUEUES'] });
    await utils.release();
  } finally {
    await pool.end();
  }
}

/**
 * Unlike a pool of graphile-worker, it notices a database that left the network. The caller ends it.
 *
 * @param isQuick - No commit waits for the disk: what a crash of the database undoes are locks and ends of jobs, which
 *   then come again. Measured with deliveries: twice as many a second.
 */
export function openQueuePool(url: string, size: number, isQuick = false): pg.Pool {
  const setting = `set synchronous_commit = ${isQuick ? 'off' : 'default'}`;
  return openPool(url, NAME, { max: size, onConnect: async (client) => void (await client.query(setting)) });
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
