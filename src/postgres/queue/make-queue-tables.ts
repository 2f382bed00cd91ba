/** Makes the tables of the queue. It imports graphile-worker by name: a dynamic import of it has no names in the build. */
import { runMigrations } from 'graphile-worker';
import { toConnectionString } from '../../task/postgres/open-database.ts';
import { queueLogger } from './queue-logger.ts';

/** Brings the tables in `schema` of the database at `url` to the version of this program. */
export function makeQueueTables(url: string, schema: string): Promise<void> {
  const logger = queueLogger({ debug: () => {} });
  return runMigrations({ connectionString: toConnectionString(url), schema, logger });
}
