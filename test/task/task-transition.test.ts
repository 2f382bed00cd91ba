/** The table of legal transitions, held against every pure function that makes the next record. */
import { describe, expect, it } from 'vitest';
import { TASK_STATES, type TaskRecord, type TaskState } from '../../src/task/task.ts';
import {
  advance,
  beginAttempt,
  cancellation,
  fail,
  giveBack,
  isTerminal,
  LEGAL_TRANSITIONS,
  newTaskRecord,
  retryTask,
  succeed,
} from '../../src/task/task-transition.ts';
import { idAt, identity, START_MS } from './store-harness.ts';

const at = new Date(START_MS).toISOString();
const self = identity('first');
const fresh = newTaskRecord(
  { id: idAt(START_MS, 1), origin: 'api', organizationId: null, summary: null },
  at,
  self,
);

describe('LEGAL_TRANSITIONS', () => {
  const moves: readonly (readonly [TaskState, (task: TaskRecord) => TaskRecord])[] = [
    ['RUNNING', (task) => beginAttempt(task, at, self)],
    ['SUCCEEDED', (task) => succeed(task, at, 1)],
    ['FAILED', (task) => fail(task, at, cancellation())],
    ['PENDING', (task) => (task.state === 'FAILED' ? retryTask(task, at, self) : giveBack(task, at))],
  ];
  for (const from of TASK_STATES) {
    for (const [to, move] of moves) {
      const isLegal = LEGAL_TRANSITIONS[from].includes(to);
      it(`${isLegal ? 'allows' : 'forbids'} ${from} to ${to}`, () => {
        const task = { ...fresh, state: from };
        if (isLegal) expect(move(task).state).toBe(to);
        else expect(() => move(task)).toThrow(expect.objectContaining({ code: 'task_state_conflict' }));
      });
    }
  }

  it('leaves terminal states only by a retry', () => {
    expect(TASK_STATES.filter(isTerminal)).toEqual(['FAILED', 'SUCCEEDED']);
    expect(LEGAL_TRANSITIONS.SUCCEEDED).toEqual([]);
    expect(LEGAL_TRANSITIONS.FAILED).toEqual(['PENDING']);
  });
});

describe('advance', () => {
  it('takes the higher percent and the newer stage', () => {
    const before = { percent: 30, stage: 'assets', etaSeconds: 60 };
    expect(advance(before, { percent: 20, stage: 'render', etaSeconds: 40 })).toEqual({
      percent: 30,
      stage: 'render',
      etaSeconds: 40,
    });
  });
});
