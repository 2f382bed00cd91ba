/** When event streams read their tasks: often by themselves, or when they hear of a change. */
import { beforeEach, expect, it } from 'vitest';
import { TaskStreams } from '../../../src/api/server/events/task-streams.ts';
import type { VideoTask } from '../../../src/api/video-task.ts';
import type { ChangeListener } from '../../../src/task/task-changes.ts';
import { newTaskRecord } from '../../../src/task/task-transition.ts';
import { ManualClock, settled } from '../../task/manual-clock.ts';
import { idAt, identity, START_MS } from '../../task/store-harness.ts';

let clock: ManualClock;
let listener: ChangeListener | null;
let isListening: boolean;
/** Ids of tasks, one for each read. */
let reads: string[];
let isAway: boolean;
let streams: TaskStreams;

beforeEach(() => {
  clock = new ManualClock(START_MS);
  [listener, isListening, reads, isAway] = [null, false, [], false];
  streams = new TaskStreams({
    clock,
    maxStreamsPerClient: 1_000,
    readTask: async (id) => {
      reads.push(id);
      if (isAway) throw new Error('away');
      return aTask(id);
    },
    changes: {
      get isListening() {
        return isListening;
      },
      start: (given) => {
        listener = given;
      },
      stop: () => {},
    },
  });
});

function aTask(id: string): VideoTask {
  const task = { id, origin: 'api', organizationId: 'org-1', summary: null } as const;
  return { ...newTaskRecord(task, new Date(START_MS).toISOString(), identity('first')), outcome: null };
}

/** Opens a stream whose client reads all of it. */
function open(id: string): void {
  const stream = streams.open({
    task: aTask(id),
    format: () => new Uint8Array(1),
    lastEventId: null,
    client: 'client',
    isAdmitted: async () => true,
    closeConnection: () => {},
  });
  if (typeof stream === 'string') throw new Error(stream);
  void stream.body.pipeTo(new WritableStream());
}

async function listen(value: boolean) {
  isListening = value;
  listener?.onBreak();
  await settled();
}

/** The reads of the next `seconds`. */
async function readsIn(seconds: number) {
  reads = [];
  await clock.advance(seconds * 1_000);
  return reads.length;
}

const ID = idAt(START_MS, 1);

it('listens from the first stream on', () => {
  expect(listener).toBeNull();
  open(ID);
  expect(listener).not.toBeNull();
});

it('reads a task when it hears of a change, at most once a second, and almost never by itself', async () => {
  open(ID);
  open(ID);
  await listen(true);
  expect(await readsIn(1)).toBe(1);
  expect(await readsIn(29)).toBe(0);
  expect(await readsIn(5)).toBe(1);
  listener?.onChange(ID);
  expect(await readsIn(0)).toBe(1);
  for (let n = 0; n < 100; n++) listener?.onChange(ID);
  expect(await readsIn(0.9)).toBe(0);
  expect(await readsIn(0.1)).toBe(1);
  expect(await readsIn(5)).toBe(0);
});

it('ignores changes of tasks that nobody follows', async () => {
  open(ID);
  await listen(true);
  await clock.advance(2_000);
  for (let n = 2; n < 50; n++) listener?.onChange(idAt(START_MS, n));
  listener?.onChange('');
  expect(await readsIn(5)).toBe(0);
});

it('reads every second while it cannot hear, and once when it can again', async () => {
  open(ID);
  await listen(true);
  await clock.advance(5_000);
  await listen(false);
  expect(await readsIn(10)).toBe(11);
  await listen(true);
  expect(await readsIn(10)).toBe(1);
});

it('reads again soon after a read that failed', async () => {
  open(ID);
  await listen(true);
  await clock.advance(5_000);
  isAway = true;
  listener?.onChange(ID);
  expect(await readsIn(5)).toBe(6);
  isAway = false;
  await clock.advance(2_000);
  expect(await readsIn(10)).toBe(0);
});

it('reads at most a hundred tasks in a second, however many change at once', async () => {
  for (let n = 0; n < 400; n++) open(idAt(START_MS, n));
  await listen(true);
  await clock.advance(10_000);
  reads = [];
  for (let second = 0; second < 40; second++) {
    for (let n = 0; n < 400; n++) listener?.onChange(idAt(START_MS, n));
    await clock.advance(1_000);
  }
  expect(reads.length).toBeGreaterThan(400);
  expect(reads.length).toBeLessThanOrEqual(40 * 100 + 400);
});

it('reads as often as before after the clock was set back', async () => {
  open(ID);
  await listen(true);
  await clock.advance(5_000);
  clock.setBack(3_600_000);
  listener?.onChange(ID);
  expect(await readsIn(1)).toBe(1);
});
