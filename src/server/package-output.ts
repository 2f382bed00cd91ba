/** Brings what packages print with `console` into the log, whose lines are JSON: graphile-worker prints when a database is away. */
import type { Logger } from '../api/server/watch/logger.ts';

const METHODS = ['debug', 'info', 'log', 'warn', 'error', 'trace'] as const;

/**
 * Replaces the methods of `console` that print, for the rest of the process. The lines are for debugging only: our own code reports
 * the same faults.
 */
export function logPackageOutput(logger: Pick<Logger, 'debug'>): void {
  for (const method of METHODS) {
    console[method] = (...parts: unknown[]) =>
      logger.debug({ report: parts.map(toText).join(' ') }, 'a package reports');
  }
}

/** Fields of an error can hold connections, and with them passwords. */
function toText(part: unknown): string {
  return typeof part === 'object' && !(part instanceof Error) ? typeof part : String(part);
}
