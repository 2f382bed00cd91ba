/** GET /v1/tasks/{task_id}/events: what it sends and when, to whom, how many at a time, and how it ends. */
import { describe, expect, it } from 'vitest';
import type { TaskContext } from '../../../src/task/engine/task-handler.ts';
import { deferred } from '../../deferred.ts';
import { aListing } from '../../listing/a-listing.ts';
import { ManualClock, settled } from '../../task/manual-clock.ts';
import { post } from './ask-server.ts';
import { checkValue } from './contract-check.ts';
import { type AnyJson, type Harness, type HarnessOptions, openHarness, outcomeOf } from './harness.ts';
import { openWire, serviceOpener } from './running-service.ts';

const openService = serviceOpener();
const BETA = { 'service-beta': 'task-events' };

interface Event {
  readonly event: string;
  readonly id: string;
  readonly data: AnyJson;
}

/** An open stream, read only when the test says so. */
interface Stream {
  readonly response: Response;
  /** The next piece that the server sends; null at the end. */
  read(): Promise<string | null>;
  /** The next event; comments are left out. */
  next(): Promise<Event | null>;
  leave(): Promise<void>;
}

async function open(
  api: Harness,
  id: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Stream> {
  const response = await api.app.request(`/v1/tasks/${id}/events`, { headers: { ...BETA, ...headers } });
  const reader = response.body!.getReader();
  const read = async (): Promise<string | null> => {
    const { value, done } = await reader.read();
    return done ? null : new TextDecoder().decode(value);
  };
  return {
    response,
    read,
    async next() {
      for (;;) {
        const text = await read();
        if (text === null) return null;
        const [, event, eventId, data] = /^event: (.*)\nid: (.*)\ndata: (.*)\n\n$/.exec(text) ?? [];
        if (event === undefined) continue;
        const parsed = JSON.parse(data!);
        checkValue(event === 'progress' ? 'TaskProgress' : 'Task', parsed);
        return { event, id: eventId!, data: parsed };
      }
    },
    leave: () => reader.cancel(),
  };
}

/** A task that runs, as far as the test moves it. */
async function running(options: HarnessOptions = {}) {
  const clock = new ManualClock(1_800_000_000_000);
  const begun = deferred();
  const finish = deferred();
  let context: TaskContext | undefined;
  const api = openHarness({
    clock,
    handler: async (task, given) => {
      context = given;
      begun.resolve();
      await finish.promise;
      return outcomeOf(task.payload.listing);
    },
    ...options,
  });
  const { id } = (await api.post(aListing())).json;
  let run: Promise<unknown> | undefined;
  return {
    api,
    clock,
    id: id as string,
    async begin() {
      run = api.engine.runTask(id);
      await begun.promise;
    },
    report: (percent: number) => context!.reportProgress({ percent, stage: 'render', etaSeconds: 9 }),
    async end() {
      finish.resolve();
      await run;
    },
  };
}

describe('a stream', () => {
  it('has the state, each progress, each change of the state and the end; then it is over', async () => {
    const task = await running();
    const { api, clock, id } = task;
    const stream = await open(api, id);
    expect(Object.fromEntries(stream.response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'service-beta': 'task-events',
    });
    expect(await stream.read()).toBe('retry: 3000\n\n');
    const waiting = { id, state: 'PENDING', results: [], dropped_assets: [] };
    expect(await stream.next()).toMatchObject({ event: 'state', data: waiting });
    await task.begin();
    await clock.advance(1_000);
    expect(await stream.next()).toMatchObject({ event: 'state', data: { ...waiting, state: 'RUNNING' } });
    task.report(40);
    await clock.advance(2_000);
    const progress = { percent: 40, stage: 'render', eta_seconds: 9 };
    expect(await stream.next()).toMatchObject({ event: 'progress', data: progress });
    await task.end();
    await clock.advance(1_000);
    const last = await stream.next();
    expect(last).toMatchObject({ event: 'end', data: { state: 'SUCCEEDED' } });
    expect(last!.data).toEqual((await api.ask(`/v1/tasks/${id}`)).json);
    expect(await stream.next()).toBeNull();
    expect(clock.waiting).toBe(0);
  });

  it('of an ended task is one event, and a browser that has it is told not to come back', async () => {
    const api = openHarness();
    const id = await api.make();
    const { text } = await api.ask(`/v1/tasks/${id}/events`, { headers: BETA });
    const [, eventId = ''] = /^retry: 3000\n\nevent: end\nid: (\S+)\ndata: \{.*\}\n\n$/.exec(text) ?? [];
    const again = (seen: string) =>
      api.ask(`/v1/tasks/${id}/events`, { headers: { ...BETA, 'last-event-id': seen } });
    expect(await again(eventId)).toMatchObject({ status: 204, text: '' });
    for (const seen of ['', 'x', '..', `${eventId}x`]) expect((await again(seen)).text).toBe(text);
  });

  it('after a break goes on from the last event, or begins again with the whole task', async () => {
    const task = await running();
    const { api, clock, id } = task;
    const first = await open(api, id);
    const seen = await first.next();
    await first.leave();
    const same = await open(api, id, { 'last-event-id': seen!.id });
    await task.begin();
    await clock.advance(1_000);
    // Nothing of what the client had: the first event is the change.
    const change = await same.next();
    expect(change).toMatchObject({ event: 'state', data: { state: 'RUNNING' } });
    await same.leave();
    task.report(70);
    await clock.advance(2_000);
    const late = await open(api, id, { 'last-event-id': change!.id });
    expect(await late.next()).toMatchObject({ event: 'state', data: { state: 'RUNNING' } });
    const goesOn = await open(api, id, { 'last-event-id': (await (await open(api, id)).next())!.id });
    task.report(80);
    await clock.advance(2_000);
    expect(await goesOn.next()).toMatchObject({ event: 'progress', data: { percent: 80 } });
  });

  it('shows what other betas of the request add', async () => {
    const { api, id } = await running();
    const stream = await open(api, id, { 'service-beta': 'task-events, task-progress, task-details' });
    expect((await stream.next())!.data).toMatchObject({
      listing_id: aListing().id,
      progress: { percent: 0 },
    });
  });

  it('says every 15 seconds that it lives', async () => {
    const { api, clock, id } = await running();
    const stream = await open(api, id);
    await stream.next();
    const beats = stream.read();
    await settled();
    await clock.advance(15_000);
    expect(await beats).toBe(':\n\n');
  });

  it('reads the task soon, then once a second for all of its clients, and not at all without any', async () => {
    const task = await running();
    const { api, clock, id } = task;
    let reads = 0;
    const { get } = api.engine;
    Object.assign(api.engine, {
      get: (taskId: string) => {
        reads += 1;
        return get(taskId);
      },
    });
    const streams = await Promise.all(Array.from({ length: 20 }, () => open(api, id)));
    for (const stream of streams) await stream.next();
    reads = 0;
    await clock.advance(125 + 250 + 500);
    expect(reads).toBe(3);
    await clock.advance(10_000);
    expect(reads).toBe(13);
    await task.begin();
    await clock.advance(1_000);
    for (const stream of streams) expect(await stream.next()).toMatchObject({ data: { state: 'RUNNING' } });
    for (const stream of streams) await stream.leave();
    expect(clock.waiting).toBe(1);
    reads = 0;
    await clock.advance(10_000);
    expect(reads).toBe(0);
    await task.end();
  });

  it('survives a store that is away for a while', async () => {
    const task = await running();
    const { api, clock, id } = task;
    const stream = await open(api, id);
    await stream.next();
    const { get } = api.engine;
    Object.assign(api.engine, { get: () => Promise.reject(new Error('away')) });
    await clock.advance(5_000);
    Object.assign(api.engine, { get });
    await task.begin();
    await clock.advance(1_000);
    expect(await stream.next()).toMatchObject({ data: { state: 'RUNNING' } });
    await task.end();
  });

  it('of a task that is removed ends', async () => {
    const { api, clock, id } = await running();
    const stream = await open(api, id);
    await stream.next();
    await api.engine.cancel(id);
    await api.store.prune({ olderThanMs: Number.MAX_SAFE_INTEGER, states: ['FAILED'] });
    await clock.advance(1_000);
    expect(await stream.next()).toBeNull();
  });
});

describe('no stream', () => {
  it('for the task of another organization, or of no one', async () => {
    const { api, id } = await running();
    const { id: other } = await api.accounts.createOrganization({ name: 'other' });
    const { key } = await api.accounts.createKey({ organizationId: other });
    for (const task of [id, '01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00', '..%2f..%2fetc%2fpasswd']) {
      const answer = await api.ask(`/v1/tasks/${task}/events`, { headers: { ...BETA, 'x-api-key': key } });
      expect([answer.status, answer.json.code]).toEqual([404, 'task_not_found']);
    }
    expect((await api.ask('/v1/tasks/short/events', { headers: BETA })).status).toBe(401);
    const short = await api.ask('/v1/tasks/short/events', { headers: { ...BETA, 'x-api-key': key } });
    expect(short.status).toBe(422);
  });

  it('for HEAD, which has the headers alone', async () => {
    const { api, clock, id } = await running();
    const before = clock.waiting;
    const answer = await api.ask(`/v1/tasks/${id}/events`, { method: 'HEAD', headers: BETA });
    expect([answer.status, answer.headers.get('content-type'), answer.text]).toEqual([
      200,
      'text/event-stream',
      '',
    ]);
    expect(clock.waiting).toBe(before);
  });

  it('beyond fifty of one key; another key has its own, until all are used; one that ends makes room', async () => {
    const { api, id } = await running();
    const keys = await Promise.all(
      Array.from({ length: 12 }, () => api.accounts.createKey({ organizationId: 'org_default' })),
    );
    const ask = (n: number) =>
      api.app.request(`/v1/tasks/${id}/events`, { headers: { ...BETA, 'x-api-key': keys[n]!.key } });
    const held: Response[] = [];
    for (let n = 0; n < 10; n++) {
      for (let count = 0; count < 50; count++) held.push(await ask(n));
      const refused = await ask(n);
      expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toMatchObject([
        429,
        '5',
        { code: 'rate_limited', context: { streams: 50 } },
      ]);
    }
    expect(held.map(({ status }) => status)).toEqual(Array(500).fill(200));
    const full = await ask(10);
    expect([full.status, full.headers.get('retry-after')]).toEqual([503, '5']);
    await held[0]!.body!.cancel();
    expect((await ask(11)).status).toBe(200);
    for (const { body } of held.slice(1)) await body!.cancel();
  });
});

describe('a stream ends', () => {
  it.each([
    ['is revoked', async (api: Harness, keyId: string) => void (await api.accounts.revokeKey(keyId))],
    [
      'cannot be checked',
      async (api: Harness) =>
        void Object.assign(api.accounts, { authenticate: () => Promise.reject(new Error('x')) }),
    ],
  ])('within a heartbeat when its key %s', async (_, change) => {
    const { api, clock, id } = await running();
    const made = await api.accounts.createKey({ organizationId: 'org_default' });
    const stream = await open(api, id, { 'x-api-key': made.key });
    await stream.next();
    await change(api, made.id);
    const end = stream.next();
    await settled();
    await clock.advance(15_000);
    expect(await end).toBeNull();
  });

  it('when it needed no key, and keys exist now', async () => {
    const { api, clock, id } = await running();
    const stream = await open(api, id);
    await stream.next();
    await api.accounts.createKey({ organizationId: 'org_default' });
    const end = stream.next();
    await settled();
    await clock.advance(15_000);
    expect(await end).toBeNull();
  });

  it('when nobody reads it; until then it holds one state, whatever happens', async () => {
    const task = await running();
    const { api, clock, id } = task;
    const stream = await open(api, id);
    await task.begin();
    for (let percent = 1; percent <= 20; percent++) {
      task.report(percent);
      await clock.advance(1_000);
    }
    // It begins now, and sees only where the task is.
    expect(await stream.next()).toMatchObject({ event: 'state', data: { state: 'RUNNING' } });
    task.report(99);
    await clock.advance(45_000);
    expect(await stream.next()).toBeNull();
    await task.end();
  });
});

describe('over HTTP', () => {
  const request = (id: string) =>
    `GET /v1/tasks/${id}/events HTTP/1.1\r\nhost: localhost\r\nservice-beta: task-events\r\n\r\n`;

  async function serve() {
    const opened = await openService({
      handler: (_, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      graceMs: 0,
    });
    const url = await opened.service.start();
    const { id } = (await post(url, aListing())).json;
    return { ...opened, url, id };
  }

  it('the first event comes at once, and a drain ends every stream in order', async () => {
    const { url, id, stop } = await serve();
    const wires = await Promise.all(Array.from({ length: 20 }, () => openWire(url)));
    for (const wire of wires) wire.write(request(id));
    for (const wire of wires) await wire.sees(/data: \{"id":/);
    await stop();
    // The last chunk: the answer is complete.
    for (const wire of wires) expect(await wire.closed).toMatch(/\r\n0\r\n\r\n$/);
  });

  it('a client that leaves makes room', async () => {
    const { url, id } = await serve();
    for (let round = 0; round < 2; round++) {
      const wires = await Promise.all(Array.from({ length: 50 }, () => openWire(url)));
      for (const wire of wires) wire.write(request(id));
      for (const wire of wires) await wire.sees(/data: \{"id":/);
      const beyond = () => fetch(`${url}/v1/tasks/${id}/events`, { headers: BETA });
      expect((await beyond()).status).toBe(429);
      for (const wire of wires) wire.destroy();
      await expect
        .poll(async () => {
          const answer = await beyond();
          await answer.body?.cancel();
          return answer.status;
        })
        .toBe(200);
    }
  });
});
