/** A data folder that has had keys never works without keys again, also when its folder `accounts` is lost. */
import fs, { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AccountStore } from '../../../src/task/accounts/account-store.ts';
import { type AccountHarness, ORGANIZATION, openFileAccounts } from './account-harness.ts';

let at: AccountHarness & { readonly home: string };
let store: AccountStore;
const inHome = (name: string) => join(at.home, name);
const loseAccounts = () => rm(inHome('accounts'), { recursive: true });
beforeEach(async () => {
  at = await openFileAccounts();
  store = at.open();
});
afterEach(async () => {
  await store.close();
  await at.close();
});

describe('a data folder that lost its accounts', () => {
  it('still requires a key, and knows that its keys are lost', async () => {
    const { id, key } = await store.createKey({ organizationId: ORGANIZATION });
    await store.revokeKey(id);
    expect(await store.areKeysLost()).toBe(false);
    await loseAccounts();
    const restarted = at.open('second');
    expect(await restarted.hasEverHadKeys()).toBe(true);
    expect(await restarted.areKeysLost()).toBe(true);
    expect(await restarted.authenticate(key)).toBeNull();
    const again = await restarted.createKey({ organizationId: ORGANIZATION });
    expect(await restarted.areKeysLost()).toBe(false);
    expect(await at.open('third').authenticate(again.key)).toMatchObject({ keyId: again.id });
  });

  it('requires none if it never had one', async () => {
    await store.createOrganization();
    expect(await store.areKeysLost()).toBe(false);
    await loseAccounts();
    const restarted = at.open('second');
    expect(await restarted.hasEverHadKeys()).toBe(false);
    expect(await restarted.areKeysLost()).toBe(false);
  });

  it('requires a key even if the power failed while the mark was written', async () => {
    await store.createKey({ organizationId: ORGANIZATION });
    await writeFile(inHome('keys-required.json'), '');
    await loseAccounts();
    expect(await at.open('second').hasEverHadKeys()).toBe(true);
  });
});

it('a key is not made if the data folder cannot remember that keys are required', async () => {
  await store.defaultOrganization();
  const { link } = fs;
  const failing = vi.spyOn(fs, 'link').mockImplementation(async (from, to) => {
    if (to === inHome('keys-required.json')) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    return link(from, to);
  });
  const making = store.createKey({ organizationId: ORGANIZATION });
  await expect(making).rejects.toMatchObject({ code: 'disk_full' });
  failing.mockRestore();
  expect((await store.listKeys()).data).toEqual([]);
  expect(await store.hasEverHadKeys()).toBe(false);
});
