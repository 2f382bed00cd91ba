/** Walking marker trees gives what a sorted list of the same ids gives, however the markers are spread. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { walkMarkers } from '../../src/task/file-store/marker-walk.ts';
import { StateMarkers } from '../../src/task/file-store/state-markers.ts';
import { TASK_STATES } from '../../src/task/task.ts';
import { idAt, START_MS } from './store-harness.ts';

const anId = fc
  .record({
    // Within a quarter of a second, a minute, hours, months: every depth of folders.
    apartMs: fc.constantFrom(1, 300, 5_000, 70_000, 1_100_000, 17_000_000, 3_000_000_000),
    steps: fc.integer({ min: 0, max: 9 }),
    number: fc.integer({ min: 0, max: 3 }),
  })
  .map(({ apartMs, steps, number }) => idAt(START_MS + apartMs * steps, number));

describe('walkMarkers', () => {
  it('merges all trees in order, from any place, in both directions', async () => {
    const property = fc.asyncProperty(
      fc.uniqueArray(anId, { maxLength: 40 }),
      fc.array(fc.nat({ max: 3 }), { minLength: 40, maxLength: 40 }),
      fc.option(anId),
      fc.constantFrom('newest' as const, 'oldest' as const),
      async (ids, states, cursor, order) => {
        const root = await mkdtemp(join(tmpdir(), 'listing-video-markers-'));
        try {
          // Two processes, each with its own count of what it has placed, and folders that are full with two.
          const writers = [new StateMarkers(root, false, 2), new StateMarkers(root, false, 2)];
          const stateOf = (n: number) => TASK_STATES[states[n]!]!;
          for (const [n, id] of ids.entries()) await writers[n % 2]!.add(stateOf(n), id);
          // Every fifth is removed again, by the process that did not make it.
          const kept = ids.filter((_, n) => n % 5 !== 4);
          for (const [n, id] of ids.entries())
            if (n % 5 === 4) await writers[(n + 1) % 2]!.remove(stateOf(n), id);
          const trees = TASK_STATES.map((state) => ({ state, folder: writers[0]!.folder(state) }));
          const walked: string[] = [];
          for await (const { id, tree } of walkMarkers(trees, order, cursor ?? undefined)) {
            expect(tree.state).toBe(stateOf(ids.indexOf(id)));
            walked.push(id);
          }
          const sorted = kept.toSorted();
          const expected = order === 'newest' ? sorted.reverse() : sorted;
          const isAfter = (id: string) => cursor === null || (order === 'newest' ? id < cursor : id > cursor);
          expect(walked).toEqual(expected.filter(isAfter));
        } finally {
          await rm(root, { recursive: true, force: true });
        }
      },
    );
    await fc.assert(property, { numRuns: 60 });
  });
});
