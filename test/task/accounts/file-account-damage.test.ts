/** Accounts with a damaged file: the damage is reported, and everything else stays visible. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UNKNOWN_OWNER_MS } from '../../../src/account/accepted-task.ts';
import type { AccountStore } from '../../../src/task/accounts/account-store.ts';
import { type AccountHarness, accept, end, ORGANIZATION, openFileAccounts } from './account-harness.ts';

let at: AccountHarness & { readonly home: string };
let store: AccountStore;
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

  it('of a key hides no other key, opens nothing, and does not let callers in without a key', async () => {
    const damaged = await store.createKey({ organizationId: ORGANIZATION });
    at.nowMs += 1;
    const sound = await store.createKey({ organizationId: ORGANIZATION });
    const path = inAccounts('keys', `${damaged.id}.json`);
    writeFileSync(path, text);
    const other = at.open('second');
    const { data, warnings } = await other.listKeys();
    expect(data.map(({ id }) => id)).toEqual([sound.id]);
    expect(warnings).toEqual([{ id: damaged.id, path, message: expect.stringContaining(path) }]);
    expect(await other.authenticate(damaged.key)).toBeNull();
    expect(await other.authenticate(sound.key)).toMatchObject({ keyId: sound.id });
    rmSync(inAccounts('keys', `${sound.id}.json`));
    expect(await at.open('third').hasEverHadKeys()).toBe(true);
  });
});

it('a reservation whose process cannot be read does not keep others open, and is released like one of a lost process', async () => {
  await store.grant(ORGANIZATION, 10);
  await store.reserve({ organizationId: ORGANIZATION, taskId: at.newId(), retries: 0 }, 3);
  const log = inAccounts('organizations', ORGANIZATION, 'ledger.ndjson');
  writeFileSync(log, readFileSync(log, 'utf8').replace(/"by":\{[^}]*\}/, '"by":{}'));
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

it.each(['"soon"', '7', 'true', '{}'])('a key with the expiry %s opens nothing', async (text) => {
  const { id, key } = await store.createKey({ organizationId: ORGANIZATION });
  const path = inAccounts('keys', `${id}.json`);
  writeFileSync(path, readFileSync(path, 'utf8').replace('"expiresAt":null', `"expiresAt":${text}`));
  const other = at.open('second');
  expect((await other.listKeys()).warnings).toMatchObject([{ id, path }]);
  expect(await other.authenticate(key)).toBeNull();
});

it('a key of version 0.1.0, without an expiry, stays valid and is no operator', async () => {
  const { id, key } = await store.createKey({ organizationId: ORGANIZATION });
  const path = inAccounts('keys', `${id}.json`);
  const { operator: _, expiresAt: __, ...earlier } = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify(earlier));
  expect(await at.open('second').authenticate(key)).toMatchObject({ keyId: id, isOperator: false });
});

it('credits of one organization are settled though the ledger of another cannot be read', async () => {
  const { id: organizationId } = await store.createOrganization();
  await store.grant(organizationId, 5);
  const key = { organizationId, taskId: at.newId(), retries: 0 };
  await store.reserve(key, 2);
  await accept(at.tasks(), key.taskId, organizationId);
  await end(at.tasks(), key.taskId, 'FAILED');
  mkdirSync(inAccounts('organizations', ORGANIZATION, 'ledger.ndjson'), { recursive: true });
  const other = at.open('second');
  expect(await other.reconcile()).toEqual({ settled: 1, released: 0 });
  expect((await other.listOrganizations()).data).toMatchObject([{ id: organizationId, balance: 5 }]);
  expect((await other.listOrganizations()).warnings).toMatchObject([{ id: ORGANIZATION }]);
});
