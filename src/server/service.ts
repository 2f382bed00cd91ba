/**
 * A server from its start to its end: refuses to be unsafe, listens, runs tasks, looks after old ones, and drains. What it
 * is made of is handed in, so that tests run it on stores in memory.
 */
import type { AccountStore } from '../account/account-store.ts';
import { ListingVideoError } from '../errors.ts';
import { validateListing } from '../listing/validate-listing.ts';
import type { TaskClock, Unschedule } from '../task/task-clock.ts';
import type { TaskEngine } from '../task/task-engine.ts';
import type { TaskStore } from '../task/task-store.ts';
import type { FileStorage } from '../video/file-storage.ts';
import { accountRequest } from './account-request.ts';
import { isDevelopment } from './admit.ts';
import { createApp } from './app.ts';
import { createFileDoor } from './file-door.ts';
import { isLoopbackHost } from './host-check.ts';
import { type ConnectionLimits, createHttpServer } from './http-server.ts';
import { sweepOld } from './retention.ts';
import type { ServerConfig, ServerDeps, ServerState } from './server-deps.ts';

export interface ServiceOptions
  extends Omit<ServerDeps, 'config' | 'state' | 'engine' | 'store' | 'accounts' | 'files'> {
  readonly engine: TaskEngine;
  readonly store: TaskStore;
  readonly accounts: AccountStore;
  readonly files: FileStorage;
  readonly clock: TaskClock;
  readonly port: number;
  readonly host: string;
  /** Without a slash at the end; by default the address it listens on. */
  readonly publicUrl: string | undefined;
  readonly allowAnonymous: boolean;
  readonly bodyLimitBytes: number;
  readonly queueLimit: number;
  readonly corsOrigins: readonly string[];
  readonly graceMs: number;
  /** Undefined: for ever. */
  readonly keepMs: number | undefined;
  readonly limits?: Partial<ConnectionLimits>;
}

export interface Service {
  /**
   * Listens and begins to run tasks, those of an earlier run first.
   *
   * @returns The address it listens on, such as `http://127.0.0.1:8080`.
   * @throws {@link ListingVideoError} `usage` when that would be unsafe, `cannot_listen`, and what the stores throw.
   */
  start(): Promise<string>;
  /** Drains, closes and lets go of everything. Resolves within about `graceMs`. */
  stop(): Promise<void>;
}

const RECONCILE_INTERVAL_MS = 60_000;
const SWEEP_INTERVAL_MS = 3_600_000;
/** What answers under way get at least, however short the grace. */
const CLOSE_MS = 2_000;

/** Joins app, sockets and worker. Starts nothing by itself. */
export function createService(options: ServiceOptions): Service {
  const { engine, accounts, logger, clock } = options;
  const state: ServerState = { isDraining: false };
  let port = options.port;
  const config: ServerConfig = {
    isLoopback: isLoopbackHost(options.host),
    publicUrl: () => options.publicUrl ?? toUrl(reachableHost(options.host), port),
    bodyLimitBytes: options.bodyLimitBytes,
    queueLimit: options.queueLimit,
    corsOrigins: options.corsOrigins,
  };
  const deps: ServerDeps = { ...options, config, state };
  const server = createHttpServer({
    app: createApp(deps),
    fileDoor: createFileDoor(deps),
    onUnreadable: (facts) => accountRequest(deps, facts),
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });
  const upkeep = new Map<string, Unschedule>();
  let working: Promise<void> = Promise.resolve();

  return {
    async start() {
      await requireSafety(config, options, accounts);
      // Before any task is taken: what a crash left open must not be settled twice over.
      await reconcile();
      ({ port } = await server.listen(options.port, options.host));
      await tellMode();
      // Compiles the schema now, which else the first client would wait for.
      validateListing(null, { allowLocalFiles: false });
      engine.start();
      every('reconcile', RECONCILE_INTERVAL_MS, reconcile);
      const { keepMs } = options;
      if (keepMs !== undefined) {
        working = working.then(() => sweep(keepMs));
        every('sweep', SWEEP_INTERVAL_MS, () => sweep(keepMs));
      }
      logger.info({ url: toUrl(options.host, port), public_url: config.publicUrl() }, 'listening');
      return toUrl(options.host, port);
    },

    async stop() {
      const beganMs = options.monotonicMs();
      state.isDraining = true;
      logger.info({ running: engine.runningCount, grace_ms: options.graceMs }, 'draining');
      for (const unschedule of upkeep.values()) unschedule();
      server.beginDrain();
      await engine.drain(options.graceMs);
      const leftMs = options.graceMs - (options.monotonicMs() - beganMs);
      await server.close(Math.max(CLOSE_MS, leftMs));
      await working;
      await accounts.close();
      logger.info({}, 'stopped');
    },
  };

  /** Runs `work` again and again, never twice at once, until the service stops. */
  function every(name: string, intervalMs: number, work: () => Promise<void>): void {
    const turn = (): void => {
      working = working.then(work).then(() => {
        if (!state.isDraining) upkeep.set(name, clock.schedule(turn, intervalMs));
      });
    };
    upkeep.set(name, clock.schedule(turn, intervalMs));
  }

  async function reconcile(): Promise<void> {
    try {
      const { settled, released } = await accounts.reconcile();
      if (settled + released > 0) logger.info({ settled, released }, 'settled what a crash had left open');
    } catch (error) {
      logger.warn({ error }, 'open reservations could not be settled; it is tried again');
    }
  }

  async function sweep(keepMs: number): Promise<void> {
    try {
      const removed = await sweepOld(options, clock.nowMs() - keepMs, () => state.isDraining);
      if (removed.tasks + removed.folders + removed.ledgers > 0)
        logger.info(removed, 'removed what is older than --keep');
    } catch (error) {
      logger.warn({ error }, 'old tasks could not be removed; it is tried again');
    }
  }

  async function tellMode(): Promise<void> {
    if (await isDevelopment({ accounts, config })) {
      logger.warn(
        {},
        'development mode, as there are no API keys: everybody on this machine may use this server, it answers only under ' +
          'a loopback name, and assets may come from private addresses',
      );
      if (config.corsOrigins.length > 0) {
        const whose = config.corsOrigins.includes('*') ? 'any origin' : config.corsOrigins.join(', ');
        logger.warn(
          {},
          `pages of ${whose}, opened in a browser on this machine, may use this server without a key (--cors-origin)`,
        );
      }
    } else if (!(await accounts.hasEverHadKeys())) {
      logger.warn({}, 'anonymous access is on: everybody who reaches this server may use it');
    }
  }
}

async function requireSafety(
  { isLoopback }: ServerConfig,
  { host, allowAnonymous }: Pick<ServiceOptions, 'host' | 'allowAnonymous'>,
  accounts: Pick<AccountStore, 'hasEverHadKeys'>,
): Promise<void> {
  if (isLoopback || allowAnonymous || (await accounts.hasEverHadKeys())) return;
  throw new ListingVideoError(
    'usage',
    `--host ${host} is open to others, but there is no API key: anybody could use this server`,
    {
      hint: 'Make a key with `listing-video keys create --organization org_default`, or say --allow-anonymous.',
      context: { host },
    },
  );
}

function toUrl(host: string, port: number): string {
  return `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
}

/** Nobody can be sent to a wildcard address; this machine at least reaches it by loopback. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}
