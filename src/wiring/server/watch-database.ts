/** Whether the database can be written now, for `/readyz`; the log says why not. */
import type { Logger } from '../../api/server/watch/logger.ts';

/** @param check - Rejects if it cannot be written. */
export function watchDatabase(check: () => Promise<void>, logger: Logger): () => Promise<boolean> {
  let canWrite = true;
  return async () => {
    const could = canWrite;
    const error = await check().then(
      () => null,
      (reason: unknown) => reason,
    );
    canWrite = error === null;
    if (could && !canWrite) {
      logger.warn({ error }, 'the database cannot be written, so no task is accepted or started');
    } else if (!could && canWrite) logger.info({}, 'the database can be written again');
    return canWrite;
  };
}
