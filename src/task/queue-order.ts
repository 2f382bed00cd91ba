/**
 * Decides which waiting task of a queue is next. Pure. A task that was put back waits behind those created before that
 * moment, so it neither blocks them nor waits for ever.
 */
import type { TaskRecord } from './task.ts';
import { taskIdTimeMs } from './task-id.ts';
import type { ClaimQuery } from './task-store.ts';
import { takeoversOf } from './task-transition.ts';

/** Number of servers lost from which a task runs alone, because it can be the cause. */
const SUSPECT_TAKEOVERS = 3;
/** After this time in the queue such a task runs beside others: a server that is always busy must get to it, too. */
const SUSPECT_WAIT_MS = 10 * 60_000;

/** The time of a waiting task's place in the queue, in milliseconds since 1970. */
function queueTimeMs(task: TaskRecord): number {
  const queuedAt = task.setbacks?.queuedAt ?? null;
  return queuedAt === null ? taskIdTimeMs(task.id) : Date.parse(queuedAt);
}

/** True if the query can claim the task, as far as its record says. */
export function isClaimable(task: TaskRecord, query: ClaimQuery, nowMs: number): boolean {
  const { turns, heldBack, isBusy = false, minAgeMs = 0 } = query;
  if (task.origin !== query.origin || heldBack?.has(task.id)) return false;
  if (task.organizationId !== null && turns?.full.has(task.organizationId)) return false;
  // Without a minimum the clock does not matter: it can have been set back.
  const isYoung = minAgeMs > 0 && nowMs - queueTimeMs(task) < minAgeMs;
  if (task.state === 'PENDING' && isYoung) return false;
  return !isBusy || !isSuspect(task, nowMs);
}

/** True for a waiting task that lost several servers, and could end the next one while it runs other tasks. */
function isSuspect(task: TaskRecord, nowMs: number): boolean {
  if (task.state !== 'PENDING' || takeoversOf(task) < SUSPECT_TAKEOVERS) return false;
  // A place in the future comes from a clock that was set back.
  return Math.abs(nowMs - queueTimeMs(task)) < SUSPECT_WAIT_MS;
}

/**
 * Sorts tasks that come in the order of creation into the order of the queue, and reads no further than the consumer
 * does.
 */
export async function* inQueueOrder<Task extends TaskRecord>(
  oldestFirst: AsyncIterable<Task> | Iterable<Task>,
): AsyncGenerator<Task, void> {
  const putBack: Task[] = [];
  for await (const task of oldestFirst) {
    if ((task.setbacks?.queuedAt ?? null) !== null) {
      putBack.push(task);
      continue;
    }
    yield* takeBefore(putBack, taskIdTimeMs(task.id));
    yield task;
  }
  yield* takeBefore(putBack, Number.POSITIVE_INFINITY);
}

/** Removes the tasks whose place is before `endMs`, and yields them in order. */
function* takeBefore<Task extends TaskRecord>(putBack: Task[], endMs: number): Generator<Task, void> {
  putBack.sort((a, b) => queueTimeMs(b) - queueTimeMs(a));
  for (let last = putBack.at(-1); last !== undefined && queueTimeMs(last) < endMs; last = putBack.at(-1)) {
    putBack.pop();
    yield last;
  }
}
