/** Walking the index gives what a sorted list of the same ids gives, however the entries are spread. */
import { rm } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EntryKey, TaskIndex } from '../../src/task/files/tasks/task-index.ts';
import { TASK_STATES } from '../../src/task/task.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import { idAt, START_MS } from './store-harness.ts';

const anId = fc
  .record({
    // Within a quarter of a second, a minute, hours, months: every depth of folders.
    apartMs: fc.constantFrom(1, 300, 5_000, 70_000, 1_100_000, 17_000_000, 3_000_000_000),
    steps: fc.integer({ min: 0, max: 9 }),
    number: fc.integer({ min: 0, max: 3 }),
  })
  .map(({ apartMs, steps, number }) => idAt(START_MS + apartMs * steps, number));

describe('the index', () => {
  it('is walked in order, from any place, in both directions', async () => {
    const property = fc.asyncProperty(
      fc.uniqueArray(anId, { maxLength: 40 }),
      fc.array(fc.nat({ max: 3 }), { minLength: 40, maxLength: 40 }),
      fc.option(anId),
      fc.constantFrom('newest' as const, 'oldest' as const),
      async (ids, states, cursor, order) => {
        const root = temporaryFolder();
        try {
          // Every folder that exists is full, so the entries are on all levels.
          const open = () => new TaskIndex(root, false, async function* () {}, 0);
          const writers = [open(), open()];
          const entryFor = (id: string): EntryKey => ({
            state: TASK_STATES[states[ids.indexOf(id)]!]!,
            name: `${id}.api.org`,
          });
          for (const [n, id] of ids.entries()) await writers[n % 2]!.add(entryFor(id));
          // Every fifth is removed again, by the process that did not make it.
          const kept = ids.filter((_, n) => n % 5 !== 4);
          for (const [n, id] of ids.entries())
            if (n % 5 === 4) await writers[(n + 1) % 2]!.remove(entryFor(id));
          const walked: string[] = [];
          const organizationId = ids.length % 2 === 0 ? 'org' : undefined;
          const query = { states: TASK_STATES, order, organizationId, olderThan: cursor ?? undefined };
          for await (const entry of writers[0]!.walk(query)) {
            expect(entry).toMatchObject({ ...entryFor(entry.id), origin: 'api', organization: 'org' });
            walked.push(entry.id);
          }
          const sorted = kept.toSorted();
          const expected = order === 'newest' ? sorted.reverse() : sorted;
          expect(walked).toEqual(expected.filter((id) => cursor === null || id < cursor));
        } finally {
          await rm(root, { recursive: true, force: true });
        }
      },
    );
    await fc.assert(property, { numRuns: 60 });
  });
});
