/** A worker without an API: runs tasks and drains, and answers the operator's paths on a port if it has one. */

import type { VideoTaskEngine } from '../video-task.ts';
import type { AdmitDeps } from './access/admit.ts';
import { proxyFacts } from './access/exposure.ts';
import { isLoopbackHost } from './access/host-check.ts';
import { createRequestLimits } from './access/rate-limit.ts';
import { createMonitoringApp } from './app.ts';
import type { LiveAppOptions } from './live-app.ts';
import type { ServerState } from './server-deps.ts';
import { CLOSE_MS, createHttpServer, type HttpServer } from './sockets/http-server.ts';
import { requireListenHost, toUrl } from './sockets/listen-host.ts';
import { toRequestListener } from './sockets/request-listener.ts';
import { SWEEP_INTERVAL_MS, Upkeep } from './upkeep/upkeep.ts';
import { logRequest } from './watch/log-request.ts';

type Part = 'logger' | 'metrics' | 'clock' | 'monotonicMs' | 'graceMs' | 'removeAbandoned' | 'checkReadiness';

export interface WorkerServiceOptions extends Pick<LiveAppOptions, Part> {
  readonly engine: Pick<VideoTaskEngine, 'start' | 'drain' | 'runningCount' | 'health'>;
  readonly accounts: AdmitDeps['accounts'] & Pick<LiveAppOptions['accounts'], 'close'>;
  /** Null: it opens no port. */
  readonly port: number | null;
  readonly host: string;
  readonly trustProxy: readonly string[];
  readonly requestsPerMinute: number;
  readonly maxConnectionsPerAddress: number;
}

export interface WorkerService {
  /**
   * Starts to run tasks.
   *
   * @returns The address that it listens on, or null.
   * @throws ListingVideoError `cannot_listen`.
   */
  start(): Promise<string | null>;
  stop(): Promise<void>;
}

export function createWorkerService(options: WorkerServiceOptions): WorkerService {
  const { engine, accounts, logger, clock, graceMs, host } = options;
  const state: ServerState = { isDraining: false };
  const upkeep = new Upkeep(clock);
  let server: HttpServer | null = null;

  return {
    async start() {
      let url: string | null = null;
      if (options.port !== null) {
        await requireListenHost(host);
        server = openMonitoring(options, state);
        const { port } = await server.listen(options.port, host);
        url = toUrl(host, port);
      }
      upkeep.run(removeAbandoned);
      upkeep.every(SWEEP_INTERVAL_MS, removeAbandoned);
      engine.start();
      logger.info(url === null ? {} : { url }, 'waiting for tasks');
      return url;
    },

    async stop() {
      const beganMs = options.monotonicMs();
      state.isDraining = true;
      logger.info({ running: engine.runningCount, grace_ms: graceMs }, 'draining');
      upkeep.stop();
      // The port stays open until the tasks have ended, so that a probe sees a worker that drains.
      await engine.drain(graceMs);
      server?.beginDrain();
      await server?.close(Math.max(CLOSE_MS, graceMs - (options.monotonicMs() - beganMs)));
      await upkeep.ended();
      await accounts.close();
      logger.info({}, 'stopped');
    },
  };

  async function removeAbandoned(): Promise<void> {
    try {
      await options.removeAbandoned();
    } catch (error) {
      logger.warn({ error }, 'cannot remove files of dead processes; the next attempt is in an hour');
    }
  }
}

function openMonitoring(options: WorkerServiceOptions, state: ServerState): HttpServer {
  const { host, trustProxy, maxConnectionsPerAddress } = options;
  const config = {
    ...proxyFacts({ publicUrl: undefined, trustProxy }),
    isLocal: isLoopbackHost(host),
    corsOrigins: [],
  };
  const app = createMonitoringApp({ ...options, config, state, limits: createRequestLimits(options) });
  const onUnreadable = (facts: Parameters<typeof logRequest>[1]): void => logRequest(options, facts);
  return createHttpServer({
    listener: toRequestListener(app, () => false, config.proxies, onUnreadable),
    onUnreadable,
    isProxy: config.proxies.has,
    limits: { maxConnectionsPerAddress },
  });
}
