/** Makes task ids. It is a separate file, so that the many commands that make no id do not load the package. */
import { uuidv7 } from 'uuidv7';

/** A new UUIDv7. Within one process each id is greater than the one before, also in the same millisecond. */
export function newTaskId(): string {
  return uuidv7();
}
