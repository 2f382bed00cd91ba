/**
 * Webhooks on a real disk under attack: a full disk, thousands of deliveries that wait, damaged files, a cancelled
 * task.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createFileTaskStore } from '../../src/task/files/tasks/file-task-store.ts';
import { DeliveryWorker } from '../../src/task/webhooks/delivery-worker.ts';
import { MAX_ENDED, MAX_WAITING } from '../../src/task/webhooks/webhook.ts';

import { run } from '../cli/run-cli.ts';
import { deferred } from '../deferred.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import {
  endTask,
  FAILURE,
  ORGANIZATION,
  openFileWebhookHarness,
  type SendingProcess,
} from '../task/accounts/webhook/webhook-harness.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function openWorld() {
  const at = await openFileWebhookHarness();
  closers.push(() => at.close());
  const first = at.open();
  const create = (url: string) => first.store.createWebhook({ organizationId: ORGANIZATION, url });
  const folder = (state: string, id: string) => path.join(at.home, 'webhooks', state, id);
  return { at, first, create, folder };
}

const documentOf = (home: string) =>
  path.join(home, 'accounts/organizations', ORGANIZATION, 'organization.json');

/** A worker with the real clock, whose receivers answer as `reply` says. */
function startWorker(
  { store, claims, lost }: SendingProcess,
  reply: (url: string) => Promise<number> | number,
) {
  const sent: string[] = [];
  const warnings: string[] = [];
  const worker = new DeliveryWorker({
    store,
    claims,
    lost,
    clock: {
      nowMs: Date.now,
      schedule: (action, delayMs) => clearTimeout.bind(null, setTimeout(action, delayMs)),
    },
    logger: { debug: () => {}, warn: (message) => warnings.push(message) },
    onAttempt: () => {},
    bodyOf: ({ event }) => event,
    send: async ({ url }) => {
      sent.push(url);
      const status = await reply(url);
      return { at: new Date().toISOString(), durationMs: 1, status, error: null, response: '' };
    },
  });
  worker.start(() => '');
  closers.push(() => worker.stop(0));
  return { worker, sent, warnings };
}

/** Copies the only delivery of a folder until there are `count`. */
function multiply(folder: string, count: number): void {
  const [name = ''] = readdirSync(folder);
  const text = readFileSync(path.join(folder, name), 'utf8');
  const id = name.replace('.json', '');
  for (let n = readdirSync(folder).length; n < count; n++) {
    const copy = `dlv_${n.toString(16).padStart(24, '0')}`;
    writeFileSync(path.join(folder, `${copy}.json`), text.replace(id, copy));
  }
}

describe('thousands of deliveries that wait', () => {
  it('are bounded: a further one fails at once and can be redelivered', async () => {
    const { at, first, create, folder } = await openWorld();
    const { id } = await create('https://dead.example/');
    await endTask(first, at.newId());
    multiply(folder('waiting', id), MAX_WAITING);
    at.nowMs += 1_000;
    const task = await endTask(first, at.newId());
    expect(readdirSync(folder('waiting', id))).toHaveLength(MAX_WAITING);
    const { data } = await first.store.listDeliveries({ state: 'failed', limit: 5 });
    expect(data).toMatchObject([{ taskId: task.id, attempts: 0, problem: expect.stringContaining('10000') }]);
    expect(await first.store.redeliver(data[0]!.id)).toMatchObject({ state: 'waiting', taskId: task.id });
  });

  it('of a receiver that does not answer do not hold up another webhook', async () => {
    const { at, first, create, folder } = await openWorld();
    const { id } = await create('https://dead.example/');
    await endTask(first, at.newId());
    multiply(folder('waiting', id), MAX_WAITING);
    await create('https://good.example/');
    await endTask(first, at.newId());
    const answer = deferred();
    const isSent = deferred();
    const { sent } = startWorker(first, async (url) => {
      if (url.includes('good')) isSent.resolve();
      else await answer.promise;
      return 200;
    });
    closers.push(answer.resolve);
    await isSent.promise;
    expect(sent.filter((url) => url.includes('dead')).length).toBeLessThanOrEqual(4);
  });

  it('are forgotten when they have ended: the newest thousand of each state stay, for 7 days', async () => {
    const { at, first, create, folder } = await openWorld();
    const { id } = await create('https://a.example/');
    await endTask(first, at.newId());
    const [waiting] = (await first.store.listDeliveries({ limit: 1 })).data;
    const [claimed] = await first.claims.claim(1, false);
    await first.claims.finish(claimed!, { state: 'failed', nextAttemptAt: null }, 0);
    multiply(folder('failed', id), MAX_ENDED + 50);
    await first.claims.upkeep();
    // The copies have ids of 1970.
    expect(readdirSync(folder('failed', id))).toEqual([`${waiting!.id}.json`]);
    at.nowMs += 7 * 24 * 3_600_000;
    await first.claims.upkeep();
    expect(readdirSync(folder('failed', id))).toHaveLength(1);
    at.nowMs += 1;
    await first.claims.upkeep();
    expect(readdirSync(folder('failed', id))).toEqual([]);
  });
});

describe('a file that is damaged', () => {
  it.each(['', '{', '[]', '{"id":"org_0000000000000000"}', '{"url":5}'])(
    'of an organization (%s) does not keep tasks from ending, and is a warning',
    async (text) => {
      const { at, first, create } = await openWorld();
      await create('https://a.example/');
      writeFileSync(documentOf(at.home), text);
      await endTask(first, at.newId());
      expect((await first.store.listDeliveries({ limit: 5 })).data).toEqual([]);
      expect((await first.store.listWebhooks()).warnings).toHaveLength(1);
    },
  );

  it.each(['""', 'null', '[]', '{"id":"wh_0000000000000000"}', '{"url":5}'])(
    'of a webhook (%s) does not keep tasks from ending, and its neighbour gets the event',
    async (text) => {
      const { at, first, create } = await openWorld();
      const damaged = await create('https://a.example/');
      const sound = await create('https://b.example/');
      const file = documentOf(at.home);
      const { webhooks, ...document } = JSON.parse(readFileSync(file, 'utf8'));
      const others = webhooks.filter(({ id }: { id: string }) => id !== damaged.id);
      writeFileSync(file, JSON.stringify({ ...document, webhooks: [JSON.parse(text), ...others] }));
      await endTask(first, at.newId());
      const { data } = await first.store.listDeliveries({ limit: 5 });
      expect(data.map(({ webhookId }) => webhookId)).toEqual([sound.id]);
      expect((await first.store.listWebhooks()).warnings).toHaveLength(1);
    },
  );

  it('of a delivery is listed as a warning, and the others are sent', async () => {
    const { at, first, create, folder } = await openWorld();
    const { id } = await create('https://a.example/');
    await endTask(first, at.newId());
    const [name = ''] = readdirSync(folder('waiting', id));
    writeFileSync(path.join(folder('waiting', id), name), '{"id":');
    at.nowMs += 1_000;
    await endTask(first, at.newId());
    expect((await first.store.listDeliveries({ limit: 5 })).warnings).toHaveLength(1);
    const isSent = deferred();
    const { warnings } = startWorker(first, () => {
      isSent.resolve();
      return 200;
    });
    await isSent.promise;
    expect(warnings.filter((text) => text !== 'a delivery cannot be sent')).toEqual([]);
  });
});

it('the end of a task on a full disk is neither shown nor lost', async (context) => {
  const disk = temporaryFolder();
  closers.push(() => rmSync(disk, { recursive: true, force: true }));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk], { stdio: 'ignore' });
  } catch {
    return context.skip('this user cannot mount a tmpfs');
  }
  closers.push(() => execFileSync('umount', [disk]));
  const { first, at } = await openWorld();
  await first.store.createWebhook({ organizationId: ORGANIZATION, url: 'https://a.example/' });
  // The tasks have room, the deliveries have none.
  execFileSync('ln', ['-s', disk, path.join(at.home, 'webhooks')]);
  writeFileSync(path.join(disk, 'data'), Buffer.alloc(4 * 1024 * 1024), { flag: 'a' });
  const id = at.newId();
  await first.tasks.create({ id, origin: 'api', organizationId: ORGANIZATION, payload: null });
  const result = await first.tasks.claim(id);
  if (result.kind !== 'claimed') throw new Error(result.kind);
  const end = { kind: 'failed', failure: FAILURE } as const;
  await expect(first.tasks.settle(result.claim, end, null)).rejects.toMatchObject({ code: 'disk_full' });
  expect(await at.open('second').tasks.get(id)).toMatchObject({ state: 'RUNNING' });
  rmSync(path.join(disk, 'data'));
  expect(await first.tasks.settle(result.claim, end, null)).toMatchObject({ state: 'FAILED' });
  expect((await first.store.listDeliveries({ limit: 5 })).data).toMatchObject([
    { taskId: id, state: 'waiting' },
  ]);
});

it('a task of the API that a command cancels has its event', async () => {
  const home = temporaryFolder();
  const { openBackend } = await import('../../src/wiring/open-backend.ts');
  const world = { cwd: home, openBackend, env: { LISTING_VIDEO_HOME: home } };
  await run(['webhooks', 'create', '--url', 'https://a.example/'], world);
  const store = createFileTaskStore({ home });
  const id = '01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00';
  await store.create({ id, origin: 'api', organizationId: ORGANIZATION, payload: null });
  expect((await run(['tasks', 'cancel', id], world)).exitCode).toBe(0);
  const { data } = (await run(['webhooks', 'deliveries', '--json'], world)).json();
  expect(data).toMatchObject([{ task_id: id, event: 'task.failed', state: 'waiting' }]);
});
