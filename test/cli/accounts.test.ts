/** `organization` and `keys`: what an operator sees and does, in words and as JSON. */
import { describe, expect, it } from 'vitest';
import { createAccountHooks } from '../../src/task/accounts/account-hooks.ts';
import { createTaskEngine } from '../../src/task/engine/task-engine.ts';
import type { FileAccountStore } from '../../src/task/files/accounts/create-account-store.ts';
import { typedTaskStore } from '../../src/task/task-codec.ts';
import { VIDEO_TASK_CODEC } from '../../src/video/video-task-codec.ts';
import { createTestAccounts } from '../task/accounts/test-accounts.ts';
import { createMemoryTaskStore } from '../task/memory-task-store.ts';
import { aPayload } from '../video/a-payload.ts';
import { folderOf, listing } from './listing-files.ts';
import { type AnyJson, type CliRun, run } from './run-cli.ts';

/** A home in memory and a way to run commands on it. */
async function openHome() {
  const store = createMemoryTaskStore();
  const nowMs = () => Date.UTC(2026, 10, 20, 14, 3, 7, 123);
  const accounts: FileAccountStore = createTestAccounts({
    tasks: store,
    clock: { nowMs, schedule: () => () => {} },
  });
  const cwd = await folderOf();
  const type = (...words: string[]): Promise<CliRun> => run(words, { cwd, store, accounts });
  return { store, accounts, type };
}

const NOW = '2026-11-20T14:03:07.123+00:00';
const DEFAULT = { id: 'org_default', balance: 0, name: 'default', metered: false, created_at: NOW };

describe('organization', () => {
  it('show prints the one that every store has', async () => {
    const { type } = await openHome();
    const { exitCode, stdout, stderr } = await type('organization', 'show');
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      [
        'id        org_default',
        'name      default',
        'balance   unmetered',
        'created   2026-11-20T14:03:07.123Z',
        '',
      ].join('\n'),
    );
    expect(stderr).toContain('free until its first grant of credits');
    expect((await type('organization', 'show', '--json')).json()).toEqual(DEFAULT);
  });

  it('grant adds credits and says the balance', async () => {
    const { type } = await openHome();
    const first = await type('organization', 'grant', '500');
    expect(first).toMatchObject({ exitCode: 0, stdout: 'the balance of org_default is 500\n' });
    expect(first.stderr).toContain('the organization is metered now');
    const second = await type('organization', 'grant', '20', '--json');
    expect(second.json()).toEqual({ ...DEFAULT, balance: 520, metered: true });
    const third = await type('organization', 'grant', '1');
    expect([third.stdout, third.stderr]).toEqual(['the balance of org_default is 521\n', '']);
  });

  it.each(['0', '-5', '1.5', '1e3', '0x10', 'many', '', '1000000001'])(
    'grant refuses %j',
    async (credits) => {
      const { type, accounts } = await openHome();
      const { exitCode, json } = await type('organization', 'grant', '--json', '--', credits);
      expect([exitCode, json().error.code]).toEqual([2, 'usage']);
      expect(await accounts.defaultOrganization()).toMatchObject({ isMetered: false });
    },
  );

  it('create refuses an empty name', async () => {
    const { type, accounts } = await openHome();
    const { exitCode, stderr } = await type('organization', 'create', '--name', ' ');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--name is empty')]);
    expect((await accounts.listOrganizations()).data).toHaveLength(1);
  });

  it('create makes one that can be shown, granted to and listed', async () => {
    const { type } = await openHome();
    const made = await type('organization', 'create', '--name', 'Harbor Homes');
    const id = made.stdout.trim();
    expect(id).toMatch(/^org_[0-9a-f]{16}$/);
    expect(made.stderr).toContain(`listing-video keys create --organization ${id}`);
    await type('organization', 'grant', '7', '--organization', id);
    expect((await type('organization', 'show', '--organization', id, '--json')).json()).toEqual({
      id,
      balance: 7,
      name: 'Harbor Homes',
      metered: true,
      created_at: NOW,
    });
    const list = (await type('organization', 'list', '--json')).json();
    expect(list).toMatchObject({ data: [DEFAULT, { id, balance: 7 }], has_more: false });
    const lines = (await type('organization', 'list')).stdout.split('\n');
    expect(lines[0]).toMatch(/^ID +BALANCE +CREATED +NAME$/);
    expect(lines[1]).toMatch(/^org_default +unmetered +2026-11-20 +default$/);
    expect(lines[2]).toMatch(/^org_[0-9a-f]{16} +7 +2026-11-20 +Harbor Homes$/);
    expect((await type('organization', 'create', '--json')).json()).toMatchObject({
      balance: 0,
      metered: false,
    });
  });

  it('shows hostile names escaped', async () => {
    const { type } = await openHome();
    await type('organization', 'create', '--name', 'a\u001b[2J\u202eb');
    expect((await type('organization', 'list')).stdout).toContain('a\\x1b[2J\\u202eb');
  });

  it.each([
    ['organization', 'show', '--organization'],
    ['organization', 'grant', '5', '--organization'],
    ['keys', 'create', '--organization'],
    ['keys', 'list', '--organization'],
  ])('%s %s of an unknown organization is exit 2', async (...words) => {
    const { type } = await openHome();
    const { exitCode, json } = await type(...words, 'org_nobody', '--json');
    expect([exitCode, json().error.code]).toEqual([2, 'organization_not_found']);
    expect((await type(...words, 'org_nobody')).stderr).toContain('listing-video organization list');
  });

  it('show settles what ended when its process died before it could', async () => {
    const { type, accounts, store } = await openHome();
    await accounts.grant('org_default', 10);
    const { settle: _, ...hooks } = createAccountHooks(accounts, () => 3);
    const engine = createTaskEngine({
      store,
      handler: async () => Promise.reject(new Error('no')),
      hooks: { ...hooks, settle: async () => Promise.reject(new Error('killed')) },
    });
    const { id } = await engine.submit({ origin: 'api', organizationId: 'org_default', payload: null });
    await engine.runTask(id);
    expect(await accounts.defaultOrganization()).toMatchObject({ balance: 7 });
    expect((await type('organization', 'show', '--json')).json()).toMatchObject({ balance: 10 });
  });
});

describe('keys', () => {
  it('create prints the key on stdout and nothing else', async () => {
    const { type, accounts } = await openHome();
    const made = await type('keys', 'create', '--organization', 'org_default');
    expect(made.exitCode).toBe(0);
    expect(await accounts.authenticate(made.stdout.trim())).toMatchObject({
      organizationId: 'org_default',
      readOnly: false,
    });
    expect(made.stderr).toContain('cannot be shown again');
    expect(made.stderr).toContain('every request to a server with this data folder needs a key');
    const second = await type('keys', 'create', '--organization', 'org_default');
    expect(second.stderr).not.toContain('every request');
  });

  it('create prints its document under --json', async () => {
    const { type, accounts } = await openHome();
    const document = (
      await type('keys', 'create', '--organization', 'org_default', '--read-only', '--json')
    ).json();
    expect(document).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      key: expect.stringMatching(/^lv_live_/),
      organization_id: 'org_default',
      read_only: true,
      operator: false,
      created_at: NOW,
      expires_at: null,
    });
    expect(await accounts.authenticate(document.key)).toMatchObject({ readOnly: true });
  });

  it('create means the only organization there is, and must name one of several', async () => {
    const { type, accounts } = await openHome();
    expect((await type('keys', 'create', '--json')).json()).toMatchObject({ organization_id: 'org_default' });
    await type('organization', 'create', '--name', 'Harbor Homes');
    const refused = await type('keys', 'create');
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toContain('--organization is missing: there are 2 organizations');
    expect(refused.stderr).toContain('listing-video organization list');
    expect((await type('keys', 'create', '--json')).json().error.code).toBe('usage');
    expect((await accounts.listKeys()).data).toHaveLength(1);
  });

  it('create --expires makes a key that ends, and list shows when', async () => {
    const { type } = await openHome();
    const made = await type('keys', 'create', '--expires', '90d');
    expect(made.stderr).toContain('the key expires at 2027-02-18T14:03:07.123Z');
    const expires_at = '2027-02-18T14:03:07.123+00:00';
    expect((await type('keys', 'create', '--expires', '90d', '--json')).json()).toMatchObject({ expires_at });
    expect((await type('keys', 'list', '--json')).json().data).toMatchObject([
      { expires_at },
      { expires_at },
    ]);
    const [header, line] = (await type('keys', 'list')).stdout.split('\n');
    expect(header).toMatch(/ EXPIRES +REVOKED$/);
    expect(line).toMatch(/ 2027-02-18 +-$/);
  });

  it.each(['', '0', '90', '-1d', 'never', '36501d', '1e9d', '2027-02-18'])(
    'create refuses --expires %j',
    async (span) => {
      const { type, accounts } = await openHome();
      const { exitCode, json } = await type('keys', 'create', `--expires=${span}`, '--json');
      expect([exitCode, json().error.code]).toEqual([2, 'usage']);
      expect(await accounts.hasEverHadKeys()).toBe(false);
    },
  );

  it('list shows which key has expired', async () => {
    const { accounts } = await openHome();
    const { id } = await accounts.createKey({ organizationId: 'org_default', expiresInMs: 3_600_000 });
    const cwd = await folderOf();
    const list = async (now: string) =>
      (await run(['keys', 'list'], { cwd, accounts, nowMs: () => Date.parse(now) })).stdout;
    const line = (rest: string) => new RegExp(`^${id} .* ${rest} +-$`, 'm');
    expect(await list('2026-11-20T15:03:07.122Z')).toMatch(line('2026-11-20'));
    expect(await list('2026-11-20T15:03:07.123Z')).toMatch(line('2026-11-20 \\(expired\\)'));
  });

  it('create --operator makes a key that can read metrics', async () => {
    const { type, accounts } = await openHome();
    const document = (await type('keys', 'create', '--operator', '--read-only', '--json')).json();
    expect(document).toMatchObject({ operator: true, read_only: true });
    expect(await accounts.authenticate(document.key)).toMatchObject({ isOperator: true, readOnly: true });
    await accounts.close();
    const [, line] = (await type('keys', 'list')).stdout.split('\n');
    expect(line).toMatch(/ read, metrics +2026-11-20 +2026-11-20 +- +-$/);
    expect((await type('keys', 'list', '--json')).json().data).toMatchObject([
      { operator: true, last_used_at: NOW },
    ]);
  });

  it('list warns when the accounts were lost', async () => {
    const { type, accounts } = await openHome();
    const lost: FileAccountStore = Object.create(accounts, { areKeysLost: { value: async () => true } });
    const { exitCode, stderr } = await run('keys list', { accounts: lost });
    expect([exitCode, stderr]).toEqual([
      0,
      expect.stringContaining('restore the folder accounts from a backup'),
    ]);
    expect((await type('keys', 'list')).stderr).not.toContain('restore');
  });

  it('list shows no secret, and revoke ends a key', async () => {
    const { type, accounts } = await openHome();
    expect(await type('keys', 'list')).toMatchObject({ exitCode: 0, stdout: '', stderr: 'no keys\n' });
    const { id, key } = (await type('keys', 'create', '--organization', 'org_default', '--json')).json();
    const before = await type('keys', 'list', '--json');
    expect(before.json()).toEqual({
      data: [
        {
          id,
          organization_id: 'org_default',
          read_only: false,
          operator: false,
          created_at: NOW,
          last_used_at: null,
          expires_at: null,
          revoked_at: null,
        },
      ],
      has_more: false,
    });
    expect(before.stdout).not.toContain(key.slice(-43));
    expect(await type('keys', 'revoke', id)).toMatchObject({ exitCode: 0, stdout: `${id} is revoked\n` });
    expect(await accounts.authenticate(key)).toBeNull();
    expect((await type('keys', 'revoke', id, '--json')).json()).toMatchObject({ id, revoked_at: NOW });
    const [header, line] = (await type('keys', 'list')).stdout.split('\n');
    expect(header).toMatch(/^ID +ORGANIZATION +MAY +CREATED +LAST USED +EXPIRES +REVOKED$/);
    expect(line).toMatch(new RegExp(`^${id} +org_default +read, create +2026-11-20 +- +- +2026-11-20$`));
  });

  it('list --organization shows those of one', async () => {
    const { type } = await openHome();
    const { id: other } = (await type('organization', 'create', '--json')).json();
    await type('keys', 'create', '--organization', 'org_default');
    const { id } = (await type('keys', 'create', '--organization', other, '--json')).json();
    const list = (await type('keys', 'list', '--organization', other, '--json')).json();
    expect(list.data.map((key: AnyJson) => key.id)).toEqual([id]);
  });

  it('revoke of an unknown key is exit 2', async () => {
    const { type } = await openHome();
    const { exitCode, json } = await type('keys', 'revoke', '0123456789abcdef', '--json');
    expect([exitCode, json().error.code]).toEqual([2, 'key_not_found']);
  });
});

describe('tasks retry of a task of the API', () => {
  it('without the credits for it is exit 2 and changes nothing', async () => {
    const { accounts, store } = await openHome();
    const hooks = createAccountHooks(accounts, () => 3);
    const engine = createTaskEngine({
      store: typedTaskStore(store, VIDEO_TASK_CODEC),
      handler: async () => Promise.reject(new Error('no')),
      hooks,
    });
    const payload = aPayload(listing());
    const { id } = await engine.submit({ origin: 'api', organizationId: 'org_default', payload });
    await engine.runTask(id);
    await accounts.grant('org_default', 2);
    const { exitCode, json } = await run(`tasks retry ${id} --json`, { store, accounts, hooks });
    expect([exitCode, json().error]).toMatchObject([
      2,
      { code: 'insufficient_balance', context: { balance: 2, required: 3 } },
    ]);
    expect(await store.get(id)).toMatchObject({ state: 'FAILED', retries: 0 });
    await accounts.grant('org_default', 1);
    await engine.retry(id);
    expect(await accounts.defaultOrganization()).toMatchObject({ balance: 0 });
  });
});

it('a list tells what of it cannot be read, beside what can', async () => {
  const { accounts, type } = await openHome();
  const warnings = [
    { id: 'x', path: '/home/x.json', message: 'the document /home/\u001b[2Jx.json cannot be read' },
  ];
  const withDamage: FileAccountStore = Object.create(accounts, {
    listOrganizations: { value: async () => ({ ...(await accounts.listOrganizations()), warnings }) },
    listKeys: { value: async () => ({ data: [], warnings }) },
  });
  const cwd = await folderOf();
  const listed = await run(['organization', 'list', '--json'], { cwd, accounts: withDamage });
  expect(listed.json().data).toEqual([DEFAULT]);
  expect(listed.stderr).toContain('warning: the document /home/\\x1b[2Jx.json cannot be read');
  const keys = await run(['keys', 'list'], { cwd, accounts: withDamage });
  expect([keys.exitCode, keys.stderr]).toEqual([0, expect.stringContaining('cannot be read')]);
  expect((await type('keys', 'list')).stderr).not.toContain('cannot be read');
});
