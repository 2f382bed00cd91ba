/** A clock that stands still until the test moves it. */
import type { TaskClock } from '../../src/task/engine/task-clock.ts';

export class ManualClock implements TaskClock {
  #nowMs: number;
  #timers: { atMs: number; action: () => void }[] = [];

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  nowMs = (): number => this.#nowMs;

  schedule(action: () => void, delayMs: number): () => void {
    this.#timers.push({ atMs: this.#nowMs + delayMs, action });
    return () => {
      this.#timers = this.#timers.filter((each) => each.action !== action);
    };
  }

  /** Timers that wait; none may be left when everything has ended. */
  get waiting(): number {
    return this.#timers.length;
  }

  /** Runs what is due within `durationMs`, in order, each with everything that follows from it. */
  async advance(durationMs: number): Promise<void> {
    const endMs = this.#nowMs + durationMs;
    await settled();
    for (;;) {
      const next = this.#timers.filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((each) => each !== next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.action();
      await settled();
    }
    this.#nowMs = endMs;
    await settled();
  }

  /** Moves the time without running anything, as a machine does that slept. */
  jump(durationMs: number): void {
    this.#nowMs += durationMs;
  }

  /** Sets the time back, as an administrator does. Timers keep the time that they still wait. */
  setBack(durationMs: number): void {
    this.#nowMs -= durationMs;
    this.#timers = this.#timers.map(({ atMs, action }) => ({ atMs: atMs - durationMs, action }));
  }
}

/** Resolves when every promise of the engine and of a store in memory or in files that can settle has settled. */
export async function settled(): Promise<void> {
  for (let quiet = 0; quiet < 5; quiet++) {
    await new Promise((resolve) => setImmediate(resolve));
    // A request to the file system is under way.
    if (process.getActiveResourcesInfo().some((kind) => /^FSReq|^CloseReq/.test(kind))) quiet = -1;
  }
}
