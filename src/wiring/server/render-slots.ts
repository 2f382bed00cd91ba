/** The slots of the task engine in the form in which rendering takes them. */
import type { TaskContext } from '../../task/engine/task-handler.ts';
import type { WorkSlot } from '../../task/engine/work-slots.ts';
import type { Semaphore } from '../../video/make/semaphore.ts';

/** Takes a slot of the worker for each piece of work. */
export function renderSlotsOf({ takeSlot }: Pick<TaskContext, 'takeSlot'>): Semaphore {
  return {
    async run(work, signal) {
      const slot = await takeUnlessAborted(takeSlot, signal);
      try {
        return await work(slot.hasWaited);
      } finally {
        slot.release();
      }
    },
  };
}

/** The wait of `takeSlot` ends with the task's own signal only; `signal` can have further reasons. */
async function takeUnlessAborted(takeSlot: TaskContext['takeSlot'], signal: AbortSignal): Promise<WorkSlot> {
  signal.throwIfAborted();
  const taken = takeSlot();
  let leave = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason);
  });
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([taken, aborted]);
  } catch (error) {
    // A slot that comes after the abort goes to the next task.
    taken.then(
      ({ release }) => release(),
      () => {},
    );
    throw error;
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
