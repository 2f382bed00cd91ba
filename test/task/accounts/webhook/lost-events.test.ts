/** Ends of tasks whose webhook cannot get them: what is lost is reported, and what can be repaired loses nothing. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MAX_WAITING } from '../../../../src/task/webhooks/webhook.ts';
import { endTask, ORGANIZATION, openFileWebhookHarness, type SendingProcess } from './webhook-harness.ts';

let at: Awaited<ReturnType<typeof openFileWebhookHarness>>;
let one: SendingProcess;
let webhookId: string;

beforeEach(async () => {
  at = await openFileWebhookHarness();
  one = at.open();
  const made = await one.store.createWebhook({ organizationId: ORGANIZATION, url: 'https://a.example/' });
  webhookId = made.id;
});
afterEach(() => at.close());

const file = () => path.join(at.home, 'accounts', 'organizations', ORGANIZATION, 'organization.json');

it('a delivery beyond those that can wait is reported as given up, once', async () => {
  const folder = path.join(at.home, 'webhooks', 'waiting', webhookId);
  await mkdir(folder, { recursive: true });
  const names = Array.from({ length: MAX_WAITING }, (_, n) => `dlv_${n.toString(16).padStart(24, '0')}.json`);
  for (const name of names) await writeFile(path.join(folder, name), '');
  const task = await endTask(one, at.newId());
  expect(one.lost.take().givenUp).toMatchObject([{ taskId: task.id, state: 'failed', webhookId }]);
  expect(one.lost.take().givenUp).toEqual([]);
});

it.each(['{"id": ', 'webhook'])(
  'damage (%s) stops no task, and the lost event is reported with the file',
  async (how) => {
    const whole = JSON.parse(await readFile(file(), 'utf8'));
    const text = how === 'webhook' ? JSON.stringify({ ...whole, webhooks: [{ id: webhookId }] }) : how;
    await writeFile(file(), text);
    const task = await endTask(one, at.newId());
    const [lost] = one.lost.take().warnings;
    expect(lost?.message).toContain('`listing-video webhooks create`');
    expect(lost?.facts).toMatchObject({ task: task.id });
    expect(String(lost?.facts?.error)).toContain(file());
  },
);

it('a webhook that cannot be read now stops the ends of tasks, and the error says what helps', async () => {
  await rm(file());
  await mkdir(file());
  const error = await endTask(one, at.newId()).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'store_unwritable' });
  expect(String(error)).toContain(file());
  expect(String(error)).toContain('make the file readable for this user');
});
