/** Passes the messages of graphile-worker to ours. Its own would go to the terminal. */
import { Logger } from 'graphile-worker';
import type { TaskLogger } from '../../task/engine/task-handler.ts';

/**
 * For debugging only: while the database is away it reports each connection, which the readiness of the server says once. Its facts
 * carry connections, and with them passwords: only its message is logged.
 */
export function queueLogger(logger: Pick<TaskLogger, 'debug'>): Logger {
  return new Logger(() => (_, message) => {
    logger.debug('the queue of the database reports', { report: message });
  });
}
