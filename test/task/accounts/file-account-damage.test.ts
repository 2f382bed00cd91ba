/** Accounts with a damaged file: the damage is reported, and everything else stays visible. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UNKNOWN_OWNER_MS } from '../../../src/task/accounts/account-deps.ts';
import type { FileAccountStore } from '../../../src/task/files/accounts/create-account-store.ts';
import { newOrganization } from '../../../src/task/files/accounts/organization-document.ts';
import { accept, end, ORGANIZATION, openFileAccounts } from './account-harness.ts';

let at: Awaited<ReturnType<typeof openFileAccounts>>;
let store: FileAccountStore;
beforeEach(async () => {
  at = await openFileAccounts();
  store = at.open();
});
afterEach(async () => {
  await store.close();
  await at.close();
});

const inAccounts = (...names: string[]) => join(at.home, 'accounts', ...names);

describe.each(['', '{', '[]', '{"id":"another"}'])('a document that holds %j', (text) => {
  it('of an organization hides no other one', async () => {
    const damaged = await store.createOrganization();
    at.nowMs += 1;
    const sound = await store.createOrganization();
    const path = inAccounts('organizations', damaged.id, 'organization.json');
    writeFileSync(path, text);
    const { data, warnings } = await at.open('second').listOrganizations();
    expect(data.map(({ id }) => id)).toEqual([ORGANIZATION, sound.id]);
    expect(warnings).toEqual([{ id: damaged.id, path, message: expect.stringContaining(path) }]);
  });

  it('of an organization opens nothing with its keys, hides no other key, and lets nobody in without one', async () => {
    const { id: organizationId } = await store.createOrganization();
    const damaged = await store.createKey({ organizationId });
    const sound = await store.createKey({ organizationId: ORGANIZATION });
    const path = inAccounts('organizations', organizationId, 'organization.json');
    writeFileSync(path, text);
    const other = at.open('second');
    const { data, warnings } = await other.listKeys();
    expect(data.map(({ id }) => id)).toEqual([sound.id]);
    expect(warnings).toEqual([{ id: organizationId, path, message: expect.stringContaining(path) }]);
    expect(await other.authenticate(damaged.key)).toBeNull();
    expect(await other.authenticate(sound.key)).toMatchObject({ keyId: sound.id });
    expect(await other.areKeysLost()).toBe(false);
  });
});

/** Changes the stored document of the default organization. */
function damage<T>(change: (document: T) => void): void {
  const document = JSON.parse(readFileSync(at.documentPath, 'utf8'));
  change(document);
  writeFileSync(at.documentPath, JSON.stringify(document));
}

it.each([
  5,
  null,
  {},
  { hash: 7 },
  { expiresAt: 'soon' },
  { expiresAt: 7 },
  { expiresAt: true },
  { expiresAt: {} },
])('a key that is damaged (%j) opens nothing and hides no other key, also after a change', async (value) => {
  const damaged = await store.createKey({ organizationId: ORGANIZATION });
  const sound = await store.createKey({ organizationId: ORGANIZATION });
  const isPart = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  damage(({ keys }: { keys: object[] }) => {
    keys[0] = (isPart ? { ...keys[0], ...value } : value) as object;
  });
  const other = at.open('second');
  await other.grant(ORGANIZATION, 5);
  const { data, warnings } = await other.listKeys();
  expect(data.map(({ id }) => id)).toEqual([sound.id]);
  expect(warnings).toMatchObject([{ id: isPart ? damaged.id : ORGANIZATION, path: at.documentPath }]);
  expect(await other.authenticate(damaged.key)).toBeNull();
  expect(await other.authenticate(sound.key)).toMatchObject({ keyId: sound.id });
});

it('a reservation whose process cannot be read does not keep others open, and is released like one of a lost process', async () => {
  await store.grant(ORGANIZATION, 10);
  await store.reserve({ organizationId: ORGANIZATION, taskId: at.newId(), retries: 0 }, 3);
  damage(({ processes }: { processes: Record<string, object> }) => {
    for (const name of Object.keys(processes)) processes[name] = {};
  });
  const { id: organizationId } = await store.createOrganization();
  const other = { organizationId, taskId: at.newId(), retries: 0 };
  await store.grant(organizationId, 5);
  await store.reserve(other, 2);
  await accept(at.tasks(), other.taskId, organizationId);
  await end(at.tasks(), other.taskId, 'FAILED');
  const second = at.open('second');
  expect(await second.reconcile()).toEqual({ settled: 1, released: 0 });
  at.nowMs += UNKNOWN_OWNER_MS + 1;
  expect(await second.reconcile()).toEqual({ settled: 0, released: 1 });
  expect(await second.defaultOrganization()).toMatchObject({ balance: 10 });
});

it('credits of one organization are settled though the document of another cannot be read', async () => {
  const { id: organizationId } = await store.createOrganization();
  await store.grant(organizationId, 5);
  const key = { organizationId, taskId: at.newId(), retries: 0 };
  await store.reserve(key, 2);
  await accept(at.tasks(), key.taskId, organizationId);
  await end(at.tasks(), key.taskId, 'FAILED');
  rmSync(at.documentPath, { force: true });
  mkdirSync(at.documentPath, { recursive: true });
  const other = at.open('second');
  expect(await other.reconcile()).toEqual({ settled: 1, released: 0 });
  expect((await other.listOrganizations()).data).toMatchObject([{ id: organizationId, balance: 5 }]);
  expect((await other.listOrganizations()).warnings).toMatchObject([{ id: ORGANIZATION }]);
});

it('accounts of an earlier release are refused', async () => {
  const { version: _, ...earlier } = newOrganization(ORGANIZATION, 'default', '2026-10-01T09:00:00.000Z');
  mkdirSync(dirname(at.documentPath), { recursive: true });
  writeFileSync(at.documentPath, JSON.stringify(earlier));
  const refusal = { code: 'store_corrupt', message: expect.stringContaining('an earlier version') };
  await expect(store.defaultOrganization()).rejects.toMatchObject(refusal);
  await expect(store.grant(ORGANIZATION, 5)).rejects.toMatchObject(refusal);
});
