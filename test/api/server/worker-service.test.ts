/** A worker without an API: which paths it answers on its port, to whom, and when it has none. */
import { request } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { createWorkerService, type WorkerServiceOptions } from '../../../src/api/server/worker-service.ts';
import type { AccountStore } from '../../../src/task/accounts/account-store.ts';
import { createTestAccounts } from '../../task/accounts/test-accounts.ts';
import { createMemoryTaskStore } from '../../task/memory-task-store.ts';
import { type AnyJson, logInto, quietMetrics, stillClock } from './harness.ts';

const opened: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const worker of opened.splice(0)) await worker.stop();
});

function openWorker(options: Partial<WorkerServiceOptions> = {}) {
  const happened: string[] = [];
  const log: AnyJson[] = [];
  const accounts: AccountStore = createTestAccounts({ tasks: createMemoryTaskStore() });
  const worker = createWorkerService({
    engine: {
      start: () => happened.push('start'),
      drain: async (graceMs) => void happened.push(`drain ${graceMs}`),
      runningCount: 0,
      health: { state: 'working' },
    } as WorkerServiceOptions['engine'],
    accounts,
    logger: logInto(log),
    metrics: quietMetrics(),
    clock: stillClock,
    monotonicMs: () => performance.now(),
    graceMs: 1_000,
    removeAbandoned: async () => void happened.push('remove'),
    checkReadiness: async () => ({ isReady: true, checks: {} }),
    ...{ port: 0, host: '127.0.0.1', trustProxy: [], requestsPerMinute: 0, maxConnectionsPerAddress: 10 },
    ...options,
  });
  opened.push(worker);
  return { worker, accounts, happened, log };
}

/** The status of a request, also with a Host header that `fetch` would not send. */
function statusOf(url: string, options: { method?: string; headers?: Record<string, string> } = {}) {
  return new Promise<number>((resolve, reject) => {
    const sent = request(url, options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject).end();
  });
}

it('answers the paths of the operator, and nothing else', async () => {
  const { worker } = openWorker();
  const url = await worker.start();
  for (const path of ['/healthz', '/readyz', '/metrics']) {
    expect([path, await statusOf(`${url}${path}`)]).toEqual([path, 200]);
    expect([path, await statusOf(`${url}${path}`, { method: 'POST' })]).toEqual([path, 405]);
  }
  for (const path of ['/', '/v1/tasks', '/files/a', '/openapi.json', '/docs', '/metrics/x'])
    expect([path, await statusOf(`${url}${path}`)]).toEqual([path, 404]);
});

it('refuses pages of other hosts, and shows its metrics to others only with the key of an operator', async () => {
  const { worker, accounts } = openWorker();
  const url = await worker.start();
  const evil = { headers: { host: 'evil.example' } };
  for (const path of ['/healthz', '/readyz', '/metrics'])
    expect([path, await statusOf(`${url}${path}`, evil)]).not.toEqual([path, 200]);

  const far = openWorker({ host: '0.0.0.0', accounts });
  const port = new URL((await far.worker.start()) ?? '').port;
  const other = { host: `render-1.internal:${port}` };
  const address = `http://127.0.0.1:${port}`;
  expect(await statusOf(`${address}/readyz`, { headers: other })).toBe(200);
  expect(await statusOf(`${address}/metrics`, { headers: other })).toBe(403);
  const { id: organizationId } = await accounts.defaultOrganization();
  const { key: plain } = await accounts.createKey({ organizationId });
  const { key } = await accounts.createKey({ organizationId, isOperator: true });
  const withKey = (token: string) => ({ headers: { ...other, authorization: `Bearer ${token}` } });
  expect(await statusOf(`${address}/metrics`, withKey(plain))).toBe(403);
  expect(await statusOf(`${address}/metrics`, withKey(key))).toBe(200);
});

it('opens no port without one, runs tasks, removes what dead processes left, and drains', async () => {
  const { worker, happened, log } = openWorker({ port: null });
  expect(await worker.start()).toBeNull();
  await worker.stop();
  opened.length = 0;
  expect([...happened].sort()).toEqual(['drain 1000', 'remove', 'start']);
  expect(log.map(({ msg }) => msg)).toEqual(['waiting for tasks', 'draining', 'stopped']);
});

it('takes no task when it cannot listen', async () => {
  const first = openWorker();
  const taken = Number(new URL((await first.worker.start()) ?? '').port);
  const second = openWorker({ port: taken });
  await expect(second.worker.start()).rejects.toMatchObject({ code: 'cannot_listen' });
  expect(second.happened).toEqual([]);
  opened.pop();
});
