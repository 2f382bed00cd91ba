/** Slots for heavy work that owners take in turns, so that the many works of one do not hold up the few of another. */

export interface Turns {
  /** Waits for the owner's turn and a free slot, does `work`, and frees the slot, also when `work` fails. */
  run<T>(owner: string, work: () => Promise<T>): Promise<T>;
}

/** @param slots - 1 or more. */
export function createTurns(slots: number): Turns {
  let free = slots;
  /** In the order of the turns. */
  const waiting = new Map<string, (() => void)[]>();
  const beginNext = (): void => {
    for (const [owner, queue] of waiting) {
      if (free === 0) return;
      const begin = queue.shift()!;
      waiting.delete(owner);
      // The loop comes to it again after the others.
      if (queue.length > 0) waiting.set(owner, queue);
      free -= 1;
      begin();
    }
  };
  return {
    run: async (owner, work) => {
      await new Promise<void>((begin) => {
        waiting.set(owner, [...(waiting.get(owner) ?? []), begin]);
        beginNext();
      });
      try {
        return await work();
      } finally {
        free += 1;
        beginNext();
      }
    },
  };
}
