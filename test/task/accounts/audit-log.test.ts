/** The audit log: who changed organizations, keys and credits, and when. */
import { appendFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AccountStore } from '../../../src/task/accounts/account-store.ts';
import { type AccountHarness, ORGANIZATION, openFileAccounts } from './account-harness.ts';

let at: AccountHarness & { readonly home: string };
let store: AccountStore;
let file: string;
beforeEach(async () => {
  at = await openFileAccounts();
  store = at.open();
  file = join(at.home, 'audit.ndjson');
});
afterEach(async () => {
  await store.close();
  await at.close();
});

const readLines = async (path = file): Promise<string[]> => (await readFile(path, 'utf8')).split('\n');
const readEvents = async (): Promise<Record<string, unknown>[]> =>
  (await readLines()).filter((line) => line !== '').map((line) => JSON.parse(line));

describe('the audit log', () => {
  it('has a line for each change, with its ids, time, user and program, and no secret', async () => {
    const { id: organization_id } = await store.createOrganization({ name: 'Harbor Homes' });
    const options = {
      organizationId: organization_id,
      readOnly: true,
      isOperator: true,
      expiresInMs: 60_000,
    };
    const { id: key_id, key } = await store.createKey(options);
    at.nowMs += 1_000;
    await at.open('second').revokeKey(key);
    await store.grant(organization_id, 500, 'invoice 17');
    const common = {
      schema_version: 1,
      time: '2026-11-20T14:03:07.123Z',
      user: userInfo().username,
      uid: process.getuid?.() ?? null,
      program: 'listing-video',
      pid: process.pid,
    };
    const later = { ...common, time: '2026-11-20T14:03:08.123Z' };
    expect(await readEvents()).toMatchObject([
      { ...common, event: 'organization.created', organization_id, name: 'Harbor Homes' },
      {
        ...common,
        event: 'key.created',
        key_id,
        organization_id,
        read_only: true,
        operator: true,
        expires_at: '2026-11-20T14:04:07.123Z',
      },
      { ...later, event: 'key.revoked', key_id, organization_id },
      { ...later, event: 'credits.granted', organization_id, credits: 500, note: 'invoice 17' },
    ]);
    const text = await readFile(file, 'utf8');
    expect(text).not.toContain(key.slice(-43));
    expect(text).not.toContain('hash');
  });

  it('gets no line for what changes nothing', async () => {
    const { id } = await store.createKey({ organizationId: ORGANIZATION });
    await store.revokeKey(id);
    await store.revokeKey(id);
    await store.authenticate('lv_live_x');
    await store.listKeys();
    await store.grant('org_nobody', 5).catch(() => {});
    await store.grant(ORGANIZATION, -5).catch(() => {});
    await store.createKey({ organizationId: ORGANIZATION, expiresInMs: 0 }).catch(() => {});
    expect((await readEvents()).map(({ event }) => event)).toEqual(['key.created', 'key.revoked']);
  });

  it('that cannot be written stops the change', async () => {
    const { id } = await store.createKey({ organizationId: ORGANIZATION });
    await store.grant(ORGANIZATION, 1);
    await rename(file, `${file}.1`);
    await mkdir(file);
    const changes = [
      () => store.createOrganization(),
      () => store.createKey({ organizationId: ORGANIZATION }),
      () => store.revokeKey(id),
      () => store.grant(ORGANIZATION, 5),
    ];
    for (const change of changes) await expect(change()).rejects.toMatchObject({ code: 'store_unwritable' });
    expect((await store.listOrganizations()).data).toMatchObject([{ balance: 1 }]);
    expect((await store.listKeys()).data).toMatchObject([{ id, revokedAt: null }]);
  });

  it('tells of a change that failed', async () => {
    await writeFile(join(at.home, 'accounts'), 'a file where the folder should be');
    await expect(store.createOrganization({ name: 'x' })).rejects.toThrow();
    const [first, second] = await readEvents();
    expect(first).toMatchObject({ event: 'organization.created', name: 'x' });
    expect(first).not.toHaveProperty('error');
    expect(second).toMatchObject({ ...first, error: 'store_unwritable' });
    await rm(join(at.home, 'accounts'));
  });

  it('continues on a new line after a line that a crash or a full disk tore', async () => {
    await store.grant(ORGANIZATION, 1);
    const whole = await readFile(file, 'utf8');
    for (const torn of ['{"schema_ver', 'é'.slice(0, 1), '{']) {
      await writeFile(file, whole);
      await appendFile(file, torn);
      await at.open('second').grant(ORGANIZATION, 2);
      const lines = await readLines();
      expect([lines[0], lines[1], JSON.parse(lines[2]!).credits, lines[3]]).toEqual([
        whole.trim(),
        torn,
        2,
        '',
      ]);
    }
  });

  it('keeps the lines of several processes whole', async () => {
    const stores = ['a', 'b', 'c'].map((name) => at.open(name));
    await Promise.all(Array.from({ length: 30 }, (_, n) => stores[n % 3]!.grant(ORGANIZATION, n)));
    const credits = (await readEvents()).map((line) => line.credits as number);
    expect(credits.sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, n) => n));
  });

  it('can be renamed while servers run, and survives the loss of the accounts', async () => {
    await store.grant(ORGANIZATION, 1);
    await rename(file, `${file}.1`);
    await store.grant(ORGANIZATION, 2);
    await rm(join(at.home, 'accounts'), { recursive: true });
    await at.open('second').grant(ORGANIZATION, 3);
    expect((await readLines(`${file}.1`)).length).toBe(2);
    expect((await readEvents()).map(({ credits }) => credits)).toEqual([2, 3]);
  });
});
