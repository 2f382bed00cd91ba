/**
 * The worker of a server: runs `api` tasks, several in parallel, until it is drained. Organizations take turns. While
 * the machine has a fault, it starts nothing.
 */
import type { TaskRecord } from '../task.ts';
import type { ClaimQuery, TaskClaim, TaskStore } from '../task-store.ts';
import { isTerminal } from '../task-transition.ts';
import type { OrganizationTurns } from './organization-turns.ts';
import { isStoreAway } from './store-retry.ts';
import type { TaskAttempt } from './task-attempt.ts';
import { type TaskClock, type Unschedule, waitFor } from './task-clock.ts';
import { toTaskFailure } from './task-failure.ts';
import type { TaskLogger } from './task-handler.ts';
import type { WorkPause } from './work-pause.ts';
import type { DispatchedWork, DispatchedWorker, WorkerState } from './work-queue.ts';

/** Interval of the checks for tasks that another process submitted. */
const POLL_MS = 500;
/** Interval in which a worker with a queue looks whether a pause is over. */
const RECOVER_MS = 2_000;
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
  /** A queue gives the worker its tasks (`dispatch`), so it does not look for them. */
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
  readonly #running = new Map<TaskAttempt<Payload, Outcome>, Promise<boolean>>();
  /** The task that is tried after a pause. */
  #probe: TaskAttempt<Payload, Outcome> | null = null;
  #state: 'idle' | 'working' | 'draining' = 'idle';
  #filling: Promise<void> | null = null;
  /** One claim after the other, so that the places are counted right. */
  #claiming: Promise<unknown> = Promise.resolve();
  #isNudged = false;
  /** A pause is over, and the queue can give out the task that is tried. */
  #mayTry = false;
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

  room(): 'slot' | 'prepare' | 'none' {
    const { concurrency, pause } = this.#deps;
    const isPaused = pause.health.state === 'paused' && !this.#mayTry;
    if (this.#state !== 'working' || isPaused || !this.#hasPlace()) return 'none';
    return this.#running.size < concurrency ? 'slot' : 'prepare';
  }

  fullOrganizations(): readonly string[] {
    return [...this.#deps.turns.order(this.#runningFor()).full];
  }

  async dispatch(work: DispatchedWork): Promise<'over' | 'later' | 'elsewhere'> {
    // The queue lost its connection and gives out again what runs here.
    for (const [{ claim }, run] of this.#running)
      if (claim.id === work.id && claim.batch === work.batch) await run;
    const begun = this.#claiming.then(() => this.#claimDispatched(work));
    this.#claiming = begun.catch(() => {});
    const begin = await begun.catch((error: unknown) => {
      this.#onStoreFault(error);
      return 'later' as const;
    });
    // Finds out when a pause is over.
    if (begin === 'later') this.nudge();
    if (typeof begin === 'string') return begin;
    return (await begin.run) ? 'over' : 'later';
  }

  async #claimDispatched(
    work: DispatchedWork,
  ): Promise<'over' | 'later' | 'elsewhere' | { readonly run: Promise<boolean> }> {
    const { pause, concurrency } = this.#deps;
    if (this.#state !== 'working' || !this.#hasPlace() || !(await this.#isMachineReady())) return 'later';
    const isTry = pause.room === 'one';
    this.#mayTry = false;
    const isAtOnce = this.#running.size < concurrency;
    if (!isAtOnce && work.batch !== undefined) return 'elsewhere';
    const result = await this.#deps.store.claimNext({ ...this.#query(this.#trustLeases()), only: work });
    pause.onStoreAnswer();
    if (result?.kind === 'claimed') return { run: this.#begin(result.claim, isTry) };
    if (isTry) pause.onNothingToTry();
    if (result?.kind === 'ended') await this.#deps.onEnded(result.task);
    if (result?.kind !== 'refused' || isTerminal(result.task.state)) return 'over';
    return isAtOnce || result.task.state !== 'PENDING' ? 'later' : 'elsewhere';
  }

  #runningFor(): (string | null)[] {
    return [...this.#running.keys()].map(({ claim }) => claim.task.organizationId);
  }

  async #fill(): Promise<void> {
    this.#unschedule();
    while (this.#isNudged) {
      this.#isNudged = false;
      try {
        await (this.#deps.isDispatched ? this.#recover() : this.#claimAll());
      } catch (error) {
        this.#onStoreFault(error);
      }
    }
    const waitMs = this.#lookAgainMs();
    if (this.#state === 'working' && waitMs !== null) {
      this.#unschedule = this.#deps.clock.schedule(() => this.nudge(), waitMs);
    }
  }

  /** Null: not before a nudge. A worker with a queue looks only for the end of a pause. */
  #lookAgainMs(): number | null {
    const { isDispatched, pause } = this.#deps;
    if (!isDispatched) return POLL_MS;
    return pause.health.state === 'working' ? null : RECOVER_MS;
  }

  #onStoreFault(error: unknown): void {
    this.#deps.logger.debug('the task store did not give out work', { error });
    if (isStoreAway(error)) this.distrustLeases();
    this.#deps.pause.onFault(null, toTaskFailure(error));
  }

  /** Ends the pause of a worker with a queue if no task waits that could be tried. */
  async #recover(): Promise<void> {
    const { pause, store } = this.#deps;
    this.#mayTry = false;
    if (pause.health.state !== 'paused' || pause.room === 'none' || !(await this.#isMachineReady())) return;
    const waiting = await store.count({ state: 'PENDING', atMost: 1 });
    pause.onStoreAnswer();
    if (waiting === 0) pause.onNothingToTry();
    else this.#mayTry = true;
  }

  async #claimAll(): Promise<void> {
    const { store, pause } = this.#deps;
    const trustLeases = this.#trustLeases();
    while (this.#state === 'working' && this.#hasPlace() && (await this.#isMachineReady())) {
      const isTry = pause.room === 'one';
      const result = await store.claimNext(this.#query(trustLeases));
      pause.onStoreAnswer();
      if (result === null) {
        if (isTry) pause.onNothingToTry();
        return;
      }
      if (result.kind === 'ended') await this.#deps.onEnded(result.task);
      if (result.kind === 'claimed') void this.#begin(result.claim, isTry);
    }
  }

  /** What this worker can begin now. */
  #query(trustLeases: boolean): ClaimQuery {
    const { concurrency, takesBatches, turns, pause } = this.#deps;
    const running = this.#runningFor();
    const isAtOnce = running.length < concurrency;
    return {
      origin: 'api',
      trustLeases,
      turns: turns.order(running),
      heldBack: pause.heldBack(),
      isBusy: running.length > 0,
      minAgeMs: isAtOnce ? 0 : PREPARE_AGE_MS,
      // There is little to prepare for a batch, and another server can have a free slot.
      takesBatches: isAtOnce && takesBatches,
    };
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
    // A worker with a queue claims only when it gets work. Its store measures leases with a clock that does not sleep
    // with it.
    const hasSlept = !this.#deps.isDispatched && Math.abs(nowMs - this.#polledMs) > SLEPT_MS;
    const isSetBack = this.#trustLeasesFromMs - nowMs > this.#deps.store.lease.durationMs;
    if (hasSlept || isSetBack) this.distrustLeases();
    this.#polledMs = nowMs;
    return nowMs >= this.#trustLeasesFromMs;
  }

  /** @returns Resolves when the attempt is over: true unless its end is not stored, or another process has the task. */
  #begin(claim: TaskClaim<Payload, Outcome>, isTry: boolean): Promise<boolean> {
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
    return run;
  }

  async #run(attempt: TaskAttempt<Payload, Outcome>): Promise<boolean> {
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
      // Its new owner can have died meanwhile.
      return !attempt.isLost;
    } catch (error) {
      // Without heartbeats the lease ends, and the task is claimed again.
      logger.warn('the end of a task could not be stored', { task: id, error });
      pause.onFault(id, toTaskFailure(error));
      return false;
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
    await this.#claiming;
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
    await waitFor(Promise.all(this.#running.values()), this.#deps.clock, timeoutMs);
  }
}
