/** Passes the messages of graphile-worker to ours. Its own would go to the terminal. */
import { Logger } from 'graphile-worker';
import type { TaskLogger } from '../../task/engine/task-handler.ts';

/** Its facts carry connections, and with them passwords: only its message is logged. */
export function queueLogger(logger: TaskLogger): Logger {
  return new Logger(() => (level, message) => {
    const isProblem = level === 'error' || level === 'warning';
    logger[isProblem ? 'warn' : 'debug']('the queue of the database reports', { report: message });
  });
}
