/** Two servers whose database stops at once while a task runs: the work is finished and stored, not repeated. */
import { expect, it } from 'vitest';
import { createTaskEngine } from '../../../src/task/engine/task-engine.ts';
import type { TaskContext } from '../../../src/task/engine/task-handler.ts';
import { createPostgresTaskStore } from '../../../src/task/postgres/tasks/postgres-task-store.ts';
import type { TaskRecord } from '../../../src/task/task.ts';
import { identity } from '../store-harness.ts';
import { claimInOrder } from './claim-in-order.ts';
import { describeWithDatabase } from './test-server.ts';

/** Shorter than the outage, so that the lease is over when the database is back. */
const LEASE = { durationMs: 2_500, heartbeatMs: 500 };
/** An end is tried again once a second. */
const TRIES = 4;

describeWithDatabase('servers whose database stops', (server) => {
  const { database } = server;

  it('finish what runs, store it when the database is back, and repeat nothing', async () => {
    const running = deferred<{ by: string; context: TaskContext; finish: () => void }>();
    const ended = deferred<TaskRecord>();
    const waited = deferred<void>();
    const began: string[] = [];
    let tries = 0;
    const onLog = (message: string) => {
      if (message.startsWith('the end of a task waits') && ++tries === TRIES) waited.resolve();
    };
    const open = (name: string) =>
      createTaskEngine({
        store: claimInOrder(
          createPostgresTaskStore({
            database,
            lease: LEASE,
            self: identity(name),
            // As from another machine: only the lease says whether an owner is alive.
            liveness: () => 'elsewhere',
          }),
          database,
        ),
        concurrency: 2,
        handler: (_, context) =>
          new Promise((resolve) => {
            began.push(name);
            running.resolve({ by: name, context, finish: () => resolve('made') });
          }),
        logger: { debug: onLog, warn: onLog },
        hooks: {
          reserve: async () => {},
          release: async () => {},
          settle: async (task) => ended.resolve(task),
        },
      });
    const engines = [open('first'), open('second')];
    const { id } = await engines[0]!.submit({ origin: 'api', organizationId: 'org', payload: 1 });
    for (const engine of engines) engine.start();
    const work = await running.promise;
    await server.stop();
    work.finish();
    await waited.promise;
    await server.start();
    const task = await ended.promise;
    expect(task).toMatchObject({ id, state: 'SUCCEEDED', attempts: 1, outcome: 'made' });
    expect(task.setbacks).toBeUndefined();
    expect(began).toEqual([work.by]);
    await Promise.all(engines.map((engine) => engine.drain(0)));
  });
});

function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
