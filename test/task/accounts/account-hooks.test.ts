/** Credits through the engine: what a task costs from its acceptance to its end, and what races may not change. */
import { expect, it } from 'vitest';
import { createAccountHooks } from '../../../src/task/accounts/account-hooks.ts';
import { createTaskEngine } from '../../../src/task/engine/task-engine.ts';
import type { TaskHandler } from '../../../src/task/engine/task-handler.ts';
import { createMemoryTaskStore } from '../memory-task-store.ts';
import { ORGANIZATION } from './account-harness.ts';
import { createTestAccounts } from './test-accounts.ts';

async function openEngine(handler: TaskHandler) {
  const summarize = (payload: unknown) => ({ label: '', resultCount: Number(payload) });
  const store = createMemoryTaskStore({ summarize });
  const accounts = createTestAccounts({ tasks: store });
  await accounts.grant(ORGANIZATION, 10);
  const hooks = createAccountHooks(accounts, (summary) => summary!.resultCount);
  const engine = createTaskEngine({ store, handler, hooks });
  const balance = async () => (await accounts.defaultOrganization()).balance;
  return { store, accounts, hooks, engine, balance };
}

const failing: TaskHandler = () => Promise.reject(new Error('no'));
const API = { origin: 'api', organizationId: ORGANIZATION, payload: 3 } as const;

it('a task of the command line costs nothing', async () => {
  const { engine, balance } = await openEngine(async () => null);
  const { id } = await engine.submit({ origin: 'cli', organizationId: null, payload: 3 });
  await engine.runTask(id);
  expect(await balance()).toBe(10);
});

it('a cancelled task costs nothing', async () => {
  const { engine, balance } = await openEngine(async () => null);
  const { id } = await engine.submit(API);
  expect(await balance()).toBe(7);
  await engine.cancel(id);
  expect(await balance()).toBe(10);
});

it('a retry is reserved for again, and a second try of the same id is not', async () => {
  const { engine, balance } = await openEngine(failing);
  const { id } = await engine.submit(API);
  await engine.runTask(id);
  expect(await balance()).toBe(10);
  await engine.retry(id);
  expect(await balance()).toBe(7);
  await expect(engine.retry(id)).rejects.toMatchObject({ code: 'task_state_conflict' });
  await expect(engine.submit({ ...API, id })).rejects.toMatchObject({ code: 'task_state_conflict' });
  expect(await balance()).toBe(7);
  await engine.runTask(id);
  expect(await balance()).toBe(10);
});

it('a retry that comes after another one has failed already does not run unpaid', async () => {
  const { store, accounts, hooks, engine, balance } = await openEngine(failing);
  const { id } = await engine.submit(API);
  await engine.runTask(id);
  // Another process has looked at the task and is about to retry it, when this one does so from beginning to end.
  const slow = createTaskEngine({
    store,
    handler: failing,
    hooks: {
      ...hooks,
      reserve: async (task) => {
        await engine.retry(id);
        await engine.runTask(id);
        await hooks.reserve(task);
      },
    },
  });
  await expect(slow.retry(id)).rejects.toMatchObject({ code: 'task_state_conflict' });
  expect(await store.get(id)).toMatchObject({ state: 'FAILED', retries: 1 });
  expect(await balance()).toBe(10);
  expect(await accounts.reconcile()).toEqual({ settled: 0, released: 0 });
});
