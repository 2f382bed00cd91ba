/** POST /v1/tasks/{task_id}/cancel: what stops, what it answers in each state, and what happens to credits. */
import { describe, expect, it } from 'vitest';
import { deferred } from '../../deferred.ts';
import { aListing } from '../../listing/a-listing.ts';
import { aPayload } from '../../video/a-payload.ts';
import { ask, post } from './ask-server.ts';
import { type Harness, openHarness } from './harness.ts';
import { serviceOpener } from './running-service.ts';

const openService = serviceOpener();
const BETA = { 'service-beta': 'task-cancel' };
const CANCELLED = { state: 'FAILED', failure_message: 'cancelled', results: [], dropped_assets: [] };

function cancel(api: Harness, id: string, headers: Readonly<Record<string, string>> = {}) {
  return api.ask(`/v1/tasks/${id}/cancel`, { method: 'POST', headers: { ...BETA, ...headers } });
}

describe('a cancelled task', () => {
  it('that waits is FAILED at once, never runs, and gives its credits back; a repeat changes nothing', async () => {
    const api = openHarness({
      handler: async () => {
        throw new Error('it ran');
      },
    });
    await api.accounts.grant('org_default', 3);
    const { id } = (await api.post(aListing())).json;
    const balance = async () => (await api.ask('/v1/organization')).json.balance;
    expect(await balance()).toBe(2);
    for (let n = 0; n < 3; n++) {
      const { status, json } = await cancel(api, id);
      expect([status, json]).toEqual([200, { id, ...CANCELLED }]);
      expect(await balance()).toBe(3);
    }
    await api.runAll();
    expect((await api.ask(`/v1/tasks/${id}`)).json).toEqual({ id, ...CANCELLED });
    const logged = api.log.filter(({ path }) => path === `/v1/tasks/${id}/cancel`);
    expect(logged.map(({ task }) => task)).toEqual([id, id, id]);
  });

  it('that runs is stopped: its work hears of it, and then it is FAILED with its credits back', async () => {
    const running = deferred();
    const stopping = deferred();
    const stopped = deferred();
    const api = openHarness({
      handler: async (_, { signal }) => {
        running.resolve();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        stopping.resolve();
        await stopped.promise;
        throw signal.reason;
      },
    });
    await api.accounts.grant('org_default', 1);
    const { id } = (await api.post(aListing())).json;
    const run = api.engine.runTask(id);
    await running.promise;
    for (let n = 0; n < 2; n++) {
      const { status, json, headers } = await cancel(api, id);
      expect([status, json.state, headers.get('retry-after')]).toEqual([202, 'RUNNING', '1']);
      await stopping.promise;
    }
    stopped.resolve();
    await run;
    expect((await api.ask('/v1/organization')).json.balance).toBe(1);
    expect(await cancel(api, id)).toMatchObject({ status: 200, json: { id, ...CANCELLED } });
  });

  it('shows what other betas of the request add', async () => {
    const api = openHarness();
    const { id } = (await api.post(aListing())).json;
    const { json } = await cancel(api, id, { 'service-beta': 'task-cancel, task-progress' });
    expect(json.progress).toEqual({ percent: 0, stage: null, eta_seconds: null });
  });
});

describe('not cancelled is', () => {
  it.each(['SUCCEEDED', 'FAILED'])('a task that has %s by itself: 409', async (state) => {
    const api = openHarness(
      state === 'FAILED' ? { handler: () => Promise.reject(new Error('a fault')) } : {},
    );
    const id = await api.make();
    const before = (await api.ask(`/v1/tasks/${id}`)).text;
    const { status, json } = await cancel(api, id);
    expect([status, json]).toEqual([
      409,
      {
        code: 'task_state_conflict',
        message: `the task has already ended: ${state}`,
        context: { state },
      },
    ]);
    expect((await api.ask(`/v1/tasks/${id}`)).text).toBe(before);
  });

  it('a task that ends while the request is on its way', async () => {
    const api = openHarness();
    const { id } = (await api.post(aListing())).json;
    const { cancel: real } = api.engine;
    Object.assign(api.deps.engine, {
      cancel: async (taskId: string) => {
        await api.engine.runTask(taskId);
        return real(taskId);
      },
    });
    expect(await cancel(api, id)).toMatchObject({ status: 409, json: { context: { state: 'SUCCEEDED' } } });
  });

  it('a task of another organization or of the command line, as if it did not exist', async () => {
    const api = openHarness();
    const { id: other } = await api.accounts.createOrganization({ name: 'other' });
    const { key } = await api.accounts.createKey({ organizationId: other });
    const payload = aPayload(aListing());
    for (const organizationId of [null, 'org_default']) {
      const task = await api.engine.submit({ origin: 'api', organizationId, payload });
      const answer = await cancel(api, task.id, { 'x-api-key': key });
      const unknown = await cancel(api, '01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00', { 'x-api-key': key });
      expect([answer.status, answer.text]).toEqual([404, unknown.text]);
      expect((await api.store.get(task.id)).state).toBe('PENDING');
    }
  });

  it('anything with a key that only reads, with a short id, or with a path for an id', async () => {
    const api = openHarness();
    const { id } = (await api.post(aListing())).json;
    expect((await cancel(api, 'short')).status).toBe(422);
    expect((await cancel(api, '..%2f..%2f..%2fetc')).status).toBe(404);
    const { key } = await api.accounts.createKey({ organizationId: 'org_default', readOnly: true });
    expect(await cancel(api, id, { 'x-api-key': key })).toMatchObject({
      status: 403,
      json: { code: 'forbidden' },
    });
    expect((await api.store.get(id)).state).toBe('PENDING');
  });
});

it('over HTTP it needs no body, and a body in front of it does no harm', async () => {
  const service = await openService({ handler: (_, { signal }) => untilAborted(signal) });
  const url = await service.service.start();
  for (const body of [undefined, '{}', 'x'.repeat(300_000)]) {
    const { id } = (await post(url, aListing())).json;
    const init = { method: 'POST', headers: BETA, ...(body === undefined ? {} : { body }) };
    await expect
      .poll(async () => {
        const { status, json } = await ask(`${url}/v1/tasks/${id}/cancel`, init);
        return [status, json.state];
      })
      .toEqual([200, 'FAILED']);
  }
});

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}
