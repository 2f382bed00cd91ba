/** `database import` takes a data folder over: everything is there, nothing is there twice, and the folder stays. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { AccountStore } from '../../../src/task/accounts/account-store.ts';
import { systemTaskClock } from '../../../src/task/engine/task-clock.ts';
import {
  createFileAccountStore,
  type FileAccountStore,
} from '../../../src/task/files/accounts/create-account-store.ts';
import { createFileTaskStore } from '../../../src/task/files/tasks/file-task-store.ts';
import { openFileWebhooks } from '../../../src/task/files/webhooks/create-webhook-store.ts';
import { newTaskId } from '../../../src/task/new-task-id.ts';
import { createPostgresAccountStore } from '../../../src/task/postgres/accounts/postgres-account-store.ts';
import { createPostgresTaskStore } from '../../../src/task/postgres/tasks/postgres-task-store.ts';
import { taskCredits } from '../../../src/task/postgres/tasks/task-credits.ts';
import { openPostgresWebhooks } from '../../../src/task/postgres/webhooks/postgres-webhook-store.ts';
import type { TaskStore } from '../../../src/task/task-store.ts';
import { summarizePayload } from '../../../src/video/video-task-summary.ts';
import { run } from '../../cli/run-cli.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { ORGANIZATION } from '../accounts/account-harness.ts';
import { claimOf, identity } from '../store-harness.ts';
import { describeWithDatabase } from './test-server.ts';

const FAILURE = { code: 'render_failed', message: 'x', context: { frame: 7 } };

describeWithDatabase('database import', (server) => {
  const { database } = server;
  let home: string;
  let files: TaskStore;
  let fileAccounts: FileAccountStore;
  beforeEach(() => {
    home = temporaryFolder();
    files = createFileTaskStore({
      home,
      durable: false,
      summarize: summarizePayload,
      self: identity('gone'),
    });
    fileAccounts = createFileAccountStore({ home, durable: false, tasks: files });
  });

  const importHome = () =>
    run(['database', 'import', '--json'], {
      cwd: home,
      env: { LISTING_VIDEO_HOME: home, LISTING_VIDEO_DATABASE: server.url },
    });
  const create = (organizationId: string | null, payload: string, id = newTaskId()) =>
    files.create({ id, origin: organizationId === null ? 'cli' : 'api', organizationId, payload });
  const claim = async (id: string) => claimOf(await files.claim(id));

  it('copies tasks in every state with their payloads, and accounts with their secrets, and changes no file', async () => {
    const { id: owner } = await fileAccounts.createOrganization({ name: 'Harbor Homes' });
    await fileAccounts.grant(owner, 10);
    const ids = [newTaskId(), newTaskId()];
    // Before the tasks, as a server does: nothing is reserved for a task that exists.
    for (const taskId of ids) await fileAccounts.reserve({ organizationId: owner, taskId, retries: 0 }, 2);
    const waiting = await create(owner, 'x'.repeat(100_000), ids[0]);
    const ended = await create(owner, 'ended', ids[1]);
    const running = await create(ORGANIZATION, 'running');
    const own = await create(null, 'of a command');
    await files.settle(await claim(ended.id), { kind: 'failed', failure: FAILURE }, null);
    await fileAccounts.settle({ organizationId: owner, taskId: ended.id, retries: 0 }, 'refund');
    await claim(running.id);
    const key = await fileAccounts.createKey({ organizationId: owner, isOperator: true });
    const revoked = await fileAccounts.createKey({ organizationId: owner });
    await fileAccounts.revokeKey(revoked.id);
    const idempotent = await fileAccounts.beginIdempotent(owner, 'k', 'body');
    if (idempotent.kind !== 'new') throw new Error(idempotent.kind);
    await idempotent.commit();
    await fileAccounts.close();
    const before = readdirSync(home, { recursive: true }).sort();

    const first = await importHome();
    expect([first.exitCode, first.stderr]).toEqual([0, '']);
    expect(first.json()).toEqual({
      tasks: 4,
      organizations: 1,
      ledgers: 1,
      reservations: 1,
      keys: 2,
      idempotency_keys: 1,
      webhooks: 0,
      deliveries: 0,
    });
    expect(readdirSync(home, { recursive: true }).sort()).toEqual(before);

    const store = createPostgresTaskStore({ database });
    for (const { id } of [waiting, ended, running, own]) {
      expect(await store.get(id)).toEqual(await files.get(id));
      expect(await store.payload(id)).toEqual(await files.payload(id));
    }
    const accounts = createPostgresAccountStore({ database });
    expect(await accounts.getOrganization(owner)).toEqual(await fileAccounts.getOrganization(owner));
    expect(await accounts.listKeys()).toEqual(await fileAccounts.listKeys());
    expect(await accounts.authenticate(key.key)).toMatchObject({ organizationId: owner, isOperator: true });
    expect(await accounts.authenticate(revoked.key)).toBeNull();
    expect(await accounts.hasEverHadKeys()).toBe(true);
    expect(await accounts.beginIdempotent(owner, 'k', 'body')).toEqual({
      kind: 'replay',
      taskId: idempotent.taskId,
    });

    // Again, after the data folder was served: nothing of it is taken for the state of now.
    await files.settle(await claim(waiting.id), { kind: 'failed', failure: FAILURE }, null);
    await fileAccounts.grant(owner, 1000);
    const second = await importHome();
    expect(second).toMatchObject({ exitCode: 2 });
    expect(second.json()).toMatchObject({ error: { code: 'task_state_conflict' } });
    expect(await store.get(waiting.id)).toMatchObject({ state: 'PENDING' });
    expect(await accounts.getOrganization(owner)).toMatchObject({ balance: 8 });
    const onChange = taskCredits({ priceOf: () => 2, clock: systemTaskClock });
    await createPostgresTaskStore({ database, onChange }).requestCancel(waiting.id);
    expect(await accounts.getOrganization(owner)).toMatchObject({ balance: 10 });
    await accounts.close();
  });

  it('gives back what a crash left reserved for tasks that ended or never came to be', async () => {
    await fileAccounts.grant(ORGANIZATION, 10);
    const reserve = (taskId: string, credits: number, retries = 0) =>
      fileAccounts.reserve({ organizationId: ORGANIZATION, taskId, retries }, credits);
    const [won, lost, waiting] = [newTaskId(), newTaskId(), newTaskId()];
    for (const [id, credits] of [
      [won, 1],
      [lost, 2],
      [waiting, 1],
    ] as const) {
      await reserve(id, credits);
      await create(ORGANIZATION, 'p', id);
    }
    await reserve(newTaskId(), 3);
    await files.settle(await claim(won), { kind: 'succeeded', outcome: 1 }, null);
    await files.settle(await claim(lost), { kind: 'failed', failure: FAILURE }, null);
    await reserve(lost, 2, 1);
    await fileAccounts.close();
    expect((await importHome()).json()).toMatchObject({
      reservations: 1,
    });
    const accounts = createPostgresAccountStore({ database });
    // One is spent, one waits.
    expect(await accounts.getOrganization(ORGANIZATION)).toMatchObject({ balance: 8 });
    await accounts.close();
  });

  it('takes webhooks and deliveries over, with their secrets, except those of an end that never became visible', async () => {
    let isBroken = false;
    const from: TaskStore = createFileTaskStore({
      ...{ home, durable: false, self: identity('gone'), summarize: summarizePayload },
      beforeEnd: async (task) => {
        await webhooks.addDeliveries(task);
        if (isBroken) throw new Error('the process dies here');
      },
    });
    const { store: webhooks, claims: sending } = openFileWebhooks({ home, durable: false, tasks: from });
    const end = async () => {
      const task = await create(ORGANIZATION, 'p');
      return from.settle(claimOf(await from.claim(task.id)), { kind: 'failed', failure: FAILURE }, null);
    };
    await fileAccounts.defaultOrganization();
    const hook = (url: string) => webhooks.createWebhook({ organizationId: ORGANIZATION, url });
    const kept = await hook('https://a.example/?token=1');
    await hook('https://b.example/');
    const gone = await hook('https://c.example/');
    await webhooks.disableWebhook(gone.id);
    await end();
    const [sent] = (await webhooks.listDeliveries({ webhookId: kept.id, limit: 9 })).data;
    for (const claimed of await sending.claim(9, false)) {
      if (claimed.delivery.id !== sent!.id) await sending.release(claimed, 0);
      else await sending.finish(claimed, { state: 'succeeded', nextAttemptAt: null }, 0);
    }
    await end();
    isBroken = true;
    await expect(end()).rejects.toThrow('dies here');

    expect((await importHome()).json()).toMatchObject({
      webhooks: 3,
      deliveries: 4,
    });
    const { store } = openPostgresWebhooks({ database, url: server.url });
    expect(await store.listWebhooks()).toEqual(await webhooks.listWebhooks());
    expect(await store.signingSecrets(kept.id)).toEqual([kept.secret]);
    const { data } = await webhooks.listDeliveries({ limit: 9 });
    const real = data.filter(({ taskId }) => taskId !== data[0]!.taskId);
    expect((await store.listDeliveries({ limit: 9 })).data).toEqual(real);
    const jobs = await database.query(
      `select key from listing_video_queue.jobs where task_identifier = 'send-delivery'`,
    );
    expect(jobs).toHaveLength(3);
  });

  it.each(['task', 'organization'] as const)(
    'imports nothing while the file of one %s cannot be read, and names it',
    async (what) => {
      const { id: owner } = await fileAccounts.createOrganization({ name: 'Harbor Homes' });
      await fileAccounts.createKey({ organizationId: owner });
      const { id } = await create(owner, 'x');
      await fileAccounts.close();
      const place =
        what === 'task'
          ? path.join('tasks', id.slice(0, 6), id, 'task.0.json')
          : path.join('accounts', 'organizations', owner, 'organization.json');
      const file = path.join(home, place);
      const whole = readFileSync(file);
      writeFileSync(file, '{');
      const damaged = what === 'task' ? id : owner;
      const refused = await importHome();
      expect(refused.exitCode).toBe(3);
      expect(refused.json()).toMatchObject({
        error: { code: 'store_corrupt', context: { unreadable: [{ id: damaged }] } },
      });
      expect(await createPostgresTaskStore({ database }).list({ limit: 9 })).toMatchObject({ data: [] });
      writeFileSync(file, whole);
      expect((await importHome()).json()).toMatchObject({ tasks: 1, keys: 1 });
    },
  );

  it('adds the credits of a data folder once to those that the default organization has', async () => {
    const accounts = createPostgresAccountStore({ database });
    await accounts.grant(ORGANIZATION, 10);
    const onChange = taskCredits({ priceOf: () => 1, clock: systemTaskClock });
    const store = createPostgresTaskStore({ database, onChange });
    const spent = { id: newTaskId(), origin: 'api', organizationId: ORGANIZATION, payload: 1 } as const;
    await store.create(spent);
    await store.settle(claimOf(await store.claim(spent.id)), { kind: 'succeeded', outcome: 1 }, null);
    await accounts.prune({ olderThanMs: Date.now() + 60_000 });
    await fileAccounts.grant(ORGANIZATION, 500);
    await fileAccounts.close();
    expect((await importHome()).exitCode).toBe(0);
    expect(await accounts.getOrganization(ORGANIZATION)).toMatchObject({ balance: 509 });
    const again = await importHome();
    expect(again).toMatchObject({ exitCode: 2 });
    expect(again.json()).toMatchObject({
      error: { context: { hint: expect.stringContaining('new, empty database') } },
    });
    expect(await accounts.getOrganization(ORGANIZATION)).toMatchObject({ balance: 509 });
    await accounts.close();
  });

  it('says how to go on when a client used an idempotency key with two data folders', async () => {
    const claimKey = async (accounts: AccountStore) => {
      // As a server does, which makes it.
      await accounts.defaultOrganization();
      const claimed = await accounts.beginIdempotent(ORGANIZATION, 'k', 'body');
      if (claimed.kind !== 'new') throw new Error(claimed.kind);
      await claimed.commit();
      await accounts.close();
    };
    await claimKey(fileAccounts);
    expect((await importHome()).exitCode).toBe(0);
    home = temporaryFolder();
    const tasks = createFileTaskStore({ home, durable: false });
    await claimKey(createFileAccountStore({ home, durable: false, tasks }));
    const refused = await importHome();
    expect(refused).toMatchObject({ exitCode: 2 });
    expect(refused.json()).toMatchObject({
      error: {
        code: 'task_state_conflict',
        message:
          'nothing was imported: an idempotency key of organization org_default is in use in the database too',
        context: { hint: expect.stringMatching(/24 hours.*new, empty database/) },
      },
    });
  });

  it('refuses a data folder whose server is at work, a database without tables, and a missing one', async () => {
    const task = await create(ORGANIZATION, 'running');
    const live = createFileTaskStore({ home, durable: false });
    expect((await live.claim(task.id)).kind).toBe('claimed');
    const busy = await importHome();
    expect(busy).toMatchObject({ exitCode: 2 });
    expect(busy.json()).toMatchObject({ error: { code: 'task_state_conflict' } });
    await database.query('drop schema listing_video cascade');
    expect((await importHome()).json()).toMatchObject({ error: { code: 'database_version' } });
    const none = await run(['database', 'import'], { cwd: home, env: { LISTING_VIDEO_HOME: home } });
    expect(none).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no database is set') });
  });
});
