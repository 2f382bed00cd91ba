/**
 * A process that stops dead at any one of its file operations: no credit is lost or doubled, no promise broken, and the
 * next process puts everything right. Every operation of every scenario is tried.
 */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAccountHooks } from '../../../src/task/accounts/account-hooks.ts';
import { createTaskEngine, type TaskEngine } from '../../../src/task/engine/task-engine.ts';
import type { FileAccountStore } from '../../../src/task/files/accounts/create-account-store.ts';
import type { TaskStore } from '../../../src/task/task-store.ts';
import { crashPoints } from '../crash-at.ts';
import { end, ORGANIZATION, openFileAccounts } from './account-harness.ts';

const PRICE = 3;

type Harness = Awaited<ReturnType<typeof openFileAccounts>>;
interface Victim {
  readonly accounts: FileAccountStore;
  readonly tasks: TaskStore;
  /** Tasks whose payload is `fail` do; the others succeed. */
  readonly engine: TaskEngine;
}

function openProcess(harness: Harness, name: string): Victim {
  const accounts = harness.open(name);
  const tasks = harness.tasks(name);
  const engine = createTaskEngine({
    store: tasks,
    handler: async ({ payload }) => (payload === 'fail' ? Promise.reject(new Error('no')) : null),
    hooks: createAccountHooks(accounts, () => PRICE),
    clock: { nowMs: () => harness.nowMs, schedule: () => () => {} },
  });
  return { accounts, tasks, engine };
}

const atEveryOperation = crashPoints({
  openHarness: openFileAccounts,
  openProcess,
  afterRecovery: async (harness, { accounts }) => {
    await accounts.close();
    await expectSumOfGrants(harness);
  },
});

/**
 * What every process says is what was granted, by the audit log, less what is reserved and what succeeded. One line of
 * the log can be without its grant.
 */
async function expectSumOfGrants(harness: Harness): Promise<void> {
  const { open } = JSON.parse(await readFile(harness.documentPath, 'utf8').catch(() => '{"open":{}}'));
  const reserved = Object.values<{ credits: number }>(open).reduce((sum, { credits }) => sum + credits, 0);
  const { data } = await harness.tasks('cold').list({ limit: 100 });
  const spent = data.filter(
    ({ id, state, retries }) => state === 'SUCCEEDED' && open[`${id}.${retries}`] === undefined,
  ).length;
  const lines = (await readAuditLines(harness)).filter(({ event }) => event === 'credits.granted');
  const grants = lines.map(({ credits }) => Number(credits));
  const all = grants.reduce((sum, credits) => sum + credits, 0);
  const sums = [all, ...grants.map((credits) => all - credits)];
  expect(sums).toContain((await balanceOf(harness.open('cold'))) + reserved + spent * PRICE);
}

async function balanceOf(accounts: FileAccountStore): Promise<number> {
  return (await accounts.defaultOrganization()).balance;
}

async function stateOf(tasks: TaskStore, id: string): Promise<string | null> {
  return tasks.get(id).then(
    ({ state }) => state,
    () => null,
  );
}

/** What a server does at its start: reconciles, and runs what is left. */
async function finishWork({ accounts, tasks, engine }: Victim): Promise<void> {
  await accounts.reconcile();
  for (const { id, state } of (await tasks.list({ limit: 10 })).data) {
    if (state === 'PENDING' || state === 'RUNNING') await engine.runTask(id);
  }
  await accounts.reconcile();
}

describe('a process that dies at any file operation', () => {
  it.each([
    ['succeeds', 'ok', 'SUCCEEDED', 10 - PRICE],
    ['fails', 'fail', 'FAILED', 10],
  ])(
    'while a task is accepted and %s: it is paid for exactly if it succeeded',
    async (_, payload, state, rest) => {
      const operations = await atEveryOperation(
        async ({ accounts }) => void (await accounts.grant(ORGANIZATION, 10)),
        async ({ engine }, id, promise) => {
          await engine.submit({ origin: 'api', organizationId: ORGANIZATION, payload, id });
          promise('accepted');
          await engine.runTask(id);
          promise('ended');
        },
        async (second, id, promised) => {
          const found = await stateOf(second.tasks, id);
          if (promised.has('accepted')) expect(found).not.toBeNull();
          // Accepted is reserved, whatever happens next.
          if (found === 'PENDING' || found === 'RUNNING')
            expect(await balanceOf(second.accounts)).toBe(10 - PRICE);
          if (promised.has('ended')) expect(await balanceOf(second.accounts)).toBe(rest);
          await finishWork(second);
          expect(await stateOf(second.tasks, id)).toBe(found === null ? null : state);
          expect(await balanceOf(second.accounts)).toBe(found === null ? 10 : rest);
          expect(await second.accounts.reconcile()).toEqual({ settled: 0, released: 0 });
        },
      );
      // Fewer would mean that nothing was counted.
      expect(operations).toBeGreaterThan(60);
    },
  );

  it('while a failed task is retried: the retry is paid for once, or has not begun', async () => {
    await atEveryOperation(
      async ({ accounts, tasks, engine }, id) => {
        await accounts.grant(ORGANIZATION, 10);
        await engine.submit({ origin: 'api', organizationId: ORGANIZATION, payload: 'ok', id });
        await end(tasks, id, 'FAILED');
        await accounts.reconcile();
      },
      async ({ engine }, id, promise) => {
        await engine.retry(id);
        promise('retried');
      },
      async (second, id, promised) => {
        if (promised.has('retried')) expect(await stateOf(second.tasks, id)).toBe('PENDING');
        await second.accounts.reconcile();
        const isWaiting = (await stateOf(second.tasks, id)) === 'PENDING';
        expect(await balanceOf(second.accounts)).toBe(isWaiting ? 10 - PRICE : 10);
        if (!isWaiting) await second.engine.retry(id);
        await finishWork(second);
        expect(await stateOf(second.tasks, id)).toBe('SUCCEEDED');
        expect(await balanceOf(second.accounts)).toBe(10 - PRICE);
      },
    );
  });

  it('while a task is refused: nothing is left of it', async () => {
    await atEveryOperation(
      async ({ accounts }) => void (await accounts.grant(ORGANIZATION, PRICE - 1)),
      async ({ engine }, id, promise) => {
        await engine
          .submit({ origin: 'api', organizationId: ORGANIZATION, payload: 'ok', id })
          .catch(() => {});
        promise('refused');
      },
      async (second, id) => {
        expect(await stateOf(second.tasks, id)).toBeNull();
        expect(await balanceOf(second.accounts)).toBe(PRICE - 1);
        expect(await second.accounts.reconcile()).toEqual({ settled: 0, released: 0 });
      },
    );
  });

  it('while credits are granted: all of them are there, or none, and what is granted next counts', async () => {
    await atEveryOperation(
      async () => {},
      async ({ accounts }, _, promise) => {
        await accounts.grant(ORGANIZATION, 5);
        promise('first');
        await accounts.grant(ORGANIZATION, 20);
        promise('second');
      },
      async ({ accounts }, _, promised) => {
        const { balance, isMetered } = await accounts.defaultOrganization();
        const least = promised.has('second') ? 25 : promised.has('first') ? 5 : 0;
        expect([0, 5, 25].filter((sum) => sum >= least)).toContain(balance);
        expect(isMetered).toBe(balance > 0);
        expect(await accounts.grant(ORGANIZATION, 100)).toMatchObject({ balance: balance + 100 });
      },
    );
  });

  it('while an idempotent request is served: its repeat has the same answer, and there is one task', async () => {
    const operations = await atEveryOperation(
      async ({ accounts }) => void (await accounts.grant(ORGANIZATION, 10)),
      async (victim, _, promise) => promise('accepted', await request(victim)),
      async (second, _, promised) => {
        await second.accounts.reconcile();
        const answer = await request(second);
        if (promised.has('accepted')) expect(answer).toBe(promised.get('accepted'));
        expect((await second.tasks.list({ limit: 10 })).data.map(({ id }) => id)).toEqual([answer]);
        expect(await balanceOf(second.accounts)).toBe(10 - PRICE);
        expect(await request(second)).toBe(answer);
        await expect(second.accounts.beginIdempotent(ORGANIZATION, 'key', 'other')).resolves.toEqual({
          kind: 'reused',
        });
      },
    );
    expect(operations).toBeGreaterThan(30);
  });

  it('while an idempotent request is refused: the key is free', async () => {
    await atEveryOperation(
      async () => {},
      async ({ accounts }) => {
        const claim = await accounts.beginIdempotent(ORGANIZATION, 'key', 'body');
        if (claim.kind === 'new') await claim.abort();
      },
      async ({ accounts }) => {
        const claim = await accounts.beginIdempotent(ORGANIZATION, 'key', 'other');
        expect(claim.kind).toBe('new');
      },
    );
  });

  it('while keys are made and revoked: what was promised holds, and no half key is left', async () => {
    await atEveryOperation(
      async () => {},
      async ({ accounts }, _, promise) => {
        const { id: organizationId } = await accounts.createOrganization({ name: 'x' });
        promise('organization', organizationId);
        const { id, key } = await accounts.createKey({ organizationId });
        promise('key', key);
        await accounts.revokeKey(id);
        promise('revoked');
      },
      async ({ accounts }, _, promised, harness) => {
        const organizations = (await accounts.listOrganizations()).data.map(({ id }) => id);
        const organizationId = promised.get('organization');
        if (organizationId !== undefined) expect(organizations).toContain(organizationId);
        const { data: keys } = await accounts.listKeys();
        const key = promised.get('key');
        if (keys.length > 0) expect(await accounts.hasEverHadKeys()).toBe(true);
        const audited = await readAuditLog(harness);
        for (const id of organizations.slice(1)) expect(audited).toContain(`organization.created ${id}`);
        for (const { id, revokedAt } of keys) {
          expect(audited).toContain(`key.created ${id}`);
          if (revokedAt !== null) expect(audited).toContain(`key.revoked ${id}`);
        }
        if (key === undefined) return;
        const caller = await accounts.authenticate(key);
        const isRevoked = keys[0]?.revokedAt != null;
        expect(keys).toHaveLength(1);
        expect(caller === null).toBe(isRevoked);
        if (promised.has('revoked')) expect(isRevoked).toBe(true);
        await accounts.close();
        await rm(join(harness.home, 'accounts'), { recursive: true });
        expect(await harness.open('third').hasEverHadKeys()).toBe(true);
      },
    );
  });
});

/** Event and id of each whole line of the audit log. */
async function readAuditLog(harness: Harness): Promise<string[]> {
  const lines = await readAuditLines(harness);
  return lines.map(({ event, key_id, organization_id }) => `${event} ${key_id ?? organization_id}`);
}

async function readAuditLines({ home }: Harness): Promise<Record<string, unknown>[]> {
  const text = await readFile(join(home, 'audit.ndjson'), 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}

/** A request with an idempotency key, as a server serves it. Returns the id that the client is told. */
async function request({ accounts, engine }: Victim): Promise<string> {
  const claim = await accounts.beginIdempotent(ORGANIZATION, 'key', 'body');
  if (claim.kind === 'reused') throw new Error(claim.kind);
  if (claim.kind === 'replay') return claim.taskId;
  try {
    await engine.submit({ origin: 'api', organizationId: ORGANIZATION, payload: 'ok', id: claim.taskId });
    await claim.commit();
    return claim.taskId;
  } finally {
    await claim.abort();
  }
}
