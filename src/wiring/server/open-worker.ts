/** The worker of `worker`: renders the tasks that API servers accept into the same database. */

import { createLogger, logPackageOutput } from '../../api/server/watch/logger.ts';
import { createWorkerService, type WorkerService } from '../../api/server/worker-service.ts';
import { loadSharp } from '../../platform/load-sharp.ts';
import type { Settings } from '../../platform/settings/setting-table.ts';
import { proxiesOfServer } from '../choose-proxies.ts';
import { openRenderDeps } from '../open-render-deps.ts';
import { warnOfLocalFiles } from '../stores/open-storage.ts';
import { needsDatabase, openServerParts } from './open-server-parts.ts';
import type { ServiceOptions } from './open-service.ts';

export type { WorkerService };

export interface WorkerOptions extends ServiceOptions {
  /** False: it opens no port. */
  readonly hasPort: boolean;
}

export type OpenWorker = (settings: Settings, options: WorkerOptions) => Promise<WorkerService>;

/**
 * Opens the stores; runs tasks from `start` on.
 *
 * @throws {@link ListingVideoError} `usage` without a database; `sharp_missing`, `ffmpeg_missing`; what the stores
 *   throw.
 */
export const openWorker: OpenWorker = async (settings, { hasPort, log, ...shares }) => {
  if (settings.database === undefined) throw needsDatabase('a worker');
  // A worker that cannot render is of no use, so it ends instead of waiting as a server does.
  await loadSharp();
  await openRenderDeps(settings, { proxies: proxiesOfServer(settings) }).findFfmpeg();
  const logger = createLogger(log);
  logPackageOutput(logger);
  const { host, port, trustProxy, requestsPerMinute, connectionsPerAddress } = settings;
  const parts = await openServerParts(
    { ...settings, render: true },
    // It does not know who can reach the API servers, so it fetches no photos from private addresses by itself.
    { ...shares, logger, isLocal: false },
  );
  warnOfLocalFiles(settings, logger);
  return createWorkerService({
    ...parts,
    port: hasPort ? port : null,
    host,
    trustProxy,
    requestsPerMinute,
    maxConnectionsPerAddress: connectionsPerAddress,
  });
};
