/** `tasks watch` without an id: all that is unfinished, until nothing is. */
import { describe, expect, it } from 'vitest';
import type { TaskStore } from '../../src/task/task-store.ts';
import { createMemoryTaskStore } from '../task/memory-task-store.ts';
import { aPayload } from '../video/a-payload.ts';
import { folderOf, listing } from './listing-files.ts';
import { engineOver, run, succeeding, type VideoHandler } from './run-cli.ts';

async function addTask(store: TaskStore, id: string): Promise<string> {
  const payload = aPayload(listing(id), `/out/${id}`);
  const task = await engineOver(store, succeeding).submit({ origin: 'cli', organizationId: null, payload });
  return task.id;
}

/** Two tasks wait; while they are watched, one is made and the other fails. */
async function worldOfTwo() {
  const store = createMemoryTaskStore();
  const good = await addTask(store, 'GOOD');
  const bad = await addTask(store, 'BAD');
  const failing: VideoHandler = async () => {
    throw new Error('broken');
  };
  const steps = [
    () => engineOver(store, succeeding).runTask(good),
    () => engineOver(store, failing).runTask(bad),
  ];
  const delay = async (): Promise<void> => {
    await steps.shift()?.();
  };
  return { store, good, bad, delay, cwd: await folderOf() };
}

describe('tasks watch', () => {
  it('tells each end and exits 1 when one has failed', async () => {
    const world = await worldOfTwo();
    const { exitCode, stdout, stderr } = await run(['tasks', 'watch'], world);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('/out/GOOD/ann.mp4');
    expect(stderr).toContain('done: GOOD: 1 video');
    expect(stderr).toContain('error: BAD:');
    expect(stderr.trimEnd().endsWith('no pending or running tasks')).toBe(true);
  });

  it('draws a table on a terminal', async () => {
    const { exitCode, stderr } = await run(['tasks', 'watch'], { ...(await worldOfTwo()), isTty: true });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('2 unfinished');
    expect(stderr).toContain('LISTING');
    expect(stderr).toContain('1 unfinished');
  });

  it('prints a line of JSON per change', async () => {
    const world = await worldOfTwo();
    const { jsonLines } = await run(['tasks', 'watch', '--json'], world);
    expect(jsonLines().map(({ id, state }) => [id, state])).toEqual([
      [world.bad, 'PENDING'],
      [world.good, 'PENDING'],
      [world.good, 'SUCCEEDED'],
      [world.bad, 'FAILED'],
    ]);
  });

  it('ends at Ctrl-C with 130, and at once when nothing is unfinished', async () => {
    const world = await worldOfTwo();
    const delay = async (_ms: number, signal: AbortSignal): Promise<void> => signal.throwIfAborted();
    const stopped = await run(['tasks', 'watch'], { ...world, delay, interrupted: AbortSignal.abort() });
    expect(stopped.exitCode).toBe(130);
    const idle = await run('tasks watch');
    expect([idle.exitCode, idle.stderr]).toEqual([0, 'no pending or running tasks\n']);
  });
});
