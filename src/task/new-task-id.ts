/** Makes task ids. */
import { uuidv7 } from 'uuidv7';

/** A new UUIDv7; within one process each is greater than the one before, also in the same millisecond. */
export function newTaskId(): string {
  return uuidv7();
}
