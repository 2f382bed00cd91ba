/**
 * Runs one attempt at a task: calls the handler under a claim, renews the lease while the work goes on, reacts to a
 * cancel request, a lost claim and the limits of time, writes progress, and stores the end. On a server it waits for a
 * store that is away: the work goes on meanwhile, and its end is stored once the store is back.
 *
 * It does not retry errors. The work is deterministic and would fail again; stages retry temporary failures, such as a
 * download. A task of a server runs again only after a fault of the machine, or because its process died.
 */
import { toJson } from '../../platform/disk/json-codec.ts';
import { isMachineFault, ListingVideoError } from '../../platform/errors.ts';
import type { TaskProgress, TaskRecord } from '../task.ts';
import {
  type AttemptEnd,
  leaseLost,
  type TaskClaim,
  type TaskDivisions,
  type TaskStore,
} from '../task-store.ts';
import { advance, cancellation } from '../task-transition.ts';
import { AttemptClaim } from './attempt-claim.ts';
import { isStoreAway, retryWhileStoreAway } from './store-retry.ts';
import type { TaskClock, Unschedule } from './task-clock.ts';
import { ProcessDeath, toJsonObject, toTaskFailure } from './task-failure.ts';
import {
  BATCH_DONE,
  type TaskContext,
  type TaskHandler,
  type TaskLogger,
  type WorkDivision,
} from './task-handler.ts';
import type { WorkSlot, WorkSlots } from './work-slots.ts';
import { formatLimit, type WorkLimits, WorkTime } from './work-time.ts';

/** Interval of the checks for a cancel request or a later claim, and shortest interval of progress writes. */
const CHECK_MS = 1_000;

export interface AttemptDeps<Payload, Outcome> {
  readonly store: TaskStore<Payload, Outcome>;
  readonly handler: TaskHandler<Payload, Outcome>;
  readonly clock: TaskClock;
  readonly logger: TaskLogger;
  readonly onProgress?: ((progress: TaskProgress) => void) | undefined;
  readonly limits?: WorkLimits | undefined;
  /** Absent: a slot is always free. */
  readonly slots?: WorkSlots | undefined;
  /** Whether a fault of the machine counts against the task. Absent: a fault of the machine ends the task FAILED. */
  readonly countsFault?: ((id: string) => boolean) | undefined;
  /** Called whenever the store is away. Absent: the attempt does not wait for the store. */
  readonly onStoreAway?: (() => void) | undefined;
  /** Absent: tasks are not divided. */
  readonly divisions?: TaskDivisions | undefined;
}

/** Why an attempt is stopped: from outside, or because it exceeded a limit (`time`, `silence`). */
type StopReason = 'cancel' | 'drain' | 'lost' | 'time' | 'silence';

/** Call `run` once. */
export class TaskAttempt<Payload, Outcome> {
  readonly claim: TaskClaim<Payload, Outcome>;
  readonly #held: AttemptClaim;
  readonly #deps: AttemptDeps<Payload, Outcome>;
  readonly #controller = new AbortController();
  #stopped: StopReason | null = null;
  #progress: TaskProgress | null = null;
  #isProgressSaved = true;
  #savedMs = Number.NEGATIVE_INFINITY;
  #heartbeatMs: number;
  #unschedule: Unschedule = () => {};
  readonly #left = new AbortController();
  #onHeld: () => void = () => {};
  #end: AttemptEnd<Outcome> | null = null;
  #isDraining = false;
  #isOver = false;
  readonly #time: WorkTime;
  readonly #slots: WorkSlot[] = [];

  constructor(claim: TaskClaim<Payload, Outcome>, deps: AttemptDeps<Payload, Outcome>) {
    this.claim = claim;
    const { id, fence, batch } = claim;
    this.#held = new AttemptClaim({ id, fence, batch });
    this.#deps = deps;
    this.#heartbeatMs = deps.clock.nowMs();
    this.#time = new WorkTime(this.#heartbeatMs, deps.limits ?? {});
  }

  /** How the work ended; null before that, and if another process has the task. */
  get end(): AttemptEnd<Outcome> | null {
    return this.#end;
  }

  /** Another process has the task. */
  get isLost(): boolean {
    return this.#stopped === 'lost';
  }

  /** Aborts the handler. The first reason counts, but `lost` overrides it. */
  stop(reason: StopReason): void {
    if (this.#stopped === null || reason === 'lost') this.#stopped = reason;
    this.#controller.abort(
      reason === 'time' ? this.#overTime() : new ListingVideoError('cancelled', STOP_MESSAGES[reason]),
    );
  }

  /** Lets the attempt end, but gives it back if it waits for a slot, now or later. */
  beginDrain(): void {
    this.#isDraining = true;
    if (this.#time.isWaiting) this.stop('drain');
  }

  /** Ends the stopped attempt without waiting for a handler that ignores its signal, or for a store that is away. */
  leave(): void {
    this.#left.abort();
  }

  /** @returns The task after the attempt, or null if another process has it. Rejects if the store fails. */
  async run(): Promise<TaskRecord<Outcome> | null> {
    this.#scheduleCheck();
    try {
      const end = await this.#work();
      if (this.#stopped === 'lost' || end === null) return null;
      this.#end = end;
      return await this.#store(end);
    } catch (error) {
      if (!(error instanceof ListingVideoError) || error.code !== 'lease_lost') throw error;
      this.#stopped = 'lost';
      return null;
    } finally {
      this.#isOver = true;
      this.#unschedule();
      this.#onHeld = () => {};
      for (const slot of this.#slots) slot.release();
    }
  }

  /** Null for a batch that is done. */
  async #work(): Promise<AttemptEnd<Outcome> | null> {
    const left = new Promise<never>((_, reject) => {
      const leave = () => reject(this.#controller.signal.reason);
      this.#left.signal.addEventListener('abort', leave, { once: true });
    });
    try {
      const { task } = this.claim;
      const outcome = await Promise.race([this.#deps.handler(task, this.#context()), left]);
      if (outcome === BATCH_DONE) return null;
      if (toJson(outcome) === undefined) throw new TypeError('the handler returned what JSON cannot hold');
      if (this.#held.key.batch !== undefined) throw damagedBatch();
      return { kind: 'succeeded', outcome };
    } catch (error) {
      return this.#endOf(error);
    }
  }

  /** Stores the end. Null if another process has the task. */
  async #store(end: AttemptEnd<Outcome>): Promise<TaskRecord<Outcome> | null> {
    let tries = 0;
    const settle = () => {
      tries += 1;
      return this.#deps.store.settle(this.#held.key, end, this.#progress);
    };
    try {
      return await this.#callStore(settle, 'the end of a task', this.#left.signal);
    } catch (error) {
      if (!(error instanceof ListingVideoError && error.code === 'lease_lost')) throw error;
      // A try whose answer was lost can have stored the end. A takeover would have made the task RUNNING.
      const task = tries > 1 ? await this.#deps.store.get(this.claim.id) : null;
      if (task?.fence === this.#held.key.fence + 1 && task.state !== 'RUNNING') return task;
      throw error;
    }
  }

  /** Calls the store, on a server again and again while it is away and `until` is not aborted. */
  #callStore<T>(call: () => Promise<T>, what: string, until: AbortSignal): Promise<T> {
    const { clock, logger, onStoreAway } = this.#deps;
    if (onStoreAway === undefined) return call();
    let isLogged = false;
    const onFault = (error: unknown) => {
      onStoreAway();
      this.#time.onLife();
      logger[isLogged ? 'debug' : 'warn'](`${what} waits, because the task store is away`, {
        task: this.claim.id,
        error,
      });
      isLogged = true;
    };
    return retryWhileStoreAway(call, { clock, onFault, until });
  }

  #endOf(error: unknown): AttemptEnd<Outcome> {
    if (this.#stopped === 'drain') return { kind: 'given-back' };
    if (this.#stopped === 'silence') return { kind: 'died', detail: { detail: STOP_MESSAGES.silence } };
    const known = error instanceof ListingVideoError ? toJsonObject(error.context) : {};
    if (this.#stopped === 'cancel') return { kind: 'failed', failure: cancellation(known) };
    if (this.#stopped === 'time') {
      const failure = toTaskFailure(this.#overTime());
      return { kind: 'failed', failure: { ...failure, context: { ...known, ...failure.context } } };
    }
    if (error instanceof ProcessDeath) {
      // A service manager can signal every process of the service that it stops.
      return this.#isDraining ? { kind: 'given-back' } : { kind: 'died', detail: error.detail };
    }
    const failure = toTaskFailure(error);
    const { countsFault } = this.#deps;
    if (countsFault !== undefined && isMachineFault(failure.code)) {
      return { kind: 'machine-fault', failure, counts: countsFault(this.claim.id) };
    }
    if (failure.code === 'internal_error') {
      this.#deps.logger.warn('the handler failed unexpectedly', { task: this.claim.id, error });
    }
    return { kind: 'failed', failure };
  }

  #context(): TaskContext {
    return {
      signal: this.#controller.signal,
      attempt: this.claim.task.attempts,
      fence: this.claim.fence,
      reportProgress: (progress) => this.#report(progress),
      reportLiveness: () => this.#time.onLife(),
      takeSlot: () => this.#takeSlot(),
      division: this.#division(),
      onHeld: (listener) => {
        this.#onHeld = listener;
      },
      assertOwned: async () => {
        const { signal } = this.#controller;
        const check = () => this.#held.ask((key) => this.#deps.store.check(key));
        if ((await this.#callStore(check, 'the publication of a task', signal)) !== 'lost') return;
        this.stop('lost');
        throw leaseLost(this.claim);
      },
    };
  }

  #division(): WorkDivision | undefined {
    const { divisions, logger } = this.#deps;
    if (divisions === undefined) return undefined;
    const { id, work = null } = this.claim;
    return {
      batch: work,
      countIdle: () => (this.#isDraining ? Promise.resolve(0) : divisions.countIdle().catch(() => 0)),
      divide: (batches) =>
        this.#held
          .change((key) => divisions.divide(key, batches))
          .catch((error: unknown) => {
            // If it was divided after all, this claim is lost, and the next check finds that out.
            logger.warn('a task was not divided', { task: id, error });
            return false;
          }),
      endBatch: () => {
        const end = () => this.#held.change((key) => divisions.endBatch(key));
        return this.#callStore(end, 'the end of a batch', this.#controller.signal);
      },
    };
  }

  async #takeSlot(): Promise<WorkSlot> {
    const { slots } = this.#deps;
    const { signal } = this.#controller;
    if (slots === undefined) return { hasWaited: false, release: () => {} };
    if (this.#isDraining && !slots.hasFree) this.stop('drain');
    this.#time.isWaiting = true;
    try {
      const slot = await slots.take(signal);
      this.#slots.push(slot);
      // Its process can have died while it waited. Nobody else would release the slot then.
      if (this.#isOver) slot.release();
      return slot;
    } finally {
      this.#time.isWaiting = false;
    }
  }

  #overTime(): ListingVideoError {
    const limitMs = this.#deps.limits?.timeMs ?? 0;
    return new ListingVideoError(
      'time_limit',
      `the videos were not ready within the time limit of ${formatLimit(limitMs)}`,
      { context: { limit_seconds: limitMs / 1000 } },
    );
  }

  #report(progress: TaskProgress): void {
    this.#time.onLife();
    this.#progress = advance(this.#progress, progress);
    this.#isProgressSaved = false;
    this.#deps.onProgress?.(this.#progress);
    if (this.#deps.clock.nowMs() - this.#savedMs >= CHECK_MS) void this.#saveProgress();
  }

  async #saveProgress(): Promise<void> {
    if (this.#isProgressSaved || this.#progress === null) return;
    this.#isProgressSaved = true;
    this.#savedMs = this.#deps.clock.nowMs();
    await this.#deps.store.saveProgress(this.#held.key, this.#progress).catch((error) => {
      this.#deps.logger.debug('progress was not saved', { task: this.claim.id, error });
    });
  }

  #scheduleCheck(): void {
    this.#unschedule = this.#deps.clock.schedule(() => void this.#check(), CHECK_MS);
  }

  async #check(): Promise<void> {
    try {
      const nowMs = this.#deps.clock.nowMs();
      this.#onHeld();
      // The limits are those of the work, not of a store that cannot take its end.
      const exceeded = this.#end === null ? this.#time.tick(nowMs) : null;
      if (exceeded !== null && this.#stopped === null) {
        // The failure names the time limit. Standing still has no failure until the third time.
        const log = exceeded === 'silence' ? 'warn' : 'debug';
        this.#deps.logger[log]('a task is stopped, because it reached a limit', {
          task: this.claim.id,
          limit: exceeded,
        });
        this.stop(exceeded);
      }
      // The heartbeat proves the work. Work that stands still gets no new lease.
      // The distance, because the clock can be set back.
      const isLate = Math.abs(nowMs - this.#heartbeatMs) >= this.#deps.store.lease.heartbeatMs;
      const isDue = isLate && this.#stopped !== 'silence';
      const { store } = this.#deps;
      const status = await this.#held.ask((key) => (isDue ? store.heartbeat(key) : store.check(key)));
      if (isDue) this.#heartbeatMs = nowMs;
      if (status === 'lost') this.stop('lost');
      if (status === 'cancel-requested' && this.#stopped === null) this.stop('cancel');
      await this.#saveProgress();
    } catch (error) {
      // The lease survives several missed heartbeats. After more of them no server takes the task before this one can
      // renew it.
      if (isStoreAway(error)) this.#deps.onStoreAway?.();
      this.#deps.logger.warn('the task store did not answer', { task: this.claim.id, error });
    }
    if (!this.#isOver) this.#scheduleCheck();
  }
}

/** The handler took a batch for its whole task: a person edited what is stored of it. To repeat it would never end. */
function damagedBatch(): ListingVideoError {
  return new ListingVideoError('store_corrupt', 'a stored batch of this task is damaged', {
    hint: 'retry the task; other tasks are not affected',
  });
}

const STOP_MESSAGES: Readonly<Record<Exclude<StopReason, 'time'>, string>> = {
  cancel: 'cancelled',
  drain: 'the server is shutting down; the task will run again',
  lost: 'another process has taken the task',
  silence: 'the work made no progress for too long',
};
