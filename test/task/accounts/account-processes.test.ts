/** Real processes that share a home, some of them killed with -9: credits and idempotency keys hold between them. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import fs, { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAccountHooks } from '../../../src/task/accounts/account-hooks.ts';
import { createTaskEngine } from '../../../src/task/engine/task-engine.ts';
import {
  createFileAccountStore,
  type FileAccountStore,
} from '../../../src/task/files/accounts/create-account-store.ts';
import { createFileTaskStore } from '../../../src/task/files/tasks/file-task-store.ts';
import type { TaskStore } from '../../../src/task/task-store.ts';
import { buildModule } from '../../build-module.ts';
import { ORGANIZATION } from './account-harness.ts';

const program = await buildModule('test/task/accounts/fixtures/client.ts');
afterAll(() => program.remove());

let home: string;
let tasks: TaskStore;
let accounts: FileAccountStore;
const children = new Set<ChildProcess>();

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'listing-video-accounts-'));
  tasks = createFileTaskStore({ home });
  accounts = createFileAccountStore({ home, tasks });
});
afterEach(async () => {
  const alive = [...children].filter((child) => child.exitCode === null && child.signalCode === null);
  for (const child of alive) child.kill('SIGKILL');
  await Promise.all(alive.map((child) => once(child, 'exit')));
  children.clear();
  await accounts.close();
  await rm(home, { recursive: true, force: true });
});

interface Client {
  readonly child: ChildProcess;
  readonly accepted: string[];
  /** What the process told at its end; undefined when it was killed. */
  readonly ended: Promise<unknown>;
}

async function startClient(mode: string, count: number, dieAt = 0): Promise<Client> {
  const child = fork(program.path, [home, mode, String(count), String(dieAt)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  children.add(child);
  const accepted: string[] = [];
  let result: unknown;
  const exited = once(child, 'exit');
  const ended = exited.then(() => result);
  await once(child, 'message');
  child.on('message', (message: { accepted?: string; result?: unknown }) => {
    if (message.accepted !== undefined) accepted.push(message.accepted);
    else result = message.result;
  });
  return { child, accepted, ended };
}

/** Lets all begin at the same moment, and waits for their ends. */
async function letRun(clients: readonly Client[]): Promise<unknown[]> {
  for (const { child } of clients) child.send('go');
  return Promise.all(clients.map(({ ended }) => ended));
}

describe('several processes', () => {
  it('accept exactly ten of fifty tasks with credit for ten', async () => {
    await accounts.grant(ORGANIZATION, 10);
    const clients = await Promise.all([17, 17, 16].map((count) => startClient('create', count)));
    const results = (await letRun(clients)).flat();
    expect(results.filter((result) => result === 'accepted')).toHaveLength(10);
    expect(results.filter((result) => result === 'insufficient_balance')).toHaveLength(40);
    expect((await tasks.list({ limit: 100 })).data).toHaveLength(10);
    expect(await accounts.defaultOrganization()).toMatchObject({ balance: 0 });
  });

  it('make one task of twenty repeats at once', async () => {
    await accounts.grant(ORGANIZATION, 100);
    const clients = await Promise.all([7, 7, 6].map((count) => startClient('repeat', count)));
    const claims = (await letRun(clients)).flat() as { kind: string; taskId: string }[];
    expect(claims.map(({ kind }) => kind).sort()).toEqual(['new', ...Array(19).fill('replay')]);
    expect(new Set(claims.map(({ taskId }) => taskId)).size).toBe(1);
    expect((await tasks.list({ limit: 100 })).data.map(({ id }) => id)).toEqual([claims[0]?.taskId]);
    expect(await accounts.defaultOrganization()).toMatchObject({ balance: 99 });
  });

  it('make one task if a repeat begins and ends between the look and the claim of another', async () => {
    await accounts.defaultOrganization();
    const other = createFileAccountStore({ home, tasks });
    const link = fs.link;
    let first = '';
    vi.spyOn(fs, 'link').mockImplementationOnce(async (...args) => {
      const claim = await other.beginIdempotent(ORGANIZATION, 'key', 'body');
      if (claim.kind !== 'new') throw new Error(claim.kind);
      first = claim.taskId;
      await claim.commit();
      return link(...args);
    });
    const repeat = await accounts.beginIdempotent(ORGANIZATION, 'key', 'body');
    expect(repeat).toEqual({ kind: 'replay', taskId: first });
    await other.close();
  });

  it('that are killed lose no credit and double none', async () => {
    await accounts.grant(ORGANIZATION, 1_000);
    // A task takes some thirty changes of the disk: these deaths are spread over all parts of its life.
    const deaths = [3, 20, 37, 54, 75, 101, 127, 0];
    const accepted: string[] = [];
    for (let n = 0; n < deaths.length; n += 4) {
      const clients = await Promise.all(deaths.slice(n, n + 4).map((dieAt) => startClient('run', 6, dieAt)));
      await letRun(clients);
      for (const [index, client] of clients.entries()) {
        expect(client.child.signalCode).toBe(deaths[n + index] === 0 ? null : 'SIGKILL');
        accepted.push(...client.accepted);
      }
    }
    await accounts.reconcile();
    const engine = createTaskEngine({
      store: tasks,
      handler: async ({ payload }) => (payload === 'fail' ? Promise.reject(new Error('no')) : null),
      hooks: createAccountHooks(accounts, () => 1),
    });
    const { data } = await tasks.list({ limit: 100 });
    expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(accepted));
    const unfinished = data.filter(({ state }) => state === 'PENDING' || state === 'RUNNING');
    const succeeded = data.filter(({ state }) => state === 'SUCCEEDED');
    // Everything that was accepted and has not failed is paid for, before and after it is finished.
    expect((await accounts.defaultOrganization()).balance).toBe(1_000 - succeeded.length - unfinished.length);
    const ended = await Promise.all(unfinished.map(({ id }) => engine.runTask(id)));
    const won = ended.filter(({ state }) => state === 'SUCCEEDED').length;
    const cold = createFileAccountStore({ home, tasks });
    expect((await cold.defaultOrganization()).balance).toBe(1_000 - succeeded.length - won);
    expect(await cold.reconcile()).toEqual({ settled: 0, released: 0 });
  });
});
