/** Measures how long an attempt works and how long it shows no progress, without the time that it waits for a slot. */

/** Limits of one attempt. Absent: no limit. */
export interface WorkLimits {
  readonly timeMs?: number | undefined;
  /** Time without any progress. */
  readonly silenceMs?: number | undefined;
}

/** A longer step is not time of work: the machine slept, its clock was set, or this process was stopped. */
const MAX_STEP_MS = 5_000;

/** The clocks of one attempt. Call `tick` about once a second. */
export class WorkTime {
  readonly #limits: WorkLimits;
  /** True while the attempt waits for a slot. */
  isWaiting = false;
  #tickMs: number;
  #workedMs = 0;
  #silentMs = 0;

  constructor(nowMs: number, limits: WorkLimits) {
    this.#tickMs = nowMs;
    this.#limits = limits;
  }

  onLife(): void {
    this.#silentMs = 0;
  }

  /** Counts the time since the last tick. @returns The limit that is exceeded, or null. */
  tick(nowMs: number): 'time' | 'silence' | null {
    const stepMs = Math.min(MAX_STEP_MS, Math.max(0, nowMs - this.#tickMs));
    this.#tickMs = nowMs;
    if (this.isWaiting) {
      this.#silentMs = 0;
      return null;
    }
    this.#workedMs += stepMs;
    this.#silentMs += stepMs;
    const { timeMs = Number.POSITIVE_INFINITY, silenceMs = Number.POSITIVE_INFINITY } = this.#limits;
    if (this.#workedMs >= timeMs) return 'time';
    return this.#silentMs >= silenceMs ? 'silence' : null;
  }
}

/** A limit for people: `30 min`, `90 s`. */
export function formatLimit(limitMs: number): string {
  return limitMs % 60_000 === 0 ? `${limitMs / 60_000} min` : `${Math.ceil(limitMs / 1000)} s`;
}
