/**
 * The slots of a worker: tasks prepare in parallel, but only as many do the heavy work as there are slots. Slots are
 * given in the order of the requests.
 */

export interface WorkSlot {
  /** True if no slot was free at the request. */
  readonly hasWaited: boolean;
  /** Frees the slot. A second call does nothing. */
  release(): void;
}

export class WorkSlots {
  readonly #waiting = new Set<() => void>();
  #free: number;

  /** @param count - 1 or more. */
  constructor(count: number) {
    this.#free = count;
  }

  get hasFree(): boolean {
    return this.#free > 0;
  }

  /** Waits for a slot. @throws The signal's reason if it is aborted while waiting. */
  async take(signal: AbortSignal): Promise<WorkSlot> {
    signal.throwIfAborted();
    const hasWaited = this.#free === 0;
    if (hasWaited) await this.#wait(signal);
    else this.#free -= 1;
    let isHeld = true;
    const release = () => {
      if (isHeld) this.#passOn();
      isHeld = false;
    };
    // The abort can come between the grant and this line.
    if (signal.aborted) release();
    signal.throwIfAborted();
    return { hasWaited, release };
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(grant);
        reject(signal.reason);
      };
      const grant = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      this.#waiting.add(grant);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  #passOn(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free += 1;
    else {
      this.#waiting.delete(next);
      next();
    }
  }
}
