/**
 * The app and its background work: settles reservations after a crash, runs tasks, delivers events, removes old tasks,
 * drains. It has no sockets: `service.ts` adds them, and a program with its own server uses the app or the listener.
 */

import { validateListing } from '../../listing/rules/validate-listing.ts';
import { nullOn } from '../../platform/errors.ts';
import type { AccountStore } from '../../task/accounts/account-store.ts';
import type { TaskClock } from '../../task/engine/task-clock.ts';
import type { TaskChanges } from '../../task/task-changes.ts';
import type { TaskStore } from '../../task/task-store.ts';
import type { DeliveryWorker } from '../../task/webhooks/delivery-worker.ts';
import type { FileStorage } from '../../video/publish/file-storage.ts';
import type { Uploads } from '../../video/uploads/open-uploads.ts';
import type { VideoTaskEngine } from '../video-task.ts';
import { createStaticFiles } from './answers/static-files.ts';
import { type App, createHttpApp } from './app.ts';
import { TaskStreams } from './events/task-streams.ts';
import type { ServerDeps, ServerState } from './server-deps.ts';
import { CLOSE_MS, type HttpServer } from './sockets/http-server.ts';
import { type RequestListener, toRequestListener } from './sockets/request-listener.ts';
import { sweepOld, sweepUploads } from './upkeep/retention.ts';
import { SWEEP_INTERVAL_MS, Upkeep } from './upkeep/upkeep.ts';
import { type AnsweredRequest, logRequest } from './watch/log-request.ts';

export interface LiveAppOptions
  extends Omit<ServerDeps, 'state' | 'streams' | 'engine' | 'store' | 'accounts' | 'files' | 'uploads'> {
  readonly engine: VideoTaskEngine;
  readonly store: TaskStore;
  /** Absent: event streams look for changes of their tasks. */
  readonly changes?: TaskChanges | undefined;
  readonly accounts: AccountStore;
  readonly files: FileStorage;
  readonly rendersTasks: boolean;
  readonly deliveries: Pick<DeliveryWorker, 'start' | 'stop'>;
  readonly uploads: Uploads | null;
  readonly clock: TaskClock;
  readonly graceMs: number;
  /** Undefined: for ever. */
  readonly keepMs: number | undefined;
  /** Absolute path of the file that keeps the time of the last sweep. */
  readonly sweepFile: string;
  /** The same for uploads. */
  readonly uploadSweepFile: string;
  /** Removes what dead processes left half written. */
  removeAbandoned(): Promise<void>;
}

export type Sockets = Pick<HttpServer, 'beginDrain' | 'close'>;

export interface LiveApp {
  /** Every route. `/files` works only under Node's own server, whose request and response it needs. */
  readonly app: App;
  readonly listener: RequestListener;
  /** Logs a request that could not be read; the listener never sees it. */
  readonly onUnreadable: (facts: AnsweredRequest) => void;
  /** Settles what a crash left open, before the first request, so that nothing is settled twice. Logs lost API keys. */
  prepare(): Promise<void>;
  /** Starts to run tasks, first those of an earlier process, to deliver events and to remove what is old. */
  begin(): void;
  /** Refuses requests, waits for running tasks, closes the sockets and stores. Takes about `graceMs` at most. */
  stop(sockets?: Sockets): Promise<void>;
}

const RECONCILE_INTERVAL_MS = 60_000;

/** Joins app and worker. Starts nothing. */
export function createLiveApp(options: LiveAppOptions): LiveApp {
  const { engine, accounts, logger, clock } = options;
  const state: ServerState = { isDraining: false };
  const streams = new TaskStreams({
    readTask: (id) => engine.get(id).catch(nullOn('task_not_found')),
    changes: options.changes,
    clock,
  });
  const deps: ServerDeps = { ...options, state, streams };
  const staticFiles = createStaticFiles(deps);
  const app = createHttpApp(deps, staticFiles);
  const onUnreadable = (facts: AnsweredRequest): void => logRequest(deps, facts);
  const upkeep = new Upkeep(clock);

  return {
    app,
    listener: toRequestListener(app, staticFiles, deps.config.proxies, onUnreadable),
    onUnreadable,
    async prepare() {
      await reportLostKeys();
      await reconcile();
    },

    begin() {
      // Compiles the schema now, so that the first client does not wait for it.
      validateListing(null, { allowLocalFiles: false });
      if (options.rendersTasks) engine.start();
      options.deliveries.start(() => options.config.publicUrl());
      upkeep.every(RECONCILE_INTERVAL_MS, reconcile);
      for (const work of [sweep, sweepOldUploads]) {
        upkeep.run(work);
        upkeep.every(SWEEP_INTERVAL_MS, work);
      }
    },

    async stop(sockets) {
      const beganMs = options.monotonicMs();
      state.isDraining = true;
      logger.info({ running: engine.runningCount, grace_ms: options.graceMs }, 'draining');
      upkeep.stop();
      streams.endAll();
      options.changes?.stop();
      sockets?.beginDrain();
      await engine.drain(options.graceMs);
      const leftMs = options.graceMs - (options.monotonicMs() - beganMs);
      const closeMs = Math.max(CLOSE_MS, leftMs);
      await Promise.all([sockets?.close(closeMs), options.deliveries.stop(closeMs)]);
      await upkeep.ended();
      await accounts.close();
      logger.info({}, 'stopped');
    },
  };

  async function reportLostKeys(): Promise<void> {
    if (!(await accounts.areKeysLost())) return;
    logger.error(
      {},
      'every request to /v1 gets 401: this data folder has had API keys, and they are lost; restore its folder accounts ' +
        'from a backup, or make a new key with `listing-video keys create`',
    );
  }

  async function reconcile(): Promise<void> {
    try {
      const { settled = 0, released = 0 } = (await accounts.reconcile?.()) ?? {};
      if (settled + released > 0)
        logger.info({ settled, released }, 'settled reservations that a crash had left open');
    } catch (error) {
      logger.warn({ error }, 'cannot settle open reservations; the next attempt is in a minute');
    }
  }

  async function sweepOldUploads(): Promise<void> {
    const { uploads, store, uploadSweepFile: sweepFile } = options;
    if (uploads === null) return;
    try {
      const swept = await sweepUploads({ uploads, store, sweepFile }, clock.nowMs());
      if (typeof swept !== 'number') logger.warn({}, `no old uploads are deleted: ${swept.refusal}`);
      else if (swept > 0) logger.info({ uploads: swept }, 'removed uploads that are older than a day');
    } catch (error) {
      logger.warn({ error }, 'cannot remove old uploads; the next attempt is in an hour');
    }
  }

  async function sweep(): Promise<void> {
    const { keepMs } = options;
    try {
      await options.removeAbandoned();
      if (keepMs === undefined) return;
      const isStopped = () => state.isDraining;
      const swept = await sweepOld(options, { keepMs, nowMs: clock.nowMs(), isStopped });
      if ('refusal' in swept) return logger.warn({}, `--keep deletes nothing: ${swept.refusal}`);
      const { warnings, ...removed } = swept;
      for (const { id, message } of warnings)
        logger.warn({ task: id }, `--keep cannot delete a task: ${message}`);
      if (removed.tasks + removed.ledgers > 0)
        logger.info(removed, 'removed tasks and files older than --keep');
    } catch (error) {
      logger.warn({ error }, 'cannot remove old tasks; the next attempt is in an hour');
    }
  }
}
