/** Slots that owners take in turns. */
import { expect, it } from 'vitest';
import { createTurns } from '../../src/video/uploads/turns.ts';

it('one owner with many works delays another by one of them', async () => {
  const turns = createTurns(1);
  const begun: string[] = [];
  const work = (owner: string, name: string) =>
    turns.run(owner, async () => {
      begun.push(name);
    });
  await Promise.all([
    ...['a1', 'a2', 'a3', 'a4'].map((name) => work('a', name)),
    ...['b1', 'b2'].map((name) => work('b', name)),
    work('c', 'c1'),
  ]);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

it('all slots are used, and a work that fails frees its own', async () => {
  const turns = createTurns(2);
  let running = 0;
  let most = 0;
  const results = await Promise.allSettled(
    Array.from({ length: 6 }, (_, index) =>
      turns.run('a', async () => {
        running += 1;
        most = Math.max(most, running);
        await Promise.resolve();
        running -= 1;
        if (index < 3) throw new Error('fails');
      }),
    ),
  );
  expect(most).toBe(2);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
});
