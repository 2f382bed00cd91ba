/**
 * The app with what keeps a service alive: settles what a crash left open, runs tasks, removes old ones, drains. It has
 * no sockets: `service.ts` gives it some, a program that has its own asks the app or the listener.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AccountStore } from '../account/account-store.ts';
import { validateListing } from '../listing/rules/validate-listing.ts';
import type { TaskClock, Unschedule } from '../task/engine/task-clock.ts';
import type { TaskEngine } from '../task/engine/task-engine.ts';
import type { TaskStore } from '../task/task-store.ts';
import type { FileStorage } from '../video/publish/file-storage.ts';
import { type App, createApp } from './app.ts';
import { type HttpServer, toRequestListener } from './http-server.ts';
import { type AnsweredRequest, logRequest } from './log-request.ts';
import { sweepOld } from './retention.ts';
import type { ServerDeps, ServerState } from './server-deps.ts';
import { createStaticFiles } from './static-files.ts';

export interface LiveAppOptions
  extends Omit<ServerDeps, 'state' | 'engine' | 'store' | 'accounts' | 'files'> {
  readonly engine: TaskEngine;
  readonly store: TaskStore;
  readonly accounts: AccountStore;
  readonly files: FileStorage;
  readonly clock: TaskClock;
  readonly graceMs: number;
  /** Undefined: for ever. */
  readonly keepMs: number | undefined;
}

/** Sockets that a drain closes. */
export type Sockets = Pick<HttpServer, 'beginDrain' | 'close'>;

export interface LiveApp {
  /** Everything; the files below `/files` only under Node's own server, whose request and response they need. */
  readonly app: App;
  /** Everything, for a server of `node:http`. */
  readonly listener: (request: IncomingMessage, response: ServerResponse) => void;
  /** Accounts for a request that could not be read, of which the listener never hears. */
  readonly onUnreadable: (facts: AnsweredRequest) => void;
  /** To be awaited before any request is answered: what a crash left open must not be settled twice over. */
  prepare(): Promise<void>;
  /** Runs tasks from now on, those of an earlier process first. */
  begin(): void;
  /** Refuses requests, lets running tasks end, closes the sockets and lets go of everything within about `graceMs`. */
  stop(sockets?: Sockets): Promise<void>;
}

const RECONCILE_INTERVAL_MS = 60_000;
const SWEEP_INTERVAL_MS = 3_600_000;
/** What answers under way get at least, however short the grace. */
const CLOSE_MS = 2_000;

/** Joins app and worker. Starts nothing by itself. */
export function createLiveApp(options: LiveAppOptions): LiveApp {
  const { engine, accounts, logger, clock } = options;
  const state: ServerState = { isDraining: false };
  const deps: ServerDeps = { ...options, state };
  const staticFiles = createStaticFiles(deps);
  const app = createApp(deps, staticFiles);
  const onUnreadable = (facts: AnsweredRequest): void => logRequest(deps, facts);
  const upkeep = new Map<string, Unschedule>();
  let working: Promise<void> = Promise.resolve();

  return {
    app,
    listener: toRequestListener(app, staticFiles, onUnreadable),
    onUnreadable,
    prepare: reconcile,

    begin() {
      // Compiles the schema now, which else the first client would wait for.
      validateListing(null, { allowLocalFiles: false });
      engine.start();
      every('reconcile', RECONCILE_INTERVAL_MS, reconcile);
      const { keepMs } = options;
      if (keepMs === undefined) return;
      working = working.then(() => sweep(keepMs));
      every('sweep', SWEEP_INTERVAL_MS, () => sweep(keepMs));
    },

    async stop(sockets) {
      const beganMs = options.monotonicMs();
      state.isDraining = true;
      logger.info({ running: engine.runningCount, grace_ms: options.graceMs }, 'draining');
      for (const unschedule of upkeep.values()) unschedule();
      sockets?.beginDrain();
      await engine.drain(options.graceMs);
      const leftMs = options.graceMs - (options.monotonicMs() - beganMs);
      await sockets?.close(Math.max(CLOSE_MS, leftMs));
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
}
