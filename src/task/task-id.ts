/** Task ids: UUIDv7 in lower case. Only text that passes `isTaskId` becomes part of a path. */
import { ListingVideoError } from '../platform/errors.ts';

const TASK_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** True for a lower-case UUIDv7. */
export function isTaskId(text: string): boolean {
  return text.length === 36 && TASK_ID.test(text);
}

/** Creation time in the id, in milliseconds since 1970. */
export function taskIdTimeMs(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** The first six hex digits. Ids of the same 4.66 hours share this folder. */
export function shardOf(id: string): string {
  return id.slice(0, 6);
}

/** The error for an unknown task id. */
export function taskNotFound(id: string): ListingVideoError {
  return new ListingVideoError('task_not_found', `no such task: ${id.slice(0, 80)}`, {
    hint: '`listing-video tasks list` shows the ids',
    context: { id: id.slice(0, 80) },
  });
}
