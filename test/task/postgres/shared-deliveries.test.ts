/**
 * Several servers that send the deliveries of one database: each end once, no receiver delays another, a crash loses
 * nothing.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newTaskId } from '../../../src/task/new-task-id.ts';
import { createPostgresTaskStore } from '../../../src/task/postgres/tasks/postgres-task-store.ts';
import type { OnTaskChange } from '../../../src/task/postgres/tasks/task-change.ts';
import { taskDeliveries } from '../../../src/task/postgres/webhooks/postgres-deliveries.ts';
import { openPostgresWebhooks } from '../../../src/task/postgres/webhooks/postgres-webhook-store.ts';
import type { TaskRecord } from '../../../src/task/task.ts';
import { DeliveryWorker } from '../../../src/task/webhooks/delivery-worker.ts';
import {
  type FullDelivery,
  KEEP_ENDED_MS,
  MAX_ENDED,
  MAX_WAITING,
  TOO_MANY_WAITING,
} from '../../../src/task/webhooks/webhook.ts';
import type { WebhookStore } from '../../../src/task/webhooks/webhook-store.ts';
import { FAILURE, ORGANIZATION } from '../accounts/webhook/webhook-harness.ts';
import { ManualClock } from '../manual-clock.ts';
import { describeWithDatabase } from './test-server.ts';

/** An answer that the test gives later. */
function answer() {
  let resolve: (status: number) => void = () => {};
  const promise = new Promise<number>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

describeWithDatabase('deliveries that servers share', (server) => {
  const { database } = server;
  type Opened = ReturnType<typeof openPostgresWebhooks>;
  let opened: Opened;
  let store: WebhookStore;
  let going = new Map<string, number>();
  const workers: { readonly worker: DeliveryWorker; readonly clock: ManualClock }[] = [];
  beforeEach(() => {
    opened = openPostgresWebhooks({ database });
    store = opened.store;
    going = new Map();
  });
  afterEach(async () => {
    for (const { worker, clock } of workers.splice(0)) {
      const stopping = worker.stop(0);
      await clock.advance(0);
      await stopping;
    }
  });

  const hook = async (name: string) =>
    (await store.createWebhook({ organizationId: ORGANIZATION, url: `https://${name}.example/` })).id;
  const openTasks = (further: OnTaskChange = async () => {}) =>
    createPostgresTaskStore({
      database,
      onChange: async (change, transaction) => {
        await taskDeliveries(opened.lost)(change, transaction);
        await further(change, transaction);
      },
    });
  const endTask = async (tasks = openTasks()): Promise<TaskRecord> => {
    const { id } = await tasks.create({
      ...{ id: newTaskId(), origin: 'api', organizationId: ORGANIZATION, payload: null },
    });
    const result = await tasks.claim(id);
    if (result.kind !== 'claimed') throw new Error(result.kind);
    return tasks.settle(result.claim, { kind: 'failed', failure: FAILURE }, null);
  };
  const list = async (query = {}) => (await store.listDeliveries({ limit: 100, ...query })).data;
  /** Ends the waits and the claims of a webhook, as time does. */
  const makeDue = () =>
    database.query(`update listing_video.webhook_deliveries set due_at = now() where state = 'waiting'`);

  /**
   * A server. Its receivers answer as `reply` says; `most` is the highest number of requests to one at a time, over all
   * servers.
   */
  function startServer(reply: (url: string) => number | Promise<number>, by: Opened = opened, sends = true) {
    const clock = new ManualClock(Date.now());
    const attempts: FullDelivery[] = [];
    const warnings: string[] = [];
    const sent: string[] = [];
    const facts = { most: 0 };
    let onChange = () => {};
    const until = async (isDone: () => boolean) => {
      while (!isDone()) {
        await new Promise<void>((resolve) => {
          onChange = resolve;
        });
      }
    };
    const worker = new DeliveryWorker({
      ...by,
      clock,
      random: () => 0,
      logger: {
        debug: () => {},
        warn: (message) => {
          warnings.push(message);
          onChange();
        },
      },
      onAttempt: (delivery) => {
        attempts.push(delivery);
        onChange();
      },
      bodyOf: ({ task }) => task.id,
      send: async ({ url, body }, signal) => {
        signal.throwIfAborted();
        sent.push(body);
        onChange();
        going.set(url, (going.get(url) ?? 0) + 1);
        facts.most = Math.max(facts.most, going.get(url)!);
        const stopped = new Promise<never>((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        });
        const status = await Promise.race([reply(url), stopped]).finally(() =>
          going.set(url, going.get(url)! - 1),
        );
        return { at: new Date().toISOString(), durationMs: 1, status, error: null, response: '' };
      },
    });
    if (sends) worker.start(() => '');
    workers.push({ worker, clock });
    return { worker, clock, attempts, warnings, sent, facts, until };
  }

  it('are stored with the end of their task or not at all', async () => {
    await hook('a');
    const broken = openTasks(async ({ after }) => {
      if (after.state === 'FAILED') throw new Error('no end');
    });
    await expect(endTask(broken)).rejects.toThrow('no end');
    expect(await list()).toEqual([]);
    await endTask();
    expect(await list()).toHaveLength(1);
  });

  it('are each sent once, with four requests to a receiver at a time over all servers', async () => {
    for (const name of ['a', 'b', 'c']) await hook(name);
    const tasks = [];
    for (let n = 0; n < 12; n++) tasks.push((await endTask()).id);
    const reply = () => new Promise<number>((resolve) => setImmediate(() => resolve(204)));
    const servers = [startServer(reply), startServer(reply), startServer(reply)];
    const sent = () => servers.flatMap((each) => each.sent);
    while ((await store.countWaiting()) > 0) for (const { worker } of servers) worker.nudge();
    expect(sent().sort()).toEqual([...tasks, ...tasks, ...tasks].sort());
    for (const { facts } of servers) expect(facts.most).toBeLessThanOrEqual(4);
    expect((await list()).map(({ state, attempts }) => [state, attempts])).toEqual(
      Array.from({ length: 36 }, () => ['succeeded', 1]),
    );
  });

  it('to a receiver that hangs or fails do not delay those to others', async () => {
    await hook('slow');
    for (let n = 0; n < 30; n++) await endTask();
    const answers = answer();
    const first = startServer((url) => (url.includes('slow') ? answers.promise : 204));
    await first.until(() => first.sent.length === 4);
    const second = startServer((url) => (url.includes('slow') ? answers.promise : 204));
    await hook('quick');
    const { id } = await endTask();
    second.worker.nudge();
    await second.until(() => second.attempts.length === 1);
    expect(second.attempts).toMatchObject([{ taskId: id, state: 'succeeded' }]);
    expect(going.get('https://slow.example/')).toBe(4);
    answers.resolve(500);
    await first.until(() => first.attempts.length >= 1);
    await first.worker.stop(60_000);
    await second.worker.stop(60_000);
    const [webhook] = await database.query(
      `select is_failing from listing_video.webhooks where url like '%slow%'`,
    );
    expect(webhook).toEqual({ is_failing: true });
    await makeDue();
    const claims = await opened.claims.claim(64, true);
    expect(claims).toHaveLength(1);
    expect(await opened.claims.claim(64, true)).toEqual([]);
    expect(await opened.claims.claim(64, false)).toEqual([]);
  });

  it('wait after a failure by the clock of the database, and are then sent again', async () => {
    await hook('a');
    await endTask();
    const answers = [500, 200];
    const { worker, attempts, until } = startServer(() => answers.shift()!);
    await until(() => attempts.length === 1);
    expect(attempts[0]).toMatchObject({ state: 'waiting', attempts: 1 });
    const [row] = await database.query<{ wait: number }>(
      `select round(extract(epoch from due_at - clock_timestamp()))::int as wait from listing_video.webhook_deliveries`,
    );
    expect(row?.wait).toBeGreaterThanOrEqual(1);
    expect(row?.wait).toBeLessThanOrEqual(5);
    await makeDue();
    worker.nudge();
    await until(() => attempts.length === 2);
    expect(await list()).toMatchObject([{ state: 'succeeded', attempts: 2, nextAttemptAt: null }]);
  });

  it('of a server that died are sent by another one, and the late result of the dead one changes nothing', async () => {
    await hook('a');
    await endTask();
    const [late] = await opened.claims.claim(9, false);
    const { worker, attempts, until } = startServer(() => 204);
    worker.nudge();
    expect(await opened.claims.claim(9, false)).toEqual([]);
    await makeDue();
    worker.nudge();
    await until(() => attempts.length === 1);
    await opened.claims.finish(late!, { state: 'failed', nextAttemptAt: null, problem: 'late' }, 0);
    await opened.claims.release(late!, 0);
    expect(await list()).toMatchObject([{ state: 'succeeded', problem: null }]);
  });

  it('are free for another server at once when a server stops', async () => {
    await hook('a');
    await endTask();
    const hanging = startServer(() => new Promise(() => {}));
    await hanging.until(() => hanging.sent.length === 1);
    const stopping = hanging.worker.stop(1_000);
    await hanging.clock.advance(1_000);
    await stopping;
    const { attempts, until } = startServer(() => 204);
    await until(() => attempts.length === 1);
    expect(await list()).toMatchObject([{ state: 'succeeded', attempts: 1 }]);
  });

  it('fail at once when the receiver answers 410, also those that wait for their next attempt', async () => {
    const id = await hook('gone');
    await endTask();
    const answers = [500, 410];
    const { worker, attempts, sent, until } = startServer(() => answers.shift()!);
    await until(() => attempts.length === 1);
    await endTask();
    worker.nudge();
    await until(() => attempts.length === 3);
    expect(sent).toHaveLength(2);
    expect((await store.getWebhook(id)).disabledAt).not.toBeNull();
    expect((await list()).map(({ state, problem }) => [state, problem])).toEqual([
      ['failed', null],
      ['failed', 'the webhook is disabled'],
    ]);
  });

  it('keep the result of an attempt while the database is away', async () => {
    await hook('a');
    await endTask();
    const late = answer();
    const { worker, clock, attempts, warnings, sent, until } = startServer(() => late.promise);
    await until(() => sent.length === 1);
    await server.stop();
    late.resolve(204);
    await until(() => attempts.length === 1);
    await until(() => warnings.includes('webhooks cannot be delivered now'));
    expect(warnings).toContain('the result of a delivery cannot be stored now');
    await server.start();
    while ((await store.countWaiting()) > 0) {
      worker.nudge();
      await clock.advance(1_000);
    }
    expect(sent).toHaveLength(1);
    expect(await list()).toMatchObject([{ state: 'succeeded', attempts: 1 }]);
  });

  it('are not begun by a server that was stopped after its claim', async () => {
    await hook('a');
    await endTask();
    const clock = { jump: () => {} };
    const { signingSecrets } = store;
    const suspended = {
      ...opened,
      store: {
        ...store,
        signingSecrets: async (id: string) => {
          clock.jump();
          return signingSecrets(id);
        },
      },
    };
    const first = startServer(() => 204, suspended);
    clock.jump = () => first.clock.jump(16_000);
    await first.until(() => first.warnings.length === 1 || first.sent.length === 1);
    expect(first.warnings).toEqual(['a delivery cannot be sent']);
    expect(first.sent).toEqual([]);
  });

  it.each([
    ['a server', true],
    ['a worker, which sends none', false],
  ])(
    'beyond those that can wait fail at once, and %s logs and counts them as failed once',
    async (_, sends) => {
      const id = await hook('down');
      const task = await endTask();
      await database.query(
        `insert into listing_video.webhook_deliveries (id, message_id, webhook_id, organization_id, task_id, event, state, created_at,
         attempts, next_attempt_at, task, due_at)
       select 'dlv_' || lpad(n::text, 24, '0'), message_id, webhook_id, organization_id, task_id, event, state, created_at,
         attempts, next_attempt_at, task, now() + interval '1 hour'
       from listing_video.webhook_deliveries, generate_series(2, $1::int) n`,
        [MAX_WAITING],
      );
      await database.query(`update listing_video.webhook_deliveries set due_at = now() + interval '1 hour'`);
      const { attempts, until, worker } = startServer(() => 200, opened, sends);
      const other = await endTask();
      worker.nudge();
      await until(() => attempts.length === 1);
      const facts = { webhookId: id, state: 'failed', attempts: 0, problem: TOO_MANY_WAITING };
      expect(attempts).toMatchObject([{ ...facts, taskId: other.id, task: { id: other.id } }]);
      expect(await list({ state: 'failed' })).toMatchObject([{ ...facts, taskId: other.id }]);
      expect(await store.countWaiting()).toBe(MAX_WAITING);
      expect(task.id).not.toBe(other.id);
      await worker.stop(0);
      expect(attempts).toHaveLength(1);
    },
  );

  it('of a webhook with damaged secrets wait and harm no others, until it is deleted', async () => {
    const id = await hook('damaged');
    await database.query(`update listing_video.webhooks set secrets = '"damaged"' where id = $1`, [id]);
    await hook('sound');
    await endTask();
    const { warnings, sent, until } = startServer(() => 200);
    await until(() => warnings.length > 0 && sent.length > 0);
    expect(await list({ webhookId: id })).toMatchObject([{ state: 'waiting', attempts: 0 }]);
    expect(await store.deleteWebhook(id)).toMatchObject({ id });
    expect((await store.listWebhooks(ORGANIZATION)).data).toHaveLength(1);
    await opened.claims.upkeep();
    expect(await list()).toMatchObject([{ state: 'succeeded' }]);
  });

  it('that ended are removed after a week, or when there are too many, with those of deleted webhooks', async () => {
    const [kept, deleted] = [await hook('kept'), await hook('deleted')];
    for (let n = 0; n < 3; n++) await endTask();
    const { worker, attempts, until } = startServer(() => 204);
    await until(() => attempts.length === 6);
    await worker.stop(0);
    await store.deleteWebhook(deleted);
    const [old, ...others] = (await list({ webhookId: kept })).toReversed();
    await database.query(
      `update listing_video.webhook_deliveries set created_at = created_at - $2 * interval '1 ms' where id = $1`,
      [old!.id, KEEP_ENDED_MS],
    );
    await database.query(
      `insert into listing_video.webhook_deliveries
         select 'dlv_' || lpad(to_hex(n), 24, '0'), d.webhook_id, d.organization_id, d.message_id, d.task_id, d.event, d.state,
           d.created_at, d.attempts, d.first_attempt_at, d.next_attempt_at, d.last_attempt, d.problem, d.redelivery_of, d.task,
           d.due_at, d.claim
         from listing_video.webhook_deliveries d, generate_series(1, $2::int) n where d.id = $1`,
      [others[0]!.id, MAX_ENDED],
    );
    await opened.claims.upkeep();
    const [row] = await database.query('select count(*) as count from listing_video.webhook_deliveries');
    expect(row).toEqual({ count: MAX_ENDED });
    expect((await list({ webhookId: kept })).slice(0, 2)).toEqual(others.toReversed());
  });
});
