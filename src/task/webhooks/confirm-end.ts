/**
 * Decides whether the end of a task, for which a delivery was stored, became visible. The delivery is stored first, so
 * a crash between the two leaves the delivery of an end that nobody saw. Pure.
 */
import type { TaskRecord } from '../task.ts';

/**
 * `visible`: send it. `undecided`: the process that ends the task goes on, or has died and the task will be taken over.
 * `void`: the task went on without this end.
 *
 * @param end - The record that was about to become visible.
 * @param now - The record of today; null if the task was removed, which only happens after its end.
 */
export function confirmEnd(end: TaskRecord, now: TaskRecord | null): 'visible' | 'undecided' | 'void' {
  // A task leaves its end only by a retry, so it has ended as often as it was retried.
  if (now === null || now.retries > end.retries) return 'visible';
  if (now.retries < end.retries || now.fence < end.fence) return 'undecided';
  // Another process can get the same fence after a write that failed.
  const isSame = now.fence === end.fence && now.state === end.state && now.updatedAt === end.updatedAt;
  return isSame ? 'visible' : 'void';
}
