/**
 * The worker of a server: runs `api` tasks, several in parallel, until it is drained. Organizations take turns. While
 * the machine has a fault, it starts nothing.
 */
import { ListingVideoError } from '../../platform/errors.ts';
import type { TaskRecord } from '../task.ts';
import type { TaskClaim, TaskStore } from '../task-store.ts';
import { isTerminal } from '../task-transition.ts';
import type { OrganizationTurns } from './organization-turns.ts';
import { isStoreAway } from './store-retry.ts';
import type { TaskAttempt } from './task-attempt.ts';
import type { TaskClock, Unschedule } from './task-clock.ts';
import { toTaskFailure } from './task-failure.ts';
import type { TaskLogger } from './task-handler.ts';
import type { WorkPause } from './work-pause.ts';
import type { DispatchedWorker, WorkerState } from './work-queue.ts';

/** Interval of the checks for tasks that another process submitted. */
const POLL_MS = 500;
/** Time that an aborted handler has before its task is given back without it. */
const LEAVE_MS = 2_000;
/**
 * How long a good result of the machine's check is kept. A task that meets a fault after it goes back into the queue.
 */
const READY_AGE_MS = 5_000;
/** A task that is younger than this is not claimed to prepare it: another server of this home can have a free slot. */
const PREPARE_AGE_MS = 2_000;
/**
 * If a poll is this late, the whole machine was suspended or its clock was set, and the heartbeats of all processes are
 * late. So they are if a poll is that early: the clock was set back.
 */
const SLEPT_MS = 10_000;

export interface TaskWorkerDeps<Payload, Outcome> {
  readonly store: TaskStore<Payload, Outcome>;
  readonly clock: TaskClock;
  readonly logger: TaskLogger;
  readonly concurrency: number;
  readonly prepared: number;
  readonly turns: OrganizationTurns;
  readonly pause: WorkPause;
  /** The code of the fault for which the machine cannot run tasks now, or null. It never rejects. */
  readonly checkMachine: () => Promise<string | null>;
  /** A queue tells the worker of tasks (`dispatch`), so it does not look for them while it is idle. */
  readonly isDispatched: boolean;
  /** It also claims batches of divided tasks, if it can begin them at once. */
  readonly takesBatches: boolean;
  readonly openAttempt: (claim: TaskClaim<Payload, Outcome>) => TaskAttempt<Payload, Outcome>;
  /** Runs an attempt to its end. It rejects if the end could not be stored. */
  readonly runAttempt: (attempt: TaskAttempt<Payload, Outcome>) => Promise<void>;
  readonly onEnded: (task: TaskRecord<Outcome>) => Promise<void>;
}

/** It claims nothing before `start`. */
export class TaskWorker<Payload, Outcome> implements DispatchedWorker {
  readonly #deps: TaskWorkerDeps<Payload, Outcome>;
  readonly #running = new Map<TaskAttempt<Payload, Outcome>, Promise<void>>();
  /** The task that is tried after a pause. */
  #probe: TaskAttempt<Payload, Outcome> | null = null;
  #state: 'idle' | 'working' | 'draining' = 'idle';
  #filling: Promise<void> | null = null;
  #isNudged = false;
  #unschedule: Unschedule = () => {};
  #polledMs = 0;
  #readyMs = Number.NEGATIVE_INFINITY;
  #trustLeasesFromMs = 0;

  constructor(deps: TaskWorkerDeps<Payload, Outcome>) {
    this.#deps = deps;
  }

  get runningCount(): number {
    return this.#running.size;
  }

  get state(): WorkerState {
    if (this.#state === 'draining') return 'draining';
    return this.#deps.pause.health.state === 'paused' ? 'paused' : 'working';
  }

  start(): void {
    if (this.#state !== 'idle') return;
    this.#state = 'working';
    this.#polledMs = this.#deps.clock.nowMs();
    // The database can have just come back, for this worker and for those whose heartbeats are overdue because of that.
    if (this.#deps.isDispatched) this.distrustLeases();
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

  /**
   * Ignores overdue heartbeats for the time of a lease. Call it when the store is away: no process can renew its lease
   * then, and each needs the time to do so afterwards.
   */
  distrustLeases(): void {
    this.#trustLeasesFromMs = this.#deps.clock.nowMs() + this.#deps.store.lease.durationMs;
  }

  refused(): 'all' | readonly string[] {
    const { concurrency, pause, turns } = this.#deps;
    const isFull = this.#running.size >= concurrency;
    if (this.#state !== 'working' || isFull || pause.health.state === 'paused') return 'all';
    return [...turns.order(this.#runningFor()).full];
  }

  async look(): Promise<void> {
    this.nudge();
    await this.#filling;
  }

  async dispatch(id: string): Promise<TaskRecord<Outcome> | null> {
    await this.look();
    for (const [attempt, run] of this.#running) if (attempt.claim.id === id) await run;
    const task = await this.#deps.store.get(id).catch(nullIfRemoved);
    return task === null || isTerminal(task.state) ? null : task;
  }

  #runningFor(): (string | null)[] {
    return [...this.#running.keys()].map(({ claim }) => claim.task.organizationId);
  }

  async #fill(): Promise<void> {
    this.#unschedule();
    while (this.#isNudged) {
      this.#isNudged = false;
      try {
        await this.#claimAll();
      } catch (error) {
        this.#deps.logger.debug('the task store did not give out work', { error });
        if (isStoreAway(error)) this.distrustLeases();
        this.#deps.pause.onFault(null, toTaskFailure(error));
      }
    }
    const waitMs = this.#lookAgainMs();
    if (this.#state === 'working' && waitMs !== null) {
      this.#unschedule = this.#deps.clock.schedule(() => this.nudge(), waitMs);
    }
  }

  /**
   * Null: not before a nudge. A worker with a queue looks only for a task to prepare, for the end of a pause, and for
   * the tasks of dead processes once it trusts leases.
   */
  #lookAgainMs(): number | null {
    const { isDispatched, concurrency, pause } = this.#deps;
    if (!isDispatched) return POLL_MS;
    const isBusy = this.#running.size >= concurrency;
    if (isBusy || pause.health.state !== 'working') return PREPARE_AGE_MS;
    const distrustMs = this.#trustLeasesFromMs - this.#deps.clock.nowMs();
    return distrustMs > 0 ? distrustMs : null;
  }

  async #claimAll(): Promise<void> {
    const { store, pause, turns } = this.#deps;
    const trustLeases = this.#trustLeases();
    while (this.#state === 'working' && this.#hasPlace() && (await this.#isMachineReady())) {
      const isTry = pause.room === 'one';
      const running = this.#runningFor();
      const isAtOnce = running.length < this.#deps.concurrency;
      const result = await store.claimNext({
        origin: 'api',
        trustLeases,
        turns: turns.order(running),
        heldBack: pause.heldBack(),
        isBusy: running.length > 0,
        minAgeMs: isAtOnce ? 0 : PREPARE_AGE_MS,
        // There is little to prepare for a batch, and another server can have a free slot.
        takesBatches: isAtOnce && this.#deps.takesBatches,
      });
      pause.onStoreAnswer();
      if (result === null) {
        if (isTry) pause.onNothingToTry();
        return;
      }
      if (result.kind === 'ended') await this.#deps.onEnded(result.task);
      if (result.kind === 'claimed') this.#begin(result.claim, isTry);
    }
  }

  #hasPlace(): boolean {
    const { pause, concurrency, prepared } = this.#deps;
    const { room } = pause;
    const places = room === 'all' ? concurrency + prepared : concurrency;
    return room !== 'none' && this.#running.size < places;
  }

  /**
   * Whether the machine can run tasks. The check writes to the disk, so it is made only when a task waits, and a good
   * result is kept for a while.
   */
  async #isMachineReady(): Promise<boolean> {
    const { store, checkMachine, pause, clock } = this.#deps;
    const ageMs = clock.nowMs() - this.#readyMs;
    if (pause.health.state === 'working' && ageMs >= 0 && ageMs < READY_AGE_MS) return true;
    const others = this.#running.size + 1;
    const isWanted =
      (await store.count({ state: 'PENDING', atMost: 1 })) > 0 ||
      (await store.count({ state: 'RUNNING', atMost: others })) === others;
    if (!isWanted && pause.health.state === 'working') return true;
    const code = await checkMachine();
    pause.onChecked(code);
    if (code === null) this.#readyMs = clock.nowMs();
    return code === null;
  }

  #trustLeases(): boolean {
    const nowMs = this.#deps.clock.nowMs();
    // A worker with a queue looks only when there is work. Its store measures leases with a clock that does not sleep
    // with it.
    const hasSlept = !this.#deps.isDispatched && Math.abs(nowMs - this.#polledMs) > SLEPT_MS;
    const isSetBack = this.#trustLeasesFromMs - nowMs > this.#deps.store.lease.durationMs;
    if (hasSlept || isSetBack) this.distrustLeases();
    this.#polledMs = nowMs;
    return nowMs >= this.#trustLeasesFromMs;
  }

  #begin(claim: TaskClaim<Payload, Outcome>, isTry: boolean): void {
    const attempt = this.#deps.openAttempt(claim);
    if (isTry) this.#probe = attempt;
    this.#deps.pause.isTrying = this.#probe !== null;
    this.#deps.turns.serve(claim.task.organizationId);
    // The drain can start while the store makes the claim.
    if (this.#state === 'draining') attempt.stop('drain');
    const run = this.#run(attempt).finally(() => {
      this.#running.delete(attempt);
      this.nudge();
    });
    this.#running.set(attempt, run);
  }

  async #run(attempt: TaskAttempt<Payload, Outcome>): Promise<void> {
    const { pause, logger, runAttempt } = this.#deps;
    const { id } = attempt.claim;
    try {
      await runAttempt(attempt).finally(() => {
        if (this.#probe !== attempt) return;
        this.#probe = null;
        pause.isTrying = false;
      });
      if (attempt.end?.kind === 'succeeded') pause.onSuccess(id);
      if (attempt.end?.kind === 'machine-fault') pause.onFault(id, attempt.end.failure);
    } catch (error) {
      // Without heartbeats the lease ends, and the task is claimed again.
      logger.warn('the end of a task could not be stored', { task: id, error });
      pause.onFault(id, toTaskFailure(error));
    }
  }

  /**
   * Claims no more tasks, waits `graceMs` for the running ones, and gives the rest back. Resolves when none is running.
   * The worker cannot be started again.
   */
  async drain(graceMs: number): Promise<void> {
    this.#state = 'draining';
    this.#isNudged = false;
    this.#unschedule();
    await this.#filling;
    for (const attempt of this.#running.keys()) attempt.beginDrain();
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

/** A task that was removed, or that nobody can read, needs no work. */
function nullIfRemoved(error: unknown): null {
  if (error instanceof ListingVideoError && ['task_not_found', 'store_corrupt'].includes(error.code))
    return null;
  throw error;
}
