/** Notices of changes of tasks: what tells of them, when, and what happens while the database is away. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemTaskClock } from '../../../src/task/engine/task-clock.ts';
import { createPostgresTaskStore } from '../../../src/task/postgres/tasks/postgres-task-store.ts';
import { inOrder, type OnTaskChange } from '../../../src/task/postgres/tasks/task-change.ts';
import { TaskNotices, taskNotices } from '../../../src/task/postgres/tasks/task-notices.ts';
import type { TaskStore } from '../../../src/task/task-store.ts';
import { claimOf, idAt, START_MS } from '../store-harness.ts';
import { describeWithDatabase } from './test-server.ts';

describeWithDatabase('notices of changes', (server) => {
  const { database } = server;
  let store: TaskStore;
  let made = 0;
  let notices: TaskNotices;
  let heard: string[];
  let look: () => void;
  beforeEach(async () => {
    store = openStore();
    notices = new TaskNotices({ url: server.url, clock: systemTaskClock, logger: { debug: () => {} } });
    [heard, look] = [[], () => {}];
    notices.start({
      onChange: (id) => {
        heard.push(id);
        look();
      },
      onBreak: () => look(),
    });
    await until(() => notices.isListening);
  });
  afterEach(() => notices.stop());

  const openStore = (further: OnTaskChange = async () => {}) =>
    createPostgresTaskStore({
      database,
      onChange: inOrder(taskNotices, further),
    });
  const until = (isSo: () => boolean) =>
    new Promise<void>((resolve) => {
      look = () => isSo() && resolve();
      look();
    });
  const create = () =>
    store.create({ id: idAt(START_MS, made++), origin: 'api', organizationId: null, payload: 1 });
  const claim = async (id: string, by = store) => claimOf(await by.claim(id));
  /** Resolves with everything that was heard until a mark that is sent now. */
  const allHeard = async () => {
    const mark = `mark ${made++}`;
    await database.query(`select pg_notify('listing_video_tasks', $1)`, [mark]);
    await until(() => heard.includes(mark));
    return heard.filter((id) => !id.startsWith('mark'));
  };

  it('tell of the start, the progress and the end of a task, once each; not of heartbeats', async () => {
    const { id } = await create();
    expect(await allHeard()).toEqual([]);
    const claimed = await claim(id);
    await until(() => heard.length === 2);
    await store.saveProgress(claimed, { percent: 10, stage: 'render', etaSeconds: 9 });
    await until(() => heard.length === 3);
    await store.heartbeat(claimed);
    await store.check(claimed);
    await store.settle(claimed, { kind: 'succeeded', outcome: 1 }, null);
    expect(await allHeard()).toEqual([id, id, id]);
  });

  it('do not tell of a change that was not stored, nor of progress under a lost claim', async () => {
    const { id } = await create();
    const failing = openStore(async () => {
      throw new Error('no');
    });
    await expect(claim(id, failing)).rejects.toThrow('no');
    await store.saveProgress({ id, fence: 9 }, { percent: 10, stage: 'render', etaSeconds: 9 });
    expect(await allHeard()).toEqual([]);
  });

  it('say that some can be missed while the database is away, and come again', async () => {
    const { id } = await create();
    await server.stop();
    await until(() => !notices.isListening);
    await server.start();
    await until(() => notices.isListening);
    await claim(id);
    expect(await allHeard()).toEqual([id]);
  });

  it('come again after an administrator ended the connection', async () => {
    await database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'listing-video events'`,
    );
    await until(() => !notices.isListening);
    await until(() => notices.isListening);
    await claim((await create()).id);
    expect(await allHeard()).toHaveLength(1);
  });

  it('end with their connection', async () => {
    notices.stop();
    const count = `select count(*) as count from pg_stat_activity where application_name = 'listing-video events'`;
    for (;;) {
      const [row] = await database.query<{ count: number }>(count);
      if (row?.count === 0) break;
    }
    await claim((await create()).id);
    expect(heard).toEqual([]);
  });
});
