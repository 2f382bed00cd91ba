/** The service of `serve`: tasks of the API on this machine's files, behind HTTP. */
import type { Writable } from 'node:stream';
import { isLocalServer } from '../../api/server/access/exposure.ts';
import { createService } from '../../api/server/service.ts';
import { createLogger, logPackageOutput } from '../../api/server/watch/logger.ts';
import { loadSharp } from '../../platform/load-sharp.ts';
import type { Settings } from '../../platform/settings/setting-table.ts';
import { openServerParts, serverConfigOf } from './open-server-parts.ts';

/** A server that is not yet running. */
export interface Service {
  /**
   * @returns The address it listens on, such as `http://127.0.0.1:8080`.
   * @throws ListingVideoError `usage` when that would be unsafe, `cannot_listen`, and what the stores throw.
   */
  start(): Promise<string>;
  /** Drains and closes; resolves within about the grace of the settings. */
  stop(): Promise<void>;
}

/** How a server or a worker works on this machine. */
export interface ServiceOptions {
  readonly tasksAtOnce: number;
  /** Parallel downloads, decoders and render threads of one task. */
  readonly piecesPerTask: number;
  readonly log: {
    readonly stream: Writable;
    /** Lines for people instead of JSON. */
    readonly isPretty: boolean;
    readonly hasColor: boolean;
    readonly level: 'debug' | 'info' | 'warn';
  };
}

export type OpenService = (settings: Settings, options: ServiceOptions) => Promise<Service>;

/**
 * Opens the stores; listens and runs tasks from {@link Service.start} on.
 *
 * @throws {@link ListingVideoError} `sharp_missing`; what the stores throw.
 */
export const openService: OpenService = async (settings, { tasksAtOnce, piecesPerTask, log }) => {
  // At the start, because no task could succeed. An ffmpeg can be installed while a server runs, so the worker waits
  // for it.
  await loadSharp();
  const logger = createLogger(log);
  logPackageOutput(logger);
  const parts = await openServerParts(settings, {
    tasksAtOnce,
    piecesPerTask,
    logger,
    isLocal: isLocalServer(settings),
  });
  const { port, host, publicUrl, allowAnonymous, trustProxy, connectionsPerAddress } = settings;
  return createService({
    ...parts,
    ...serverConfigOf(settings),
    port,
    host,
    publicUrl,
    allowAnonymous,
    trustProxy,
    limits: { maxConnectionsPerAddress: connectionsPerAddress },
  });
};
