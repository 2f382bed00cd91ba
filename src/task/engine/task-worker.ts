/** The worker of a server: runs `api` tasks, several in parallel, until it is drained. */

import type { TaskRecord } from '../task.ts';
import type { TaskClaim, TaskStore } from '../task-store.ts';
import type { TaskAttempt } from './task-attempt.ts';
import type { TaskClock, Unschedule } from './task-clock.ts';
import type { TaskLogger } from './task-handler.ts';

/** Interval of the checks for tasks that another process submitted. */
const POLL_MS = 500;
/** Time that an aborted handler has before its task is given back without it. */
const LEAVE_MS = 2_000;
/** If a poll is this late, the whole machine was suspended, and the heartbeats of all processes are late. */
const SLEPT_MS = 10_000;

/** The dependencies of a worker. */
export interface TaskWorkerDeps<Payload, Outcome> {
  readonly store: TaskStore<Payload, Outcome>;
  readonly clock: TaskClock;
  readonly logger: TaskLogger;
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly openAttempt: (claim: TaskClaim<Payload, Outcome>) => TaskAttempt<Payload, Outcome>;
  /** Runs an attempt to its end. It never rejects. */
  readonly runAttempt: (attempt: TaskAttempt<Payload, Outcome>) => Promise<void>;
  readonly onEnded: (task: TaskRecord<Outcome>) => Promise<void>;
}

/** A worker. It claims nothing before `start`. */
export class TaskWorker<Payload, Outcome> {
  readonly #deps: TaskWorkerDeps<Payload, Outcome>;
  readonly #running = new Map<TaskAttempt<Payload, Outcome>, Promise<void>>();
  #state: 'idle' | 'working' | 'draining' = 'idle';
  #filling: Promise<void> | null = null;
  #isNudged = false;
  #unschedule: Unschedule = () => {};
  #polledMs = 0;
  #trustLeasesFromMs = 0;

  constructor(deps: TaskWorkerDeps<Payload, Outcome>) {
    this.#deps = deps;
  }

  /** Number of tasks that run now. */
  get runningCount(): number {
    return this.#running.size;
  }

  /** Starts to claim tasks. */
  start(): void {
    if (this.#state !== 'idle') return;
    this.#state = 'working';
    this.#polledMs = this.#deps.clock.nowMs();
    this.nudge();
  }

  /** Looks for work now instead of at the next poll. */
  nudge(): void {
    if (this.#state !== 'working') return;
    this.#isNudged = true;
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = null;
      // A nudge after the last check of the loop starts a new one.
      if (this.#isNudged) this.nudge();
    });
  }

  async #fill(): Promise<void> {
    this.#unschedule();
    while (this.#isNudged) {
      this.#isNudged = false;
      try {
        await this.#claimAll();
      } catch (error) {
        this.#deps.logger.warn('the task store did not give out work', { error });
      }
    }
    if (this.#state === 'working') {
      this.#unschedule = this.#deps.clock.schedule(() => this.nudge(), POLL_MS);
    }
  }

  async #claimAll(): Promise<void> {
    const trustLeases = this.#trustLeases();
    while (this.#state === 'working' && this.#running.size < this.#deps.concurrency) {
      const result = await this.#deps.store.claimNext({ origin: 'api', trustLeases });
      if (result === null) return;
      if (result.kind === 'ended') await this.#deps.onEnded(result.task);
      if (result.kind === 'claimed') this.#begin(result.claim);
    }
  }

  #trustLeases(): boolean {
    const nowMs = this.#deps.clock.nowMs();
    if (nowMs - this.#polledMs > SLEPT_MS) this.#trustLeasesFromMs = nowMs + this.#deps.leaseMs;
    this.#polledMs = nowMs;
    return nowMs >= this.#trustLeasesFromMs;
  }

  #begin(claim: TaskClaim<Payload, Outcome>): void {
    const attempt = this.#deps.openAttempt(claim);
    // The drain can start while the store makes the claim.
    if (this.#state === 'draining') attempt.stop('drain');
    const run = this.#deps.runAttempt(attempt).finally(() => {
      this.#running.delete(attempt);
      this.nudge();
    });
    this.#running.set(attempt, run);
  }

  /**
   * Claims no more tasks, waits `graceMs` for the running ones, and gives the rest back. Resolves when none is running. The
   * worker cannot be started again.
   */
  async drain(graceMs: number): Promise<void> {
    this.#state = 'draining';
    this.#isNudged = false;
    this.#unschedule();
    await this.#filling;
    await this.#ended(graceMs);
    for (const attempt of this.#running.keys()) attempt.stop('drain');
    await this.#ended(LEAVE_MS);
    for (const attempt of this.#running.keys()) attempt.leave();
    await Promise.all(this.#running.values());
  }

  /** Waits until nothing runs, or for `timeoutMs`. */
  async #ended(timeoutMs: number): Promise<void> {
    if (this.#running.size === 0) return;
    let unschedule: Unschedule = () => {};
    const timeout = new Promise<void>((resolve) => {
      unschedule = this.#deps.clock.schedule(resolve, timeoutMs);
    });
    await Promise.race([Promise.all(this.#running.values()), timeout]);
    unschedule();
  }
}
