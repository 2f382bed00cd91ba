/** Whether the end that a delivery was stored for became visible. */
import { describe, expect, it } from 'vitest';
import type { TaskRecord } from '../../../../src/task/task.ts';
import { confirmEnd } from '../../../../src/task/webhooks/confirm-end.ts';

const END = { retries: 1, fence: 5, state: 'FAILED', updatedAt: '2026-11-20T14:03:07.123Z' } as TaskRecord;

describe('an end', () => {
  it.each<[string, Partial<TaskRecord> | null, string]>([
    ['is visible while the task has it', {}, 'visible'],
    ['was visible if the task is removed', null, 'visible'],
    ['was visible if the task was retried', { retries: 2, fence: 6, state: 'PENDING' }, 'visible'],
    ['is undecided before its record is there', { fence: 4, state: 'RUNNING' }, 'undecided'],
    ['is undecided while the retry before it shows', { retries: 0, fence: 3 }, 'undecided'],
    ['is void if another process has taken the task over', { fence: 6, state: 'RUNNING' }, 'void'],
    ['is void if the task ended otherwise', { fence: 6, state: 'SUCCEEDED' }, 'void'],
    ['is void if its fence was used again', { state: 'RUNNING' }, 'void'],
    ['is void if its fence was used for another end', { updatedAt: '2026-11-20T14:03:08.000Z' }, 'void'],
  ])('%s', (_, change, expected) => {
    expect(confirmEnd(END, change === null ? null : { ...END, ...change })).toBe(expected);
  });
});
