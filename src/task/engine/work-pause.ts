/**
 * Pauses the worker after a fault of the machine, so that a full disk or a missing ffmpeg does not take one task after
 * the other. After the pause one task is tried, then all. It decides only; `task-worker.ts` asks it.
 */
import type { TaskFailure } from '../task.ts';
import type { TaskClock } from './task-clock.ts';
import type { TaskLogger } from './task-handler.ts';

export type EngineHealth =
  | { readonly state: 'working' }
  /** The pause is over, and the first task runs. */
  | { readonly state: 'trying' }
  | {
      readonly state: 'paused';
      /** How long no task could run. */
      readonly forMs: number;
      /** The code of the latest fault. */
      readonly code: string;
      readonly retryInMs: number;
    };

/** The first pause. Each fault in a row doubles it. */
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** The longest pause after faults of the store alone: another question takes no task and costs little. */
const MAX_STORE_PAUSE_MS = 2_000;
/** Part of a pause that chance removes, so that several servers do not try at the same moment. */
const JITTER = 0.25;
/**
 * After this number of faults in a row, without any success, a task is set aside for a while. If it alone is the cause
 * (its videos need more than the free space), it must not keep the service closed.
 */
const MAX_FAULTS_IN_ROW = 8;
const SET_ASIDE_MS = 10 * 60_000;
/** Bounds the memory for tasks that met a fault. */
const MAX_REMEMBERED = 10_000;

export interface WorkPauseDeps {
  readonly clock: Pick<TaskClock, 'nowMs'>;
  readonly logger: TaskLogger;
  /** 0 to 1. */
  readonly random: () => number;
}

interface Faults {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly inRow: number;
  readonly code: string;
  /** The store did not answer, and no task met a fault. */
  readonly isOfStore: boolean;
}

export class WorkPause {
  readonly #deps: WorkPauseDeps;
  /** True while the task runs that is tried after a pause. */
  isTrying = false;
  #faults: Faults | null = null;
  #unready: { sinceMs: number; code: string } | null = null;
  #successes = 0;
  /** The faults of a task in a row, and the number of successes at the last one. */
  readonly #met = new Map<string, { inRow: number; successes: number }>();
  /** Tasks that are set aside, and until when. */
  readonly #setAside = new Map<string, number>();

  constructor(deps: WorkPauseDeps) {
    this.#deps = deps;
  }

  get health(): EngineHealth {
    const nowMs = this.#deps.clock.nowMs();
    const cause = this.#unready ?? this.#faults;
    if (cause === null) return { state: 'working' };
    if (this.isTrying) return { state: 'trying' };
    const sinceMs = Math.min(cause.sinceMs, this.#faults?.sinceMs ?? cause.sinceMs);
    const retryInMs = leftOf(this.#faults?.untilMs ?? nowMs, nowMs, MAX_PAUSE_MS);
    return { state: 'paused', forMs: Math.max(0, nowMs - sinceMs), code: cause.code, retryInMs };
  }

  /** How many tasks can be claimed. `one`: the pause is over, and one task is tried. */
  get room(): 'all' | 'one' | 'none' {
    if (this.#faults === null) return 'all';
    if (this.isTrying) return 'none';
    if (leftOf(this.#faults.untilMs, this.#deps.clock.nowMs(), MAX_PAUSE_MS) > 0) return 'none';
    return this.#faults.isOfStore ? 'all' : 'one';
  }

  heldBack(): ReadonlySet<string> {
    const nowMs = this.#deps.clock.nowMs();
    for (const [id, untilMs] of this.#setAside) {
      if (leftOf(untilMs, nowMs, SET_ASIDE_MS) === 0) this.#setAside.delete(id);
    }
    return new Set(this.#setAside.keys());
  }

  /** True if other tasks have succeeded since this task last met a fault of the machine. */
  isTasksOwn(id: string): boolean {
    const met = this.#met.get(id);
    return met !== undefined && met.successes < this.#successes;
  }

  /** Begins or prolongs the pause. `id` is null if the store gave out no task. */
  onFault(id: string | null, { code, message }: Pick<TaskFailure, 'code' | 'message'>): void {
    const nowMs = this.#deps.clock.nowMs();
    if (id !== null) this.#remember(id, nowMs);
    // Tasks that ran in parallel meet the same fault: together they are one.
    if (this.#faults !== null && leftOf(this.#faults.untilMs, nowMs, MAX_PAUSE_MS) > 0) return;
    const inRow = (this.#faults?.inRow ?? 0) + 1;
    const maxMs = id === null ? MAX_STORE_PAUSE_MS : MAX_PAUSE_MS;
    const pauseMs = Math.min(maxMs, FIRST_PAUSE_MS * 2 ** (inRow - 1));
    const waitMs = Math.round(pauseMs * (1 - JITTER * this.#deps.random()));
    const sinceMs = this.#faults?.sinceMs ?? nowMs;
    const isOfStore = id === null && (this.#faults?.isOfStore ?? true);
    this.#faults = { sinceMs, untilMs: nowMs + waitMs, inRow, code, isOfStore };
    this.#deps.logger.warn('no task is started for a while, because of a fault of this machine', {
      ...(id === null ? {} : { task: id }),
      code,
      fault: message,
      retry_in_ms: waitMs,
    });
  }

  /** The machine is not ready, or ready again (`code` null), as its checks say. */
  onChecked(code: string | null): void {
    if (code === null) {
      if (this.#unready !== null) this.#deps.logger.warn('the machine is ready for tasks again');
      this.#unready = null;
    } else if (this.#unready === null) {
      const hint = '`listing-video doctor` shows what is missing';
      this.#deps.logger.warn('no task is started until this machine is ready', { code, hint });
      this.#unready = { sinceMs: this.#deps.clock.nowMs(), code };
    } else {
      this.#unready = { ...this.#unready, code };
    }
  }

  /** The store answered: ends a pause that was for the store alone. */
  onStoreAnswer(): void {
    if (this.#faults?.isOfStore) this.#end();
  }

  onSuccess(id: string): void {
    this.#successes += 1;
    this.#met.delete(id);
    this.#end();
  }

  /** The pause is over, the machine is ready, and no task is there to try: ends the pause. */
  onNothingToTry(): void {
    this.#end();
  }

  #end(): void {
    if (this.#faults !== null) this.#deps.logger.warn('tasks run again');
    this.#faults = null;
  }

  #remember(id: string, nowMs: number): void {
    const before = this.#met.get(id);
    const inRow = before?.successes === this.#successes ? before.inRow + 1 : 1;
    if (this.#met.size >= MAX_REMEMBERED) this.#met.clear();
    if (inRow < MAX_FAULTS_IN_ROW) {
      this.#met.set(id, { inRow, successes: this.#successes });
      return;
    }
    this.#met.set(id, { inRow: 0, successes: this.#successes });
    this.#setAside.set(id, nowMs + SET_ASIDE_MS);
    this.#deps.logger.warn('a task waits ten minutes, because it met only faults of this machine', {
      task: id,
    });
  }
}

/** Time left until `untilMs`. 0 if it is more than `maxMs`: the clock was set back. */
function leftOf(untilMs: number, nowMs: number, maxMs: number): number {
  const leftMs = untilMs - nowMs;
  return leftMs > maxMs ? 0 : Math.max(0, leftMs);
}
