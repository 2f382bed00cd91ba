/** Lowers the priority of this process, so that its server goes first. */
import os from 'node:os';

/** What {@link lowerPriority} needs of the system. */
export type PrioritySystem = Pick<typeof os, 'getPriority' | 'setPriority'>;

/** The lowest priority of `os.setPriority`. */
const LOWEST = 19;

/**
 * Adds to the niceness that this process inherited from its server. An absolute value would put it before a server that
 * runs under `nice`. Does nothing if the system refuses: then the work runs at the priority of the server.
 *
 * @param addedNiceness - 0 to 19, as in `nice -n`.
 */
export function lowerPriority(addedNiceness: number, system: PrioritySystem = os): void {
  try {
    system.setPriority(Math.min(LOWEST, system.getPriority() + addedNiceness));
  } catch {
    // Without permission nothing changes.
  }
}
