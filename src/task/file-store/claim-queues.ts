/**
 * Finds the queues that `claimNext` takes its task from, in the order of their turns: one for each organization with
 * waiting tasks. Only the queues up to the one that has a task are opened; those of equal rank (organizations that were never
 * served) are compared by their oldest task.
 */
import type { ClaimTurns } from '../task-store.ts';
import { type MarkerTree, walkMarkers } from './marker-walk.ts';
import type { TaskMarkers } from './task-markers.ts';

/** The waiting tasks of one queue. */
export interface ClaimQueue {
  readonly tree: MarkerTree;
  /** Number of tasks to look at. */
  readonly maxTasks: number;
}

/** For tasks that are in no queue of an organization. A server makes no such task, so few are looked at. */
const MAX_UNOWNED = 50;

/** Yields the queues in the order of their turns. The last one has the tasks of all, for those without an organization. */
export async function* claimQueues(
  markers: TaskMarkers,
  turns: ClaimTurns | undefined,
): AsyncGenerator<ClaimQueue, void> {
  const all = markers.tree('PENDING', null);
  if ((await oldestOf(all)) === null) return;
  const rank = new Map([...(turns?.rank ?? [])].map(([id, place]) => [markers.keyOf(id), place]));
  const full = new Set([...(turns?.full ?? [])].map((id) => markers.keyOf(id)));
  const byRank = new Map<number, string[]>();
  for (const key of await markers.organizationKeys()) {
    if (full.has(key)) continue;
    const place = rank.get(key) ?? Number.NEGATIVE_INFINITY;
    const keys = byRank.get(place);
    if (keys === undefined) byRank.set(place, [key]);
    else keys.push(key);
  }
  for (const [, keys] of [...byRank].sort(([a], [b]) => compare(a, b))) {
    const queues = await Promise.all(
      keys.map(async (key) => {
        const tree = markers.tree('PENDING', key);
        return { tree, oldest: await oldestOf(tree) };
      }),
    );
    const waiting = queues.flatMap(({ tree, oldest }) => (oldest === null ? [] : [{ tree, oldest }]));
    waiting.sort((a, b) => compare(a.oldest, b.oldest));
    for (const { tree } of waiting) yield { tree, maxTasks: Number.POSITIVE_INFINITY };
  }
  yield { tree: all, maxTasks: MAX_UNOWNED };
}

async function oldestOf(tree: MarkerTree): Promise<string | null> {
  for await (const { id } of walkMarkers([tree], 'oldest')) return id;
  return null;
}

function compare<T extends number | string>(a: T, b: T): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
