import { expect, it, vi } from 'vitest';
import { lowerPriority } from '../../src/task/process/serve-task.ts';

function lowered(own: number, added: number): number | undefined {
  const setPriority = vi.fn<(priority: number) => void>();
  lowerPriority(added, { getPriority: () => own, setPriority: setPriority as never });
  return setPriority.mock.lastCall?.[0];
}

it.each([
  { own: 0, added: 5, result: 5 },
  { own: 10, added: 5, result: 15 },
  { own: 17, added: 5, result: 19 },
  { own: 19, added: 5, result: 19 },
  { own: -5, added: 5, result: 0 },
  { own: 3, added: 0, result: 3 },
])('goes from $own to $result with $added more', ({ own, added, result }) => {
  expect(lowered(own, added)).toBe(result);
});

it('stays as it is where the system refuses', () => {
  const refuse = () => {
    throw new Error('EACCES');
  };
  expect(() => lowerPriority(5, { getPriority: () => 0, setPriority: refuse })).not.toThrow();
});
