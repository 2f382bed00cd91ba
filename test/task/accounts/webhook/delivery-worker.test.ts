/** The worker that sends deliveries: at least once, one process at a time, a dead receiver delays nobody else. */
import { readdir } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { DeliveryWorker } from '../../../../src/task/webhooks/delivery-worker.ts';
import type { Message } from '../../../../src/task/webhooks/send-message.ts';
import type { Attempt, FullDelivery } from '../../../../src/task/webhooks/webhook.ts';
import { ManualClock, settled } from '../../manual-clock.ts';
import { START_MS } from '../../store-harness.ts';
import {
  endTask,
  ORGANIZATION,
  openFileWebhookHarness,
  type SendingProcess,
  type WebhookProcess,
} from './webhook-harness.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What the receiver of a URL does: a status, an error, or a promise that the test resolves. */
type Reply = number | string | Promise<number>;

interface Worker {
  readonly process: SendingProcess;
  readonly worker: DeliveryWorker;
  /** Every message that was sent, in order. */
  readonly sent: Message[];
  readonly attempts: FullDelivery[];
  readonly warnings: string[];
}

let at: Awaited<ReturnType<typeof openFileWebhookHarness>>;
let clock: ManualClock;
const workers: Worker[] = [];

async function openWorld(): Promise<void> {
  at = await openFileWebhookHarness();
  clock = new ManualClock(START_MS);
  Object.defineProperty(at, 'nowMs', { get: () => clock.nowMs() });
}

function startWorker(reply: (message: Message) => Reply, name = 'first'): Worker {
  const process = at.open(name);
  const sent: Message[] = [];
  const attempts: FullDelivery[] = [];
  const warnings: string[] = [];
  const worker = new DeliveryWorker({
    ...process,
    clock,
    logger: { debug: () => {}, warn: (message) => warnings.push(message) },
    onAttempt: (delivery) => attempts.push(delivery),
    bodyOf: ({ event, task }, publicUrl) => `${event} ${task.id} ${publicUrl}`,
    send: async (message, signal): Promise<Attempt> => {
      sent.push(message);
      const at = new Date(clock.nowMs()).toISOString();
      let onAbort = (): void => {};
      const stopped = new Promise<never>((_, reject) => {
        onAbort = () => reject(signal.reason);
      });
      signal.addEventListener('abort', onAbort);
      const result = await Promise.race([reply(message), stopped]).finally(() =>
        signal.removeEventListener('abort', onAbort),
      );
      const isStatus = typeof result === 'number';
      return {
        ...{ at, durationMs: 1, response: '' },
        ...(isStatus ? { status: result, error: null } : { status: null, error: result }),
      };
    },
  });
  worker.start(() => 'https://videos.example');
  const made = { process, worker, sent, attempts, warnings };
  workers.push(made);
  return made;
}

afterEach(async () => {
  for (const { worker } of workers.splice(0)) {
    const stopping = worker.stop(0);
    await clock.advance(0);
    await stopping;
  }
  expect(clock.waiting).toBe(0);
});

const create = (process: WebhookProcess, url: string) =>
  process.store.createWebhook({ organizationId: ORGANIZATION, url });
const states = async ({ process }: Worker) =>
  (await process.store.listDeliveries({ limit: 50 })).data.map(
    ({ state, attempts }) => `${state} ${attempts}`,
  );

/** Skips the polls until the next attempt of the only delivery. Returns how many seconds it comes after the one before. */
async function nextAttempt({ process, sent }: Worker): Promise<number> {
  const [delivery] = (await process.store.listDeliveries({ limit: 1 })).data;
  const nextMs = Date.parse(delivery!.nextAttemptAt!);
  const before = sent.length;
  clock.jump(nextMs - clock.nowMs() - 2_000);
  await clock.advance(1_000);
  expect(sent).toHaveLength(before);
  await clock.advance(2_000);
  return (nextMs - Date.parse(delivery!.lastAttempt!.at)) / 1_000;
}

describe('a delivery', () => {
  it('is sent when the task has ended, and once', async () => {
    await openWorld();
    const one = startWorker(() => 204);
    const { secret } = await create(one.process, 'https://a.example/');
    const task = await endTask(one.process, at.newId());
    one.worker.nudge();
    await clock.advance(0);
    expect(one.sent).toEqual([
      {
        url: 'https://a.example/',
        messageId: `msg_${task.id.replaceAll('-', '')}_0`,
        body: `task.failed ${task.id} https://videos.example`,
        secrets: [secret],
      },
    ]);
    clock.jump(DAY_MS);
    await clock.advance(2_000);
    expect(one.sent).toHaveLength(1);
    expect(await states(one)).toEqual(['succeeded 1']);
    expect(await one.process.store.countWaiting()).toBe(0);
  });

  it('that another process added is sent within a second', async () => {
    await openWorld();
    const one = startWorker(() => 200);
    await create(one.process, 'https://a.example/');
    await clock.advance(5_000);
    await endTask(at.open('command'), at.newId());
    await clock.advance(1_000);
    expect(one.sent).toHaveLength(1);
  });

  it.each<Reply>([301, 'timeout: no answer within 10 s'])(
    'that gets %s is sent again, later and later, for 3 days',
    async (reply) => {
      await openWorld();
      const one = startWorker(() => reply);
      await create(one.process, 'https://a.example/');
      await endTask(one.process, at.newId());
      await clock.advance(2_000);
      expect(one.sent).toHaveLength(1);
      await clock.advance(3_000);
      expect(one.sent).toHaveLength(2);
      const waitsSec: number[] = [];
      while (one.sent.length < 12) waitsSec.push(Math.round(await nextAttempt(one)));
      expect(waitsSec).toEqual([7, 20, 55, 148, 403, 1_097, 2_981, 8_103, 22_026, 22_026]);
    },
  );

  it('is given up 3 days after the first attempt, and can be redelivered', async () => {
    await openWorld();
    let reply = 503;
    const one = startWorker(() => reply);
    await create(one.process, 'https://a.example/');
    await endTask(one.process, at.newId());
    await clock.advance(1_000);
    while ((await states(one))[0]!.startsWith('waiting')) await nextAttempt(one);
    expect(await states(one)).toEqual([`failed ${one.sent.length}`]);
    expect(one.sent.length).toBeGreaterThan(9);
    const [failed] = (await one.process.store.listDeliveries({ limit: 1 })).data;
    const total = Date.parse(failed!.lastAttempt!.at) - Date.parse(failed!.firstAttemptAt!);
    expect(total).toBeGreaterThanOrEqual(3 * DAY_MS);
    reply = 200;
    await at.open('command').store.redeliver(failed!.id);
    await clock.advance(1_000);
    expect(await states(one)).toEqual(['succeeded 1', `failed ${one.sent.length - 1}`]);
    expect(new Set(one.sent.map(({ messageId }) => messageId)).size).toBe(1);
  });

  it('that gets 410 disables its webhook and fails what waits for it; others go on', async () => {
    await openWorld();
    const one = startWorker(({ url }) => (url.includes('gone') ? 410 : 200));
    const gone = await create(one.process, 'https://gone.example/');
    await create(one.process, 'https://a.example/');
    for (let n = 0; n < 6; n++) await endTask(one.process, at.newId());
    // The audit log asks the system who it is, and that takes as long as it takes.
    const isOver = async () => !(await states(one)).some((state) => state.startsWith('waiting'));
    while (!(await isOver())) await clock.advance(100);
    expect(await one.process.store.getWebhook(gone.id)).toMatchObject({ disabledAt: expect.any(String) });
    const { data } = await one.process.store.listDeliveries({ webhookId: gone.id, limit: 50 });
    expect(data.map(({ state }) => state)).toEqual(Array(6).fill('failed'));
    expect(one.sent.filter(({ url }) => url.includes('gone')).length).toBeLessThanOrEqual(4);
    expect(one.sent.filter(({ url }) => !url.includes('gone'))).toHaveLength(6);
    await endTask(one.process, at.newId());
    await clock.advance(1_000);
    expect((await one.process.store.listDeliveries({ webhookId: gone.id, limit: 50 })).data).toHaveLength(6);
  });

  it('that waits for its next attempt fails at once when another gets 410', async () => {
    await openWorld();
    let reply = 500;
    const one = startWorker(() => reply);
    const { id } = await create(one.process, 'https://a.example/');
    await endTask(one.process, at.newId());
    await clock.advance(60_000);
    reply = 410;
    await endTask(one.process, at.newId());
    const sent = one.sent.length + 1;
    const isDisabled = async () => (await one.process.store.getWebhook(id)).disabledAt !== null;
    while (!(await isDisabled())) await clock.advance(1_000);
    await clock.advance(3_000);
    expect((await states(one)).map((state) => state.split(' ')[0])).toEqual(['failed', 'failed']);
    expect(one.sent).toHaveLength(sent);
  });

  it('that never reached the queue is logged', async () => {
    await openWorld();
    const one = startWorker(() => 200);
    await create(one.process, 'https://a.example/');
    const task = await endTask(one.process, at.newId());
    await clock.advance(1_000);
    const [delivery] = one.attempts;
    one.process.lost.addGivenUp({ ...delivery!, state: 'failed' });
    one.process.lost.addWarning('the event of a task is lost', { task: task.id, error: new Error('x') });
    await clock.advance(2_000);
    expect(one.attempts.map(({ state }) => state)).toEqual(['succeeded', 'failed']);
    expect(one.warnings).toEqual([expect.stringContaining('the event of a task is lost')]);
  });

  it('is not put off for long when the clock is set back', async () => {
    await openWorld();
    const one = startWorker(() => 500);
    await create(one.process, 'https://a.example/');
    await endTask(one.process, at.newId());
    await clock.advance(1_000);
    clock.setBack(365 * DAY_MS);
    await clock.advance(2_000);
    expect(one.sent).toHaveLength(2);
  });

  it('of an end that is not visible yet waits for it', async () => {
    await openWorld();
    const one = startWorker(() => 200);
    await create(one.process, 'https://a.example/');
    const { tasks, store } = one.process;
    const id = at.newId();
    await tasks.create({ id, origin: 'api', organizationId: ORGANIZATION, payload: null });
    const result = await tasks.claim(id);
    const running = await tasks.get(id);
    // As after a crash between the delivery and the end.
    const updatedAt = new Date(clock.nowMs()).toISOString();
    await store.addDeliveries({ ...running, state: 'SUCCEEDED', fence: running.fence + 1, updatedAt });
    await clock.advance(60_000);
    expect(one.sent).toEqual([]);
    expect(await states(one)).toEqual(['waiting 0']);
    if (result.kind !== 'claimed') throw new Error(result.kind);
    await tasks.settle(
      result.claim,
      { kind: 'failed', failure: { code: 'x', message: 'x', context: {} } },
      null,
    );
    await clock.advance(2_000);
    expect(one.sent.map(({ body }) => body.split(' ')[0])).toEqual(['task.failed']);
    expect(await states(one)).toEqual(['succeeded 1']);
  });

  it('is sent with the task of its end, also after a retry and a removal', async () => {
    await openWorld();
    const { process } = startWorker(() => 200);
    await create(process, 'https://a.example/');
    await workers[0]!.worker.stop(0);
    const retried = await endTask(process, at.newId());
    await process.tasks.retry(retried.id);
    await endTask(process, at.newId());
    await process.tasks.prune({ olderThanMs: clock.nowMs() + 1, states: ['FAILED'] });
    const two = startWorker(() => 200, 'second');
    await clock.advance(1_000);
    expect(two.sent.map(({ body }) => body.split(' ')[0])).toEqual(['task.failed', 'task.failed']);
  });

  it('to a deleted webhook is not sent, and its deliveries are removed', async () => {
    await openWorld();
    const one = startWorker(() => 500);
    const { id } = await create(one.process, 'https://a.example/');
    await endTask(one.process, at.newId());
    await clock.advance(1_000);
    await at.open('command').store.deleteWebhook(id);
    await clock.advance(60_000);
    expect(one.sent).toHaveLength(1);
    expect(await one.process.store.countWaiting()).toBe(0);
    clock.jump(2 * HOUR_MS);
    await clock.advance(1_000);
    expect(await states(one)).toEqual([]);
  });
});

describe('many webhooks', () => {
  it('do not wait for one whose receiver never answers', async () => {
    await openWorld();
    const never = new Promise<number>(() => {});
    const one = startWorker(({ url }) => (url.includes('dead') ? never : 200));
    await create(one.process, 'https://dead.example/');
    await create(one.process, 'https://a.example/');
    for (let n = 0; n < 30; n++) await endTask(one.process, at.newId());
    await clock.advance(1_000);
    const dead = one.sent.filter(({ url }) => url.includes('dead'));
    expect([dead.length, one.sent.length - dead.length]).toEqual([4, 30]);
  });

  it('that fail get one request each at a time, and half of all together', async () => {
    await openWorld();
    let isDead = false;
    const pending: (() => void)[] = [];
    const one = startWorker(({ url }) => {
      if (url.includes('good')) return 200;
      return isDead ? new Promise((resolve) => pending.push(() => resolve(500))) : 500;
    });
    const organizations = [];
    for (let n = 0; n < 3; n++) organizations.push((await one.process.accounts.createOrganization()).id);
    for (const id of organizations) {
      for (let n = 0; n < 20; n++)
        await one.process.store.createWebhook({ organizationId: id, url: `https://bad${n}.example/` });
      await endTask(one.process, at.newId(), 'FAILED', id);
    }
    await clock.advance(1_000);
    expect(one.sent).toHaveLength(60);
    isDead = true;
    await create(one.process, 'https://good.example/');
    await clock.advance(6_000);
    await endTask(one.process, at.newId());
    await clock.advance(1_000);
    expect(pending).toHaveLength(32);
    expect(one.sent.filter(({ url }) => url.includes('good'))).toHaveLength(1);
    isDead = false;
    for (const answer of pending) answer();
  });
});

describe('several processes of one data folder', () => {
  it('send each delivery once', async () => {
    await openWorld();
    const all = ['first', 'second', 'third'].map((name) => startWorker(() => 200, name));
    await create(all[0]!.process, 'https://a.example/');
    for (let n = 0; n < 20; n++) {
      await endTask(all[n % 3]!.process, at.newId());
      for (const { worker } of all) worker.nudge();
    }
    await clock.advance(60_000);
    const sent = all.flatMap((each) => each.sent.map(({ messageId }) => messageId));
    expect([sent.length, new Set(sent).size]).toEqual([20, 20]);
  });

  it('go on where one died, with what it had not stored', async () => {
    await openWorld();
    const one = startWorker(() => new Promise<number>(() => {}));
    await create(one.process, 'https://a.example/');
    await endTask(one.process, at.newId());
    await clock.advance(1_000);
    expect(one.sent).toHaveLength(1);
    at.setLiveness('first', 'dead');
    const two = startWorker(() => 200, 'second');
    await clock.advance(1_000);
    expect(two.sent.map(({ messageId }) => messageId)).toEqual(one.sent.map(({ messageId }) => messageId));
    expect(await states(two)).toEqual(['succeeded 1']);
  });
});

describe('a worker that stops', () => {
  it('waits for what is being sent and begins nothing more', async () => {
    await openWorld();
    let answer = (_: number): void => {};
    const one = startWorker(() => new Promise((resolve) => (answer = resolve)));
    await create(one.process, 'https://a.example/');
    await endTask(one.process, at.newId());
    await clock.advance(1_000);
    const stopping = one.worker.stop(10_000);
    await endTask(one.process, at.newId());
    await settled();
    answer(200);
    await stopping;
    expect(one.sent).toHaveLength(1);
    expect((await states(one)).sort()).toEqual(['succeeded 1', 'waiting 0']);
  });

  it('leaves a receiver that does not answer to the next server, which sends at once', async () => {
    await openWorld();
    const one = startWorker(() => new Promise<number>(() => {}));
    await create(one.process, 'https://a.example/');
    await endTask(one.process, at.newId());
    await clock.advance(1_000);
    const stopping = one.worker.stop(2_000);
    await clock.advance(2_000);
    await stopping;
    expect(await states(one)).toEqual(['waiting 0']);
    const two = startWorker(() => 200, 'second');
    await clock.advance(0);
    expect(await states(two)).toEqual(['succeeded 1']);
  });
});

describe('a store that fails', () => {
  it('sends nothing twice while results cannot be stored, and stores them later', async () => {
    await openWorld();
    const one = startWorker(() => 200);
    await create(one.process, 'https://a.example/');
    const { claims } = one.process;
    const finish = claims.finish.bind(claims);
    claims.finish = async () => Promise.reject(new Error('the disk is full'));
    await endTask(one.process, at.newId());
    await endTask(one.process, at.newId());
    await clock.advance(60_000);
    const before = one.sent.length;
    expect(before).toBeLessThanOrEqual(2);
    expect(one.warnings.filter((text) => text === 'webhooks cannot be delivered now')).toHaveLength(1);
    claims.finish = finish;
    await clock.advance(2_000);
    expect(await states(one)).toEqual(['succeeded 1', 'succeeded 1']);
    expect(one.sent).toHaveLength(2);
  });
});

it('without webhooks a worker writes nothing', async () => {
  await openWorld();
  startWorker(() => 200);
  await clock.advance(10_000);
  expect(await readdir(at.home)).toEqual([]);
});
