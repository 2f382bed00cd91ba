/** The public shape of a task in every state. */
import { describe, expect, it } from 'vitest';
import type { TaskRecord } from '../../src/task/task.ts';
import { beginAttempt, fail, newTaskRecord, succeed } from '../../src/task/task-transition.ts';
import { toTaskProgressView, toTaskView } from '../../src/task/task-view.ts';
import { VIDEO_TASK_CODEC } from '../../src/video/video-task-codec.ts';
import { idAt, identity, START_MS } from './store-harness.ts';

const at = new Date(START_MS).toISOString();
const id = idAt(START_MS, 1);
const waiting = newTaskRecord(
  { id, origin: 'api', organizationId: null, summary: null },
  at,
  identity('first'),
);
const running = beginAttempt(waiting, at, identity('first'));
const dropped_assets = [{ url: 'https://x/1.jpg', reason: 'corrupt: truncated' }];

/** The record as the video task's codec reads it. */
function typed(task: TaskRecord) {
  const decoded = task.outcome === null ? null : VIDEO_TASK_CODEC.outcome.decode(task.outcome);
  return { ...task, outcome: decoded !== null && 'value' in decoded ? decoded.value : null };
}

describe('toTaskView', () => {
  it('shows empty lists and no failure message while a task is not done', () => {
    for (const task of [typed(waiting), typed(running)]) {
      expect(Object.entries(toTaskView(task))).toEqual([
        ['id', id],
        ['state', task.state],
        ['results', []],
        ['dropped_assets', []],
      ]);
    }
  });

  it('shows results and dropped assets of a success', () => {
    const results = [{ agent_id: 'a', url: 'file:///v.mp4', created_at: 'x', metadata: {} }];
    const task = succeed(running, at, { results, dropped_assets, report: '/r' });
    expect(toTaskView(typed(task))).toEqual({ id, state: 'SUCCEEDED', results, dropped_assets });
  });

  it('shows the message and the dropped assets of a failure, and no results', () => {
    const failure = {
      code: 'no_usable_assets',
      message: 'no usable assets: 5 of 5 dropped',
      context: { dropped_assets },
    };
    expect(toTaskView(typed(fail(running, at, failure)))).toEqual({
      id,
      state: 'FAILED',
      failure_message: 'no usable assets: 5 of 5 dropped',
      results: [],
      dropped_assets,
    });
  });

  it.each([[null], ['text'], [[1]], [{ results: 'no list' }], [{ results: { 0: 1 } }]])(
    'bears any outcome: %j',
    (outcome) => {
      expect(toTaskView(typed(succeed(running, at, outcome)))).toEqual({
        id,
        state: 'SUCCEEDED',
        results: [],
        dropped_assets: [],
      });
    },
  );
});

describe('toTaskProgressView', () => {
  it('stands at 0 before the first report and keeps the progress of ended tasks', () => {
    const half: TaskRecord = { ...running, progress: { percent: 50, stage: 'render', etaSeconds: 8 } };
    const failure = { code: 'render_failed', message: 'x', context: {} };
    expect(toTaskProgressView(waiting)).toEqual({ percent: 0, stage: null, eta_seconds: null });
    expect(toTaskProgressView(half)).toEqual({ percent: 50, stage: 'render', eta_seconds: 8 });
    expect(toTaskProgressView(succeed(half, at, 1))).toEqual({
      percent: 100,
      stage: 'render',
      eta_seconds: 0,
    });
    expect(toTaskProgressView(fail(half, at, failure))).toEqual({
      percent: 50,
      stage: 'render',
      eta_seconds: null,
    });
  });
});
