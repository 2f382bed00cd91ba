/** `webhooks`: what an operator sees and does, in words and as JSON. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import { createTestAccounts } from '../task/accounts/test-accounts.ts';
import { createMemoryTaskStore } from '../task/memory-task-store.ts';
import { idAt } from '../task/store-harness.ts';
import { folderOf } from './listing-files.ts';
import { type CliRun, type FakeWorld, parseLines, run, testWebhooks } from './run-cli.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 14, 3, 7, 123);
const CLOCK = { nowMs: () => NOW_MS, schedule: () => () => {} };
const HOOK = 'https://example.com/webhooks/videos?token=s3cret';

/** A home in memory and a way to run commands on it. */
async function openHome(test?: FakeWorld['webhooks']) {
  const store = createMemoryTaskStore({ beforeEnd: (task) => webhooks.addDeliveries(task) });
  const home = temporaryFolder();
  const accounts = createTestAccounts({ tasks: store, home, clock: CLOCK });
  const webhooks = { ...testWebhooks(store, home), ...test };
  const cwd = await folderOf();
  const type = (...words: string[]): Promise<CliRun> =>
    run(['webhooks', ...words], { cwd, store, accounts, webhooks });
  const make = async (): Promise<string> => (await type('create', '--url', HOOK, '--json')).json().id;
  const endTask = async (): Promise<string> => {
    const id = idAt(NOW_MS, made++);
    await store.create({ id, origin: 'api', organizationId: 'org_default', payload: null });
    await store.requestCancel(id);
    return id;
  };
  let made = 0;
  /** The lines of the audit log. */
  const audit = () => parseLines(readFileSync(path.join(home, 'audit.ndjson'), 'utf8'));
  return { store, accounts, webhooks, type, make, endTask, audit };
}

describe('webhooks create', () => {
  it('prints the secret on stdout and nothing else', async () => {
    const { type } = await openHome();
    const { exitCode, stdout, stderr } = await type('create', '--url', HOOK);
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}\n$/)]);
    expect(stderr).toContain('cannot be shown again');
    expect(stderr).toMatch(/listing-video webhooks test wh_[0-9a-f]{16}/);
  });

  it('prints a document with --json', async () => {
    const { type } = await openHome();
    const { json } = await type('create', '--url', HOOK, '--events', 'task.failed', '--json');
    expect(json()).toEqual({
      id: expect.stringMatching(/^wh_[0-9a-f]{16}$/),
      organization_id: 'org_default',
      url: HOOK,
      events: ['task.failed'],
      created_at: expect.stringMatching(/\+00:00$/),
      disabled_at: null,
      secret: expect.stringMatching(/^whsec_/),
    });
  });

  it.each([
    [['create'], '--url'],
    [['create', '--url', 'example.com'], 'is not a URL'],
    [['create', '--url', 'https://ann:pw@example.com/'], 'user name or password'],
    [['create', '--url', HOOK, '--events', 'task.suceeded'], 'did you mean task.succeeded?'],
    [['create', '--url', HOOK, '--events', ''], 'there is no event ""'],
    [['deliveries', '--state', 'lost'], 'waiting, succeeded or failed'],
    [['deliveries', '--limit', '0'], '1 to 100'],
  ])('%j is exit 2', async (words, message) => {
    const { type } = await openHome();
    const { exitCode, stderr } = await type(...words);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(stderr).not.toContain('ann:pw');
  });

  it('wants an organization when there are several', async () => {
    const { type, accounts } = await openHome();
    const { id } = await accounts.createOrganization();
    const refused = await type('create', '--url', HOOK);
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('--organization')]);
    const { json } = await type('create', '--url', HOOK, '--organization', id, '--json');
    expect(json()).toMatchObject({ organization_id: id });
    const lists = await Promise.all(
      [id, 'org_default'].map((one) => type('list', '--organization', one, '--json')),
    );
    expect(lists.map((list) => list.json().data.length)).toEqual([1, 0]);
  });

  it.each([
    [['create', '--url', HOOK, '--organization', 'org_nobody'], 'organization_not_found'],
    [['list', '--organization', 'org_nobody'], 'organization_not_found'],
    [['delete', 'wh_0000000000000000'], 'webhook_not_found'],
    [['rotate', 'wh_0000000000000000'], 'webhook_not_found'],
    [['test', 'wh_0000000000000000'], 'webhook_not_found'],
    [['deliveries', 'wh_0000000000000000'], 'webhook_not_found'],
    [['redeliver', 'dlv_000000000000000000000000'], 'delivery_not_found'],
    [['list', '--server', 'https://videos.example.com'], 'usage'],
  ])('%j is exit 2 with %s', async (words, code) => {
    const { type } = await openHome();
    const { exitCode, json } = await type(...words, '--json');
    expect([exitCode, json().error.code]).toEqual([2, code]);
  });
});

describe('webhooks list, rotate and delete', () => {
  it('show no secret but a new one', async () => {
    const { type, make } = await openHome();
    expect((await type('list')).stderr).toContain('no webhooks');
    const id = await make();
    const list = await type('list');
    expect(list.stdout.split('\n')[0]).toMatch(/^ID +ORGANIZATION +EVENTS +CREATED +DISABLED +URL$/);
    expect(list.stdout).toContain(HOOK);
    const rotated = await type('rotate', id);
    expect(rotated.stdout).toMatch(/^whsec_\S+\n$/);
    expect(rotated.stderr).toContain('24 hours');
    expect((await type('list', '--json')).stdout).not.toContain('whsec_');
    expect((await type('delete', id)).stdout).toBe(`${id} is deleted\n`);
    expect((await type('list', '--json')).json()).toEqual({ data: [], has_more: false });
  });

  it('are in the audit log, without secret and without the path of the URL', async () => {
    const { type, make, audit, webhooks } = await openHome();
    const id = await make();
    await type('rotate', id);
    await webhooks.disableWebhook(id);
    await type('delete', id);
    const common = { webhook_id: id, organization_id: 'org_default', schema_version: 1 };
    expect(audit()).toMatchObject([
      { ...common, event: 'webhook.created', url_host: 'example.com' },
      { ...common, event: 'webhook.secret_rotated' },
      { ...common, event: 'webhook.disabled', reason: 'HTTP 410' },
      { ...common, event: 'webhook.deleted' },
    ]);
    expect(JSON.stringify(audit())).not.toMatch(/whsec_|s3cret/);
  });
});

describe('webhooks test', () => {
  const answer = (attempt: object) => ({
    test: async () => ({
      ...{ at: '2026-11-20T14:00:00.000Z', durationMs: 12, status: null, error: null, response: '' },
      ...attempt,
    }),
  });

  it.each([
    [{ status: 204 }, 0, 'delivered: HTTP 204, 12 ms\n'],
    [{ status: 500, response: 'no' }, 1, 'not delivered: HTTP 500, 12 ms\nanswer: no\n'],
    [{ status: 302 }, 1, 'not delivered: HTTP 302, 12 ms\n'],
    [{ error: 'blocked_address: x' }, 1, 'not delivered: blocked_address: x, 12 ms\n'],
    [{ status: 200, response: '\u001b[2Jx' }, 0, 'delivered: HTTP 200, 12 ms\nanswer: \\x1b[2Jx\n'],
  ])('of a receiver that answers %j is exit %d', async (attempt, exitCode, stdout) => {
    const { type, make } = await openHome(answer(attempt) as never);
    expect(await type('test', await make())).toMatchObject({ exitCode, stdout });
  });

  it('names the option that allows a private receiver, which serve has too', async () => {
    const { type, make } = await openHome(answer({ error: 'blocked_address: 10.0.0.5 is private' }) as never);
    const id = await make();
    expect((await type('test', id)).stderr).toContain('--allow-private HOST allows it');
    const { stdout } = await type('test', '--help');
    expect(stdout).toContain('--allow-private <place>');
    expect(stdout).not.toContain('--allow-assets-from');
    for (const flag of ['--allow-private', '--allow-assets-from']) {
      const { exitCode, stderr } = await type('test', id, flag, '10.0.0.0/99');
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('expected a host name, an address')]);
    }
    const serving = await run('serve --port x --allow-private 10.0.0.0/8');
    expect(serving.stderr).not.toContain('unknown option');
  });

  it('prints a document with --json', async () => {
    const { type, make } = await openHome();
    const id = await make();
    expect((await type('test', id, '--json')).json()).toEqual({
      webhook_id: id,
      delivered: true,
      at: '2026-11-20T14:00:00.000+00:00',
      duration_ms: 12,
      status: 200,
      error: null,
      response: 'ok',
    });
  });
});

describe('webhooks deliveries and redeliver', () => {
  it('list the newest first, page by page', async () => {
    const { type, make, endTask } = await openHome();
    const id = await make();
    expect((await type('deliveries')).stderr).toContain('no deliveries');
    const tasks = [await endTask(), await endTask(), await endTask()];
    const { data, has_more: hasMore } = (await type('deliveries', id, '--limit', '2', '--json')).json();
    expect([data.length, hasMore]).toEqual([2, true]);
    expect(data[0]).toEqual({
      id: expect.stringMatching(/^dlv_/),
      message_id: expect.stringMatching(/^msg_[0-9a-f]{32}_0$/),
      webhook_id: id,
      organization_id: 'org_default',
      task_id: expect.any(String),
      event: 'task.failed',
      state: 'waiting',
      created_at: expect.stringMatching(/\+00:00$/),
      attempts: 0,
      next_attempt_at: expect.stringMatching(/\+00:00$/),
      last_attempt: null,
      problem: null,
      redelivery_of: null,
    });
    const next = (await type('deliveries', '--starting-after', data[1].id, '--json')).json();
    const shown = [...data, ...next.data].map((delivery: { task_id: string }) => delivery.task_id);
    expect(shown.sort()).toEqual(tasks.sort());
    const table = await type('deliveries', '--limit', '1');
    expect(table.stdout.split('\n')[0]).toMatch(
      /^ID +WEBHOOK +EVENT +STATE +ATTEMPTS +NEXT +TASK +LAST ANSWER$/,
    );
    expect(table.stderr).toContain('--starting-after dlv_');
    expect((await type('deliveries', '--state', 'failed', '--json')).json().data).toEqual([]);
  });

  it('redeliver makes a new one of the same message', async () => {
    const { type, make, endTask } = await openHome();
    await make();
    await endTask();
    const [first] = (await type('deliveries', '--json')).json().data;
    const again = await type('redeliver', first.id);
    expect([again.exitCode, again.stdout]).toEqual([0, expect.stringMatching(/^dlv_[0-9a-f]{24}\n$/)]);
    expect(again.stderr).toContain('a running server sends it within a second');
    const found = (await type('deliveries', '--json')).json().data;
    expect(found.find(({ id }: { id: string }) => id === again.stdout.trim())).toMatchObject({
      message_id: first.message_id,
      redelivery_of: first.id,
    });
  });
});
