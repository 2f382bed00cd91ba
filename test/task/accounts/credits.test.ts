/** Credits in the document of an organization: damaged values, late repeats, disks that fail, a lock that is taken. */
import fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FileAccountStore } from '../../../src/task/files/accounts/create-account-store.ts';
import { accept, end, ORGANIZATION, openFileAccounts, reservation } from './account-harness.ts';

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

const balance = async (by = at.open('cold')) => (await by.defaultOrganization()).balance;

describe('the credits of an organization', () => {
  it.each([
    ['a balance that is no number', { balance: '1000' }],
    ['a balance that is no whole number', { balance: 1.5 }],
    ['reservations that are none', { open: { x: { credits: 1 } } }],
    ['a reservation below zero', { open: { 'x.0': { task: 'x', retries: 0, credits: -5, by: '', at: '' } } }],
    ['another id', { id: 'org_0123456789abcdef' }],
    ['a later version', { version: 2 }],
  ])('are not guessed at when the document has %s', async (_, change) => {
    await store.grant(ORGANIZATION, 5);
    const text = await fs.readFile(at.documentPath, 'utf8');
    await fs.writeFile(at.documentPath, JSON.stringify({ ...JSON.parse(text), ...change }));
    await expect(balance()).rejects.toMatchObject({ code: 'store_corrupt' });
    await expect(store.grant(ORGANIZATION, 7)).rejects.toMatchObject({ code: 'store_corrupt' });
    await fs.writeFile(at.documentPath, text);
    expect(await store.grant(ORGANIZATION, 7)).toMatchObject({ balance: 12 });
  });

  it('are read anew when the document was put back from a backup, and start anew when it was deleted', async () => {
    await store.grant(ORGANIZATION, 5);
    await fs.copyFile(at.documentPath, `${at.documentPath}.backup`);
    await store.grant(ORGANIZATION, 20);
    await fs.rename(`${at.documentPath}.backup`, at.documentPath);
    expect(await balance(store)).toBe(5);
    expect(await store.grant(ORGANIZATION, 1)).toMatchObject({ balance: 6 });
    await fs.rm(at.documentPath);
    expect(await store.defaultOrganization()).toMatchObject({ balance: 0, isMetered: false });
    expect(await store.grant(ORGANIZATION, 3)).toMatchObject({ balance: 3 });
  });

  it('are not written for what can be refused, repeated or left out', async () => {
    await store.reserve(reservation('free'), 3);
    await expect(fs.stat(at.documentPath)).rejects.toMatchObject({ code: 'ENOENT' });
    await store.grant(ORGANIZATION, 3);
    await store.reserve(reservation('a'), 3);
    const { ino } = await fs.stat(at.documentPath);
    await expect(store.reserve(reservation('b'), 1)).rejects.toMatchObject({ code: 'insufficient_balance' });
    await store.reserve(reservation('a'), 3);
    await store.settle(reservation('b'), 'refund');
    await store.release(reservation('b'));
    expect((await fs.stat(at.documentPath)).ino).toBe(ino);
  });

  it('are written once for calls that come together, and the document stays small', async () => {
    await store.grant(ORGANIZATION, 1_000);
    const { size } = await fs.stat(at.documentPath);
    const rename = vi.spyOn(fs, 'rename');
    const all = Array.from({ length: 100 }, (_, n) => reservation(`task-${n}`));
    await Promise.all(all.map((key) => store.reserve(key, 1)));
    expect(rename.mock.calls.filter(([, to]) => to === at.documentPath).length).toBeLessThan(10);
    rename.mockRestore();
    expect(await balance()).toBe(900);
    await Promise.all(all.map((key) => store.settle(key, 'spend')));
    expect((await fs.stat(at.documentPath)).size).toBeLessThan(size + 10);
    expect(await fs.readdir(dirname(at.documentPath))).toEqual(['organization.json']);
  });

  it('come back if a reservation was refused because the disk failed after it was written', async () => {
    await store.grant(ORGANIZATION, 10);
    const { rename } = fs;
    const failing = vi.spyOn(fs, 'rename').mockImplementation(async (from, to) => {
      await rename(from, to);
      if (to !== at.documentPath) return;
      failing.mockRestore();
      throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
    });
    await expect(store.reserve(reservation(at.newId()), 4)).rejects.toMatchObject({
      code: 'store_unwritable',
    });
    expect(await balance()).toBe(6);
    expect(await store.reconcile()).toEqual({ settled: 0, released: 1 });
    expect(await balance()).toBe(10);
  });

  it('stay reserved for a task that was made although making it failed', async () => {
    await store.grant(ORGANIZATION, 10);
    const id = at.newId();
    await store.reserve(reservation(id), 4);
    await accept(at.tasks(), id);
    await store.release(reservation(id));
    expect(await balance()).toBe(6);
    await end(at.tasks(), id, 'FAILED');
    await store.settle(reservation(id), 'refund');
    expect(await balance()).toBe(10);
  });

  it('are reserved once by a process that was stopped before it wrote, while another one made and ended the task', async () => {
    await store.grant(ORGANIZATION, 10);
    const id = at.newId();
    let go = () => {};
    const tasks = at.tasks();
    const mayGo = new Promise<void>((resolve) => {
      go = resolve;
    });
    const late = at.open('late', {
      get: async (taskId: string) => {
        await mayGo;
        return tasks.get(taskId);
      },
    });
    const reserving = late.reserve(reservation(id), 3);
    // It holds the lock: the others wait for it, or end its hold.
    const quick = store.reserve(reservation(id), 3);
    go();
    await Promise.all([reserving, quick]);
    expect(await balance()).toBe(7);
    await accept(tasks, id);
    await end(tasks, id, 'FAILED');
    await store.settle(reservation(id), 'refund');
    await at.open('third').reserve(reservation(id), 3);
    expect(await balance()).toBe(10);
  });
});

describe('the lock of an organization', () => {
  const lock = () => join(dirname(at.documentPath), 'lock');
  const holdBy = async (text: string) => {
    await fs.mkdir(lock(), { recursive: true });
    await fs.writeFile(join(lock(), 'owner.json'), text);
  };
  const owner = (started: string) =>
    JSON.stringify({ pid: 4242, host: 'test', boot: 'boot', space: 'space', started, token: 'x' });

  it('of a dead process is taken at once', async () => {
    at.setLiveness('dead', 'dead');
    await store.grant(ORGANIZATION, 1);
    await holdBy(owner('dead'));
    const begin = performance.now();
    expect(await store.grant(ORGANIZATION, 1)).toMatchObject({ balance: 2 });
    expect(performance.now() - begin).toBeLessThan(2_000);
    expect(await fs.readdir(dirname(at.documentPath))).toEqual(['organization.json']);
  });

  it.each(['', '{'])('of a process that cannot be read (%j) is taken soon', async (text) => {
    await holdBy(text);
    expect(await store.grant(ORGANIZATION, 1)).toMatchObject({ balance: 1 });
  });

  it('that was taken from a process that was suspended makes it begin again, with what changed meanwhile', async () => {
    await store.grant(ORGANIZATION, 10);
    at.setLiveness('suspended', 'unknown');
    const { rename } = fs;
    let go = () => {};
    const mayGo = new Promise<void>((resolve) => {
      go = resolve;
    });
    let isAtCommit = () => {};
    const atCommit = new Promise<void>((resolve) => {
      isAtCommit = resolve;
    });
    let isFirst = true;
    const pausing = vi.spyOn(fs, 'rename').mockImplementation(async (from, to) => {
      if (to === at.documentPath && isFirst) {
        isFirst = false;
        isAtCommit();
        await mayGo;
      }
      return rename(from, to);
    });
    const late = at.open('suspended').reserve(reservation('a'), 6);
    await atCommit;
    await store.reserve(reservation('b'), 6);
    go();
    await expect(late).rejects.toMatchObject({ code: 'insufficient_balance', context: { balance: 4 } });
    pausing.mockRestore();
    expect(await balance()).toBe(4);
  });
});
