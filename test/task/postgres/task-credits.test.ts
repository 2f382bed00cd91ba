/** A task, its credits and its idempotency key are stored together or not at all. */
import { beforeEach, expect, it } from 'vitest';
import type { AccountStore, IdempotencyClaim } from '../../../src/task/accounts/account-store.ts';
import { systemTaskClock } from '../../../src/task/engine/task-clock.ts';
import { createPostgresAccountStore } from '../../../src/task/postgres/accounts/postgres-account-store.ts';
import type { ClaimedKeys } from '../../../src/task/postgres/accounts/postgres-deps.ts';
import { createPostgresTaskStore } from '../../../src/task/postgres/tasks/postgres-task-store.ts';
import { inOrder, type OnTaskChange } from '../../../src/task/postgres/tasks/task-change.ts';
import { taskCredits } from '../../../src/task/postgres/tasks/task-credits.ts';
import type { TaskStore } from '../../../src/task/task-store.ts';
import { ORGANIZATION } from '../accounts/account-harness.ts';
import { claimOf, FAILURE, idAt, START_MS } from '../store-harness.ts';
import { describeWithDatabase } from './test-server.ts';

describeWithDatabase('credits in the transaction of a task', (server) => {
  const { database } = server;
  let accounts: AccountStore;
  let store: TaskStore;
  let made = 0;
  let claimedKeys: ClaimedKeys;
  beforeEach(() => {
    claimedKeys = new Map();
    accounts = openAccounts();
    store = openStore();
  });

  const newId = () => idAt(START_MS, made++);
  const openAccounts = () => createPostgresAccountStore({ database, claimedKeys, newTaskId: newId });
  const openStore = (further: OnTaskChange = async () => {}) => {
    const credits = taskCredits({
      priceOf: (summary) => summary?.resultCount ?? 0,
      clock: systemTaskClock,
      claimedKeys,
    });
    return createPostgresTaskStore({
      database,
      summarize: (payload) => ({ label: 'L', resultCount: Number(payload) }),
      onChange: inOrder(credits, further),
    });
  };
  const create = (price: number, id = newId(), by = store) =>
    by.create({ id, origin: 'api', organizationId: ORGANIZATION, payload: price });
  const end = async (id: string, state: 'SUCCEEDED' | 'FAILED') => {
    const succeeded = { kind: 'succeeded', outcome: null } as const;
    const how = state === 'SUCCEEDED' ? succeeded : ({ kind: 'failed', failure: FAILURE } as const);
    await store.settle(claimOf(await store.claim(id)), how, null);
  };
  const balance = async () => (await accounts.defaultOrganization()).balance;
  const asNew = (claim: IdempotencyClaim) => {
    if (claim.kind !== 'new') throw new Error(claim.kind);
    return claim;
  };
  const countTasks = async () => (await store.list({ limit: 100 })).data.length;
  const grant = async (credits: number) => {
    await accounts.defaultOrganization();
    await accounts.grant(ORGANIZATION, credits);
  };

  it('reserves with the task, spends when it succeeds, and gives back when it fails or is cancelled', async () => {
    await grant(10);
    const [won, lost, cancelled] = [await create(2), await create(3), await create(4)];
    expect(await balance()).toBe(1);
    await end(won.id, 'SUCCEEDED');
    await end(lost.id, 'FAILED');
    await store.requestCancel(cancelled.id);
    expect(await balance()).toBe(8);
    await store.retry(lost.id);
    expect(await balance()).toBe(5);
    await end(lost.id, 'SUCCEEDED');
    expect(await balance()).toBe(5);
  });

  it('makes no task and no retry without the credits for it', async () => {
    await grant(3);
    const { id } = await create(2);
    await end(id, 'FAILED');
    await create(2);
    const refusal = { code: 'insufficient_balance', context: { balance: 1, required: 2 } };
    await expect(create(2)).rejects.toMatchObject(refusal);
    await expect(store.retry(id)).rejects.toMatchObject(refusal);
    expect(await store.get(id)).toMatchObject({ state: 'FAILED', retries: 0 });
    expect([await balance(), await countTasks()]).toEqual([1, 2]);
  });

  it('moves no credits for a task whose job cannot be added', async () => {
    await grant(3);
    const broken = openStore(async () => {
      throw new Error('no job');
    });
    await expect(create(2, newId(), broken)).rejects.toThrow('no job');
    expect([await balance(), await countTasks()]).toEqual([3, 0]);
  });

  it('accepts exactly as many of many tasks at once as the balance pays', async () => {
    await grant(10);
    const results = await Promise.allSettled(Array.from({ length: 40 }, () => create(1)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect([await balance(), await countTasks()]).toEqual([0, 10]);
  });

  it('loses and doubles no credit when tasks end, are retried and are cancelled at the same time', async () => {
    await grant(1_000);
    const tasks = await Promise.all(Array.from({ length: 12 }, () => create(7)));
    await Promise.all(
      tasks.flatMap(({ id }) => [
        end(id, 'FAILED').catch(() => {}),
        store.requestCancel(id).catch(() => {}),
        store.retry(id).catch(() => {}),
      ]),
    );
    const states = await Promise.all(tasks.map(async ({ id }) => (await store.get(id)).state));
    const reserved = states.filter((state) => state === 'PENDING' || state === 'RUNNING').length;
    expect(await balance()).toBe(1_000 - 7 * reserved);
  });

  it('is free for an organization without grants, and for the command line', async () => {
    await create(5);
    await store.create({ id: newId(), origin: 'cli', organizationId: null, payload: 5 });
    expect(await accounts.defaultOrganization()).toMatchObject({ balance: 0, isMetered: false });
  });

  it('never gives back what was not charged, because the grants came later', async () => {
    const [first, second] = [await create(5), await create(5)];
    await grant(5);
    await end(first.id, 'FAILED');
    await store.requestCancel(second.id);
    expect(await balance()).toBe(5);
  });

  it('stores the idempotency key with the task, so that the key means it however the request ends', async () => {
    const { taskId } = asNew(await accounts.beginIdempotent(ORGANIZATION, 'k', 'body'));
    await create(1, taskId);
    await end(taskId, 'SUCCEEDED');
    await store.prune({ olderThanMs: Date.now() + 60_000, states: ['SUCCEEDED'] });
    const other = openAccounts();
    expect(await other.beginIdempotent(ORGANIZATION, 'k', 'body')).toEqual({ kind: 'replay', taskId });
    expect(await other.beginIdempotent(ORGANIZATION, 'k', 'other')).toEqual({ kind: 'reused' });
  });

  it('makes no second task for a key, moves no credits for one, and tells the late request of the first task', async () => {
    await grant(3);
    const [late, next, other] = [
      asNew(await accounts.beginIdempotent(ORGANIZATION, 'k', 'body')),
      asNew(await openAccounts().beginIdempotent(ORGANIZATION, 'k', 'body')),
      asNew(await openAccounts().beginIdempotent(ORGANIZATION, 'k', 'other')),
    ];
    await create(1, next.taskId);
    for (const { taskId } of [late, other])
      await expect(create(1, taskId)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await late.abort()).toEqual({ kind: 'replay', taskId: next.taskId });
    expect(await other.abort()).toEqual({ kind: 'reused' });
    expect([await balance(), await countTasks()]).toEqual([2, 1]);
  });

  it('has no key of a request that made no task, also because its server died', async () => {
    const dead = asNew(await accounts.beginIdempotent(ORGANIZATION, 'k', 'body'));
    const refused = asNew(await openAccounts().beginIdempotent(ORGANIZATION, 'k', 'other'));
    expect(await refused.abort()).toBeNull();
    const next = asNew(await openAccounts().beginIdempotent(ORGANIZATION, 'k', 'other'));
    await create(1, next.taskId);
    await next.commit();
    await expect(create(1, dead.taskId)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('uses a key again after a day, and removes keys that are older', async () => {
    const make = async (key: string) => {
      const { taskId } = asNew(await accounts.beginIdempotent(ORGANIZATION, key, 'body'));
      await create(1, taskId);
      return taskId;
    };
    const first = await make('k');
    for (const key of ['l', 'm', 'n']) await make(key);
    await database.query(
      `update listing_video.idempotency_keys set claimed_at = claimed_at - interval '24 h'`,
    );
    expect(await make('k')).not.toBe(first);
    await make('o');
    const left = await database.query<{ taskId: string }>(
      'select task_id from listing_video.idempotency_keys',
    );
    expect(left).toHaveLength(2);
  });

  it('keeps the balance when old entries of the ledger are removed', async () => {
    await grant(100);
    for (const state of ['SUCCEEDED', 'FAILED', 'SUCCEEDED'] as const) await end((await create(5)).id, state);
    await create(7);
    const sum = async () => {
      const [row] = await database.query(
        `select sum(credits)::int as sum, count(*) filter (where kind = 'task') as tasks,
           count(*) filter (where kind = 'opening') as openings
         from listing_video.ledger_entries where state is distinct from 'refunded'`,
      );
      return row;
    };
    expect(await sum()).toEqual({ sum: 83, tasks: 3, openings: 0 });
    expect(await accounts.prune({ olderThanMs: Date.now() + 60_000 })).toBe(3);
    expect(await sum()).toEqual({ sum: 83, tasks: 1, openings: 1 });
    await end((await create(5)).id, 'SUCCEEDED');
    expect(await accounts.prune({ olderThanMs: Date.now() + 60_000 })).toBe(1);
    expect(await sum()).toEqual({ sum: 78, tasks: 1, openings: 1 });
    expect(await balance()).toBe(78);
  });

  it('logs every change of accounts, and none that failed', async () => {
    await grant(5);
    const organization = await accounts.createOrganization({ name: 'Harbour' });
    const { id } = await accounts.createKey({ organizationId: organization.id });
    await accounts.revokeKey(id);
    await accounts.revokeKey(id);
    await expect(accounts.grant(ORGANIZATION, -1)).rejects.toMatchObject({ code: 'usage' });
    const rows = await database.query<{ entry: { event: string; pid: number } }>(
      'select entry from listing_video.audit_log order by id',
    );
    expect(rows.map(({ entry }) => entry.event)).toEqual([
      'credits.granted',
      'organization.created',
      'key.created',
      'key.revoked',
    ]);
    expect(rows[0]?.entry).toMatchObject({ schema_version: 1, credits: 5, pid: process.pid });
  });

  it('never opens without a key again when its keys are lost', async () => {
    await accounts.defaultOrganization();
    await accounts.createKey({ organizationId: ORGANIZATION });
    await database.query('delete from listing_video.api_keys');
    const other = openAccounts();
    expect(await other.hasEverHadKeys()).toBe(true);
    expect(await other.areKeysLost()).toBe(true);
  });
});
