/** Data folders of earlier versions open, records of later versions are left alone. */
import fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFileAccountStore } from '../../src/account/create-account-store.ts';
import { createFileTaskStore } from '../../src/task/files/tasks/file-task-store.ts';
import type { TaskStore } from '../../src/task/task-store.ts';
import { VIDEO_TASK_CODEC } from '../../src/video/video-task-codec.ts';
import { summarizePayload } from '../../src/video/video-task-summary.ts';
import FIXTURE from './fixtures/home-of-0.1.0.json' with { type: 'json' };

const idOf = (number: number) =>
  Object.keys(FIXTURE.files)
    .map((file) => file.split('/')[2] ?? '')
    .find((id) => id.endsWith(`${number}`) && id.length === 36)!;
const PENDING = idOf(1);
const SUCCEEDED = idOf(2);
const FAILED = idOf(3);
const RUNNING = idOf(4);
const LOCAL = idOf(5);

const STOPPED_SEC = Date.UTC(2026, 9, 1, 9, 10) / 1000;

let home: string;
let store: TaskStore;
beforeEach(async () => {
  home = await fs.mkdtemp(join(tmpdir(), 'listing-video-earlier-'));
  for (const [file, content] of Object.entries(FIXTURE.files)) {
    await fs.mkdir(dirname(join(home, file)), { recursive: true });
    await fs.writeFile(join(home, file), content);
    // The time of a claim is its last heartbeat.
    await fs.utimes(join(home, file), STOPPED_SEC, STOPPED_SEC);
  }
  store = createFileTaskStore({ home, summarize: summarizePayload, durable: false });
});
afterEach(() => fs.rm(home, { recursive: true, force: true }));

const recordOf = (id: string) => join(home, 'tasks', id.slice(0, 6), id, 'task.json');
const readRecord = async (id: string) => JSON.parse(await fs.readFile(recordOf(id), 'utf8'));

it('tasks, keys and credits of 0.1.0 are there', async () => {
  const { data, warnings } = await store.list({ limit: 9 });
  expect(warnings).toEqual([]);
  expect(data.map(({ id, state, summary }) => [id, state, summary])).toEqual([
    [LOCAL, 'FAILED', { label: 'local', title: '12 Main St', resultCount: 2 }],
    [RUNNING, 'RUNNING', { label: 'running', title: '12 Main St', resultCount: 2 }],
    [FAILED, 'FAILED', { label: 'failed', title: '12 Main St', resultCount: 2 }],
    [SUCCEEDED, 'SUCCEEDED', { label: 'succeeded', title: '12 Main St', resultCount: 2 }],
    [PENDING, 'PENDING', { label: 'pending', title: '12 Main St', resultCount: 2 }],
  ]);
  expect(data[1]?.progress).toMatchObject({ percent: 40 });
  expect(VIDEO_TASK_CODEC.outcome.decode(data[3]!.outcome)).toMatchObject({
    value: { results: [{ agent_id: 'june' }, { agent_id: 'ada' }] },
  });
  const accounts = createFileAccountStore({ home, tasks: store });
  // Ten were granted. Two are spent, and two tasks of two videos are reserved.
  expect(await accounts.defaultOrganization()).toMatchObject({ balance: 4 });
  expect((await accounts.listKeys()).data).toHaveLength(1);
  await accounts.close();
});

it('tasks of 0.1.0 run and can be retried, with the payload that they had', async () => {
  for (const [id, label] of [
    [RUNNING, 'running'],
    [PENDING, 'pending'],
  ] as const) {
    const result = await store.claim(id);
    if (result.kind !== 'claimed') throw new Error(result.kind);
    const { payload, summary } = result.claim.task;
    expect(summary?.label).toBe(label);
    expect(VIDEO_TASK_CODEC.payload.decode(payload)).toMatchObject({ value: { listing: { id: label } } });
    await store.settle(result.claim, { kind: 'succeeded', outcome: null }, null);
    expect(await readRecord(id)).toMatchObject({ schemaVersion: 2, payload });
  }
  expect(await store.retry(LOCAL)).toMatchObject({ state: 'PENDING', retries: 1 });
  expect(await store.payload(LOCAL)).toMatchObject({ listingFile: '/listings/local.json' });
});

it('a large payload moves out of a record of 0.1.0 with its next change', async () => {
  const record = await readRecord(PENDING);
  record.payload.note = 'x'.repeat(100_000);
  await fs.writeFile(recordOf(PENDING), JSON.stringify(record));
  const result = await store.claim(PENDING);
  expect(result).toMatchObject({ kind: 'claimed', claim: { task: { payload: record.payload } } });
  const { size } = await fs.stat(recordOf(PENDING));
  expect(size).toBeLessThan(2_000);
  expect(await store.payload(PENDING)).toEqual(record.payload);
});

it('a record of a later version is reported, and no command changes it', async () => {
  const record = { ...(await readRecord(FAILED)), schemaVersion: 3, mood: 'new' };
  await fs.writeFile(recordOf(FAILED), JSON.stringify(record));
  const { data, warnings } = await store.list({ limit: 9 });
  expect(data.map(({ id }) => id)).toEqual([LOCAL, RUNNING, SUCCEEDED, PENDING]);
  expect(warnings).toMatchObject([
    { id: FAILED, message: expect.stringContaining('a newer version of listing-video wrote it') },
  ]);
  for (const call of ['get', 'claim', 'retry', 'requestCancel', 'reclaim'] as const) {
    await expect(store[call](FAILED)).rejects.toMatchObject({
      code: 'store_corrupt',
      hint: 'update listing-video; every other task is unaffected',
    });
  }
  const { removed } = await store.prune({ olderThanMs: Number.MAX_SAFE_INTEGER, states: ['FAILED'] });
  expect(removed).toEqual([LOCAL]);
  expect(await readRecord(FAILED)).toEqual(record);
});
