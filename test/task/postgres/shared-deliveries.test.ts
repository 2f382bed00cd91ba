/**
 * Several servers that send the deliveries of one database: each end once, no receiver delays another, a crash loses
 * nothing.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemTaskClock } from '../../../src/task/engine/task-clock.ts';
import { newTaskId } from '../../../src/task/new-task-id.ts';
import { repairQueue } from '../../../src/task/postgres/queue/repair-queue.ts';
import { createPostgresTaskStore } from '../../../src/task/postgres/tasks/postgres-task-store.ts';
import type { OnTaskChange } from '../../../src/task/postgres/tasks/task-change.ts';
import { taskDeliveries } from '../../../src/task/postgres/webhooks/postgres-deliveries.ts';
import { postgresDeliveryRecords } from '../../../src/task/postgres/webhooks/postgres-delivery-records.ts';
import { openPostgresWebhooks } from '../../../src/task/postgres/webhooks/postgres-webhook-store.ts';
import type { TaskRecord } from '../../../src/task/task.ts';
import { deliveryId, tailOf, timeOf } from '../../../src/task/webhooks/delivery-id.ts';
import type { DeliveryRecords } from '../../../src/task/webhooks/dispatched-deliveries.ts';
import type { OpenedWebhooks, Sender } from '../../../src/task/webhooks/opened-webhooks.ts';
import {
  type FullDelivery,
  KEEP_ENDED_MS,
  MAX_ENDED,
  MAX_WAITING,
  TOO_MANY_WAITING,
} from '../../../src/task/webhooks/webhook.ts';
import type { WebhookStore } from '../../../src/task/webhooks/webhook-store.ts';
import { FAILURE, ORGANIZATION } from '../accounts/webhook/webhook-harness.ts';
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
  let opened: OpenedWebhooks;
  let store: WebhookStore;
  let records: DeliveryRecords;
  let going = new Map<string, number>();
  /** Between a claim and its request. */
  let onBody = () => {};
  const senders: Sender[] = [];
  beforeEach(() => {
    opened = openPostgresWebhooks({ database, url: server.url });
    store = opened.store;
    records = postgresDeliveryRecords(database);
    going = new Map();
    onBody = () => {};
  });
  afterEach(async () => {
    await Promise.all(senders.splice(0).map((sender) => sender.stop(0)));
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
  const jobs = () =>
    database.query<{ key: string; queueName: string; attempts: number; waitSec: number }>(
      `select key, queue_name, attempts, extract(epoch from run_at - clock_timestamp())::float8 as wait_sec
       from listing_video_queue.jobs where locked_at is null order by key`,
    );
  /** Ends the waits of all deliveries, as time does. */
  const makeDue = () =>
    database.query('update listing_video_queue._private_jobs set run_at = now() where locked_at is null');

  /**
   * A server. Its receivers answer as `reply` says; `most` is the highest number of requests to one at a time, over all
   * servers.
   */
  async function startServer(reply: (url: string) => number | Promise<number>, sends = true) {
    let skewMs = 0;
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
    const sender = await opened.openSender({
      clock: { ...systemTaskClock, nowMs: () => Date.now() + skewMs },
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
      bodyOf: ({ task }) => {
        onBody();
        return task.id;
      },
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
    if (sends) sender.start(() => '');
    senders.push(sender);
    const jump = (ms: number) => {
      skewMs += ms;
    };
    return { sender, attempts, warnings, sent, facts, until, jump };
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
    const tasks: string[] = [];
    for (let n = 0; n < 12; n++) tasks.push((await endTask()).id);
    const reply = () => new Promise<number>((resolve) => setImmediate(() => resolve(204)));
    const servers = await Promise.all([startServer(reply), startServer(reply), startServer(reply)]);
    await expect.poll(() => store.countWaiting(), { timeout: 20_000 }).toBe(0);
    const sent = servers.flatMap((each) => each.sent);
    expect(sent.sort()).toEqual([...tasks, ...tasks, ...tasks].sort());
    for (const { facts } of servers) expect(facts.most).toBeLessThanOrEqual(4);
    expect((await list()).map(({ state, attempts }) => [state, attempts])).toEqual(
      Array.from({ length: 36 }, () => ['succeeded', 1]),
    );
    expect(await jobs()).toEqual([]);
  });

  it('to a receiver that hangs or fails do not delay those to others', async () => {
    const id = await hook('slow');
    for (let n = 0; n < 30; n++) await endTask();
    const answers = answer();
    const reply = (url: string) => (url.includes('slow') ? answers.promise : 204);
    const first = await startServer(reply);
    const second = await startServer(reply);
    await expect.poll(() => first.sent.length + second.sent.length).toBeGreaterThan(1);
    await hook('quick');
    const { id: task } = await endTask();
    const quick = () => [...first.attempts, ...second.attempts];
    await expect.poll(() => quick().length, { timeout: 5_000 }).toBe(1);
    expect(quick()).toMatchObject([{ taskId: task, state: 'succeeded' }]);
    expect(going.get('https://slow.example/')).toBeLessThanOrEqual(4);
    answers.resolve(500);
    // From now on it gets one request at a time: all that wait move to one queue.
    const queues = async () => [...new Set((await jobs()).map(({ queueName }) => queueName))];
    await expect.poll(queues, { timeout: 20_000 }).toEqual([id]);
  });

  it('wait after a failure by the clock of the database, and are then sent again', async () => {
    const id = await hook('a');
    await endTask();
    const answers = [500, 200];
    const { attempts, until } = await startServer(() => answers.shift()!);
    await until(() => attempts.length === 1);
    expect(attempts[0]).toMatchObject({ state: 'waiting', attempts: 1 });
    await expect.poll(jobs).toMatchObject([{ attempts: 1 }]);
    const [job] = await jobs();
    expect(job!.waitSec).toBeLessThanOrEqual(3);
    expect(job!.queueName).toMatch(new RegExp(`^${id}(:[0-3])?$`));
    const shown = Date.parse((await list())[0]!.nextAttemptAt!) - Date.now();
    expect(Math.abs(shown - job!.waitSec * 1_000)).toBeLessThan(1_000);
    await makeDue();
    await until(() => attempts.length === 2);
    expect(await list()).toMatchObject([{ state: 'succeeded', attempts: 2, nextAttemptAt: null }]);
  });

  it('are given up after the last attempt of their job', async () => {
    await hook('a');
    await endTask();
    await database.query('update listing_video_queue._private_jobs set attempts = max_attempts - 1');
    const { attempts, until } = await startServer(() => 500);
    await until(() => attempts.length === 1);
    expect(await list()).toMatchObject([{ state: 'failed', attempts: 1 }]);
    await expect.poll(jobs).toEqual([]);
  });

  it('of a server that died are sent by another one, and the late result of the dead one changes nothing', async () => {
    await hook('a');
    await endTask();
    const late = await records.claim({ id: (await list())[0]!.id, attempt: 1, isAmongFailing: false });
    const ago = `now() - interval '1 minute'`;
    await database.query(
      `update listing_video_queue._private_jobs set locked_by = 'dead', locked_at = ${ago}, attempts = 1`,
    );
    await database.query(
      `update listing_video_queue._private_job_queues set locked_by = 'dead', locked_at = ${ago}`,
    );
    const { attempts, until } = await startServer(() => 204);
    await until(() => attempts.length === 1);
    await records.finish(late!, { state: 'failed', nextAttemptAt: null, problem: 'late' });
    expect(await list()).toMatchObject([{ state: 'succeeded', problem: null }]);
  });

  it('are free for another server at once when a server stops', async () => {
    await hook('a');
    await endTask();
    const hanging = await startServer(() => new Promise(() => {}));
    await hanging.until(() => hanging.sent.length === 1);
    await hanging.sender.stop(10);
    expect((await jobs())[0]!.waitSec).toBeLessThan(0.1);
    const { attempts, until } = await startServer(() => 204);
    await until(() => attempts.length === 1);
    expect(await list()).toMatchObject([{ state: 'succeeded', attempts: 1 }]);
  });

  it('fail at once when the receiver answers 410, also those that wait for their next attempt', async () => {
    const id = await hook('gone');
    await endTask();
    const answers = [500, 410];
    const { attempts, sent, until } = await startServer(() => answers.shift()!);
    await until(() => attempts.length === 1);
    // The attempt is known before its job is given back.
    const held = () =>
      database.query('select id from listing_video_queue._private_jobs where locked_at is not null');
    await expect.poll(held).toEqual([]);
    await database.query(`update listing_video_queue._private_jobs set run_at = now() + interval '1 hour'`);
    await endTask();
    await until(() => attempts.length === 3);
    expect(sent).toHaveLength(2);
    expect((await store.getWebhook(id)).disabledAt).not.toBeNull();
    expect((await list()).map(({ state, problem }) => [state, problem])).toEqual([
      ['failed', null],
      ['failed', 'the webhook is disabled'],
    ]);
  });

  it('keep the result of an attempt while the database is away, and are not sent again meanwhile', async () => {
    await hook('a');
    await endTask();
    const late = answer();
    const { attempts, warnings, sent, until } = await startServer(() => late.promise);
    await until(() => sent.length === 1);
    await server.stop();
    late.resolve(204);
    await until(() => warnings.includes('the result of a delivery cannot be stored now'));
    await server.start();
    await until(() => attempts.length === 1);
    await expect.poll(jobs, { timeout: 10_000 }).toEqual([]);
    expect(sent).toHaveLength(1);
    expect(await list()).toMatchObject([{ state: 'succeeded', attempts: 1 }]);
  });

  it('are not begun by a server that was stopped after its claim', async () => {
    await hook('a');
    await endTask();
    const first = await startServer(() => 204, false);
    onBody = () => first.jump(16_000);
    first.sender.start(() => '');
    await first.until(() => first.warnings.length === 1 || first.sent.length === 1);
    expect(first.warnings).toEqual(['a delivery cannot be sent']);
    expect(first.sent).toEqual([]);
  });

  it('get a job again when a person removed it, or its queue', async () => {
    await hook('a');
    for (let n = 0; n < 2; n++) await endTask();
    const before = await jobs();
    await database.query('delete from listing_video_queue._private_jobs where key = $1', [before[0]!.key]);
    await database.query('delete from listing_video_queue._private_job_queues');
    await repairQueue(database, async () => {});
    expect((await jobs()).map(({ key, queueName }) => [key, queueName])).toEqual(
      before.map(({ key, queueName }) => [key, queueName]),
    );
  });

  it('keep their queues while the end of their task is stored, and no two ends wait for each other', async () => {
    for (let n = 0; n < 10; n++) await hook(`${n}`);
    let wasCleaned = false;
    const clean = async () => {
      wasCleaned = true;
    };
    await endTask(
      openTasks(async ({ after }) => {
        if (after.state === 'FAILED') await repairQueue(database, clean);
      }),
    );
    expect(wasCleaned).toBe(false);
    await repairQueue(database, clean);
    expect(wasCleaned).toBe(true);
    await database.query('delete from listing_video_queue._private_jobs');
    await database.query('delete from listing_video_queue._private_job_queues');
    await Promise.all(Array.from({ length: 8 }, () => endTask()));
    expect(await jobs()).toHaveLength(80);
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
        `insert into listing_video.webhook_deliveries (id, webhook_id, state, delivery, task)
       select 'dlv_' || lpad(n::text, 24, '0'), webhook_id, state, delivery, task
       from listing_video.webhook_deliveries, generate_series(2, $1::int) n`,
        [MAX_WAITING],
      );
      await database.query(
        `update listing_video.webhook_deliveries
         set delivery = jsonb_set(delivery::jsonb, '{nextAttemptAt}', to_jsonb(now() + interval '1 hour'))`,
      );
      await database.query(`update listing_video_queue._private_jobs set run_at = now() + interval '1 hour'`);
      const { attempts, until, sender } = await startServer(() => 200, sends);
      const other = await endTask();
      sender.nudge();
      await until(() => attempts.length === 1);
      const facts = { webhookId: id, state: 'failed', attempts: 0, problem: TOO_MANY_WAITING };
      expect(attempts).toMatchObject([{ ...facts, taskId: other.id, task: { id: other.id } }]);
      expect(await list({ state: 'failed' })).toMatchObject([{ ...facts, taskId: other.id }]);
      expect(await store.countWaiting()).toBe(MAX_WAITING);
      expect(task.id).not.toBe(other.id);
      await sender.stop(0);
      expect(attempts).toHaveLength(1);
    },
  );

  it('of a webhook with damaged secrets wait and harm no others, until it is deleted', async () => {
    const id = await hook('damaged');
    await database.query(`update listing_video.webhooks set secrets = '"damaged"' where id = $1`, [id]);
    await hook('sound');
    await endTask();
    const { warnings, attempts, until } = await startServer(() => 200);
    await until(() => warnings.length > 0 && attempts.length > 0);
    expect(await list({ webhookId: id })).toMatchObject([{ state: 'waiting', attempts: 0 }]);
    expect(await store.deleteWebhook(id)).toMatchObject({ id });
    expect((await store.listWebhooks(ORGANIZATION)).data).toHaveLength(1);
    await records.upkeep();
    expect(await list()).toMatchObject([{ state: 'succeeded' }]);
  });

  it('that ended are removed after a week, or when there are too many, with those of deleted webhooks', async () => {
    const [kept, deleted] = [await hook('kept'), await hook('deleted')];
    for (let n = 0; n < 3; n++) await endTask();
    const { sender, attempts, until } = await startServer(() => 204);
    await until(() => attempts.length === 6);
    await sender.stop(0);
    await store.deleteWebhook(deleted);
    const [old, ...others] = (await list({ webhookId: kept })).toReversed();
    await database.query(`update listing_video.webhook_deliveries set id = $2 where id = $1`, [
      old!.id,
      deliveryId(timeOf(old!.id) - KEEP_ENDED_MS, tailOf(old!.id)),
    ]);
    await database.query(
      `insert into listing_video.webhook_deliveries
         select 'dlv_' || lpad(to_hex($3::bigint - n), 12, '0') || repeat('0', 12), webhook_id, state, delivery, task, claim
         from listing_video.webhook_deliveries, generate_series(1, $2::int) n where id = $1`,
      [others[0]!.id, MAX_ENDED, timeOf(others[0]!.id)],
    );
    await records.upkeep();
    const [row] = await database.query('select count(*) as count from listing_video.webhook_deliveries');
    expect(row).toEqual({ count: MAX_ENDED });
    expect((await list({ webhookId: kept })).slice(0, 2)).toEqual(others.toReversed());
  });
});
