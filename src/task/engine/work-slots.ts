/**
 * The slots of a worker: tasks prepare in parallel, but only as many do the heavy work as there are slots. Slots are given
 * in the order of the requests.
 */

/** A slot that an attempt holds. */
export interface WorkSlot {
  /** True if no slot was free at the request. */
  readonly hasWaited: boolean;
  /** Frees the slot. A second call does nothing. */
  release(): void;
}

/** A fixed number of slots. */
export class WorkSlots {
  readonly #waiting: (() => void)[] = [];
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
    // The abort can come between the grant and this line.
    if (signal.aborted) this.#release();
    signal.throwIfAborted();
    return {
      hasWaited,
      release: () => {
        if (isHeld) this.#release();
        isHeld = false;
      },
    };
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(grant), 1);
        reject(signal.reason);
      };
      const grant = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      this.#waiting.push(grant);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** Passes the slot to the first that waits. */
  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
