/** Notes about the last use of a key never reach the request that caused them. */
import { describe, expect, it } from 'vitest';
import type { AccountStorages } from '../../src/account/account-storage.ts';
import { createAccountStore } from '../../src/account/create-account-store.ts';
import { systemTaskClock } from '../../src/task/engine/task-clock.ts';
import { createMemoryTaskStore } from '../task/memory-task-store.ts';
import { newMemoryAccounts, openMemoryAccountStorages } from './memory-account-store.ts';

type Replace = AccountStorages['storage']['replace'];

function openWith(replaceLastUse: Replace) {
  const storages = openMemoryAccountStorages(newMemoryAccounts());
  const { storage } = storages;
  const replace: Replace = (path, ...rest) =>
    path[0] === 'last-use' ? replaceLastUse(path, ...rest) : storage.replace(path, ...rest);
  const at = { nowMs: Date.UTC(2026, 10, 20) };
  const accounts = createAccountStore(
    { ...storages, storage: { ...storage, replace } },
    {
      tasks: createMemoryTaskStore(),
      clock: { nowMs: () => at.nowMs, schedule: systemTaskClock.schedule },
    },
  );
  return { accounts, at, storage };
}

const ORGANIZATION = { organizationId: 'org_default' };

describe('the last use of a key', () => {
  it('is written in the background, so a disk that hangs delays no request', async () => {
    let isWritten = () => {};
    const written = new Promise<void>((resolve) => {
      isWritten = resolve;
    });
    const { accounts } = openWith(() => written);
    const { key } = await accounts.createKey(ORGANIZATION);
    for (let request = 0; request < 3; request++) {
      expect(await accounts.authenticate(key)).toMatchObject(ORGANIZATION);
    }
    isWritten();
    await accounts.close();
  });

  it('that cannot be written fails no request, and is tried again only after a minute', async () => {
    let tries = 0;
    const { accounts, at } = openWith(() => {
      tries += 1;
      return Promise.reject(new Error('ENOSPC'));
    });
    const { key } = await accounts.createKey(ORGANIZATION);
    for (let second = 0; second < 60; second++) {
      expect(await accounts.authenticate(key)).toMatchObject(ORGANIZATION);
      await accounts.close();
      at.nowMs += 1_000;
    }
    expect(tries).toBe(1);
    await accounts.authenticate(key);
    await accounts.close();
    expect(tries).toBe(2);
    expect((await accounts.listKeys()).data).toMatchObject([{ lastUsedAt: null }]);
  });

  it('is written without a flush to disk, one key at a time', async () => {
    let running = 0;
    const seen: unknown[] = [];
    const { accounts } = openWith(async (path, _, options) => {
      running += 1;
      seen.push([path[1], options, running]);
      await Promise.resolve();
      running -= 1;
    });
    const keys = [await accounts.createKey(ORGANIZATION), await accounts.createKey(ORGANIZATION)];
    await Promise.all(keys.map(({ key }) => accounts.authenticate(key)));
    await accounts.close();
    expect(seen).toEqual(keys.map(({ id }) => [`${id}.json`, { isDurable: false }, 1]));
  });

  it.each([{ usedAt: 'soon' }, { usedAt: 7 }, {}])(
    'shows nothing for the damaged document %j',
    async (damaged) => {
      const { accounts, storage } = openWith(async () => {});
      const { id } = await accounts.createKey(ORGANIZATION);
      await storage.replace(['last-use', `${id}.json`], damaged);
      expect((await accounts.listKeys()).data).toMatchObject([{ id, lastUsedAt: null }]);
    },
  );
});
