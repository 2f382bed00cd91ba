/** The queue of a database under load: turns of organizations, tasks a second, and the way of a message to its receiver. */
import { readFile } from 'node:fs/promises';
import { DEFAULT_ORGANIZATION_ID } from '../../../src/task/accounts/account-rules.ts';
import { systemTaskClock } from '../../../src/task/engine/task-clock.ts';
import { createTaskEngine } from '../../../src/task/engine/task-engine.ts';
import { newTaskId } from '../../../src/task/new-task-id.ts';
import type { TaskRecord } from '../../../src/task/task.ts';
import { openDatabaseStores } from '../../../src/wiring/stores/open-database-stores.ts';
import type { Stores } from '../../../src/wiring/stores/stores.ts';
import { atMost, type BenchRow, noBar } from '../bench-row.ts';

const WAITING = 10_000;
/** Tasks that two workers do before, between and after those of the second organization. */
const DONE = 400;
/** Of a task: all of it is the queue's, so that the queue is the bottleneck. */
const WORK_MS = 50;
const MESSAGES = 200;
const BURST = 2_000;

const PAYLOAD = readFile(new URL('../../../fixtures/listing.json', import.meta.url), 'utf8').then((text) => ({
  listing: JSON.parse(text),
}));

const silent = { debug: () => {}, warn: () => {} };

/** One organization adds ten thousand tasks; then another adds one, and ten more. */
export async function benchTurns(url: string): Promise<BenchRow[]> {
  const accepting = await openDatabaseStores(url);
  const { store } = accepting;
  const accounts = await accepting.accounts();
  const [many, few] = [(await accounts.createOrganization()).id, (await accounts.createOrganization()).id];
  const accept = async (organizationId: string) =>
    store.create({ id: newTaskId(), origin: 'api', organizationId, payload: await PAYLOAD });
  for (let n = 0; n < WAITING; n += 16) await Promise.all(Array.from({ length: 16 }, () => accept(many)));
  const started: { readonly id: string; readonly owner: string | null; readonly atMs: number }[] = [];
  let workedMs = 0;
  const workers = await Promise.all(
    [1, 2].map(() =>
      openWorker(url, async ({ id, organizationId }) => {
        started.push({ id, owner: organizationId, atMs: performance.now() });
        await passed(WORK_MS);
        workedMs += WORK_MS;
      }),
    ),
  );
  const beganMs = performance.now();
  await reached(() => started.length >= DONE / 4);
  const waits: number[] = [];
  for (let n = 0; n < 10; n++) {
    const acceptedMs = performance.now();
    const { id } = await accept(few);
    await reached(() => started.some((each) => each.id === id));
    waits.push(started.find((each) => each.id === id)!.atMs - acceptedMs);
  }
  // Ten at once take turns with the others.
  const before = started.length;
  await Promise.all(Array.from({ length: 10 }, () => accept(few)));
  await reached(() => started.slice(before).filter(({ owner }) => owner === few).length >= 10);
  const turns = started.length - before;
  await reached(() => started.length >= DONE);
  const tookMs = performance.now() - beganMs;
  for (const { stop } of workers) await stop();
  await accepting.close();
  return [
    atMost(
      `start of a task of B with ${WAITING} of A waiting and tasks of ${WORK_MS} ms, slowest of 10`,
      Math.max(...waits),
      3_000,
      'ms',
    ),
    noBar('  the same, median', waits.sort((a, b) => a - b)[5]!, 'ms'),
    atMost('  tasks that start until ten of B have', turns, 30),
    noBar(
      `  tasks of ${WORK_MS} ms by two workers of one slot each, with preparing`,
      (started.length * 1_000) / tookMs,
      'a second',
    ),
    noBar('  part of the time in which the slots work', workedMs / (2 * tookMs)),
  ];
}

/** From the end of a task to the request of its message, one after the other and many at once. */
export async function benchDeliveries(url: string): Promise<BenchRow[]> {
  const [ending, sending] = [await openDatabaseStores(url), await openDatabaseStores(url)];
  const { store } = await ending.webhooks();
  for (let n = 0; n < 10; n++)
    await store.createWebhook({ organizationId: DEFAULT_ORGANIZATION_ID, url: `https://${n}.example/` });
  let sent = 0;
  let onSent = () => {};
  const sender = await openSender(sending, () => {
    sent += 1;
    onSent();
  });
  sender.start(() => '');
  await passed(1_000);
  const taken: number[] = [];
  for (let n = 1; n <= MESSAGES; n++) {
    const first = new Promise<void>((resolve) => {
      onSent = resolve;
    });
    await endTask(ending);
    const endedMs = performance.now();
    await first;
    taken.push(Math.max(0, performance.now() - endedMs));
    await reached(() => sent === 10 * n);
  }
  taken.sort((a, b) => a - b);
  const beganMs = performance.now();
  const target = sent + BURST;
  for (let n = 0; n < BURST / 10; n += 10)
    await Promise.all(Array.from({ length: 10 }, () => endTask(ending)));
  const endedMs = performance.now();
  await reached(() => sent >= target);
  const tookMs = performance.now() - beganMs;
  await sender.stop(0);
  for (const stores of [ending, sending]) await stores.close();
  return [
    noBar('from the end of a task to the first of its 10 messages, median', taken[MESSAGES / 2]!, 'ms'),
    noBar('  the same, p95', taken[Math.floor(MESSAGES * 0.95)]!, 'ms'),
    noBar(
      `messages to 10 webhooks, ${BURST} of tasks that end in ${Math.round(endedMs - beganMs)} ms`,
      (BURST * 1_000) / tookMs,
      'a second',
    ),
  ];
}

async function openWorker(url: string, work: (task: TaskRecord) => Promise<void>) {
  const stores = await openDatabaseStores(url);
  const options = {
    logger: silent,
    tasksAtOnce: 1,
    jobsAtOnce: 3,
    takesBatches: false,
    onRedelivered: () => {},
  };
  const engine = createTaskEngine({
    store: stores.store,
    queue: await stores.openQueue!(options),
    prepared: 2,
    handler: async (task, { takeSlot }) => {
      await takeSlot();
      await work(task);
      return {};
    },
  });
  engine.start();
  return {
    stop: async () => {
      await engine.drain(0);
      await stores.close();
    },
  };
}

async function openSender(stores: Stores, onSend: () => void) {
  const webhooks = await stores.webhooks();
  return webhooks.openSender({
    clock: systemTaskClock,
    logger: silent,
    onAttempt: () => {},
    bodyOf: () => '',
    send: async () => {
      onSend();
      return { at: new Date().toISOString(), durationMs: 1, status: 204, error: null, response: '' };
    },
  });
}

async function endTask({ store }: Stores): Promise<void> {
  const owner = { origin: 'api', organizationId: DEFAULT_ORGANIZATION_ID } as const;
  const { id } = await store.create({ id: newTaskId(), ...owner, payload: await PAYLOAD });
  await store.requestCancel(id);
}

const passed = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function reached(isSo: () => boolean): Promise<void> {
  while (!isSo()) await passed(1);
}
