/** The log itself: torn and foreign lines, snapshots that lie, repeats that come late, disks that fail. */
import fs from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AccountStore } from '../../src/task/accounts/account-store.ts';
import { applyEntry, emptyLedger, REMEMBERED_ENDS } from '../../src/account/ledger-state.ts';
import { identity } from '../task/store-harness.ts';
import {
  type AccountHarness,
  accept,
  end,
  ORGANIZATION,
  openFileAccounts,
  reservation,
} from '../task/accounts/account-harness.ts';

let at: AccountHarness & { readonly home: string };
let store: AccountStore;
let log: string;
let snapshot: string;
beforeEach(async () => {
  at = await openFileAccounts();
  store = at.open();
  const folder = join(at.home, 'accounts', 'organizations', ORGANIZATION);
  log = join(folder, 'ledger.ndjson');
  snapshot = join(folder, 'ledger-snapshot.json');
});
afterEach(async () => {
  await store.close();
  await at.close();
});

const balance = async (by = at.open('cold')) => (await by.defaultOrganization()).balance;

/** Enough lines for a snapshot. */
async function fill(): Promise<void> {
  await store.grant(ORGANIZATION, 100);
  for (let n = 0; n < 12; n++) {
    await store.reserve(reservation(`task-${n}`), 1);
    await store.settle(reservation(`task-${n}`), n % 2 === 0 ? 'spend' : 'refund');
  }
  await store.close();
}

describe('the ledger', () => {
  it.each([
    ['half a line', '{"kind":"grant","entry":"x","credits":1000'],
    ['zeros after a power cut', '\0'.repeat(5_000)],
    ['other text', 'hello'],
    ['a megabyte without an end', 'x'.repeat(3_000_000)],
    ['a kind of a later version', '{"kind":"gift","entry":"x","credits":1000}'],
    ['a grant that is no number', '{"kind":"grant","entry":"x","credits":"1000"}'],
    ['a grant below zero', '{"kind":"grant","entry":"x","credits":-5}'],
  ])('does not count %s, and goes on behind it', async (_, text) => {
    await store.grant(ORGANIZATION, 5);
    await fs.appendFile(log, text);
    expect(await balance()).toBe(5);
    expect(await balance(store)).toBe(5);
    expect(await at.open('second').grant(ORGANIZATION, 7)).toMatchObject({ balance: 12 });
    expect(await balance(store)).toBe(12);
    expect(await balance()).toBe(12);
  });

  it('is read on from a snapshot', async () => {
    await fill();
    const { offset } = JSON.parse(await fs.readFile(snapshot, 'utf8'));
    expect(offset).toBeGreaterThan(1_000);
    // What lies before the snapshot is not looked at any more.
    const text = await fs.readFile(log, 'utf8');
    await fs.writeFile(log, text.replace('"credits":100', '"credits":900'));
    expect(await balance()).toBe(94);
  });

  it.each<[string, (text: string) => string]>([
    ['damaged', (text) => text.slice(0, 50)],
    ['empty', () => ''],
    ['of another version', (text) => text.replace('"version":2', '"version":3')],
    ['ahead of a log that lost its end', (text) => text.replace(/"offset":(\d+)/, '"offset":9$1')],
    ['of another volume', (text) => text.replace('"volume":1', '"volume":2')],
    ['of another log', (text) => text.replace(/"tail":"..../, '"tail":"AAAA')],
  ])('is read from its beginning when the snapshot is %s', async (_, change) => {
    await fill();
    await fs.writeFile(snapshot, change(await fs.readFile(snapshot, 'utf8')));
    expect(await balance()).toBe(94);
  });

  it('is read anew when it was put back from a backup', async () => {
    await store.grant(ORGANIZATION, 5);
    await fs.copyFile(log, `${log}.backup`);
    await store.grant(ORGANIZATION, 20);
    await fs.rename(`${log}.backup`, log);
    expect(await balance(store)).toBe(5);
    expect(await store.grant(ORGANIZATION, 1)).toMatchObject({ balance: 6 });
  });

  it('is empty when it was deleted', async () => {
    await fill();
    await fs.rm(log);
    expect(await store.defaultOrganization()).toMatchObject({ balance: 0, isMetered: false });
    expect(await store.grant(ORGANIZATION, 3)).toMatchObject({ balance: 3 });
    expect(await balance()).toBe(3);
  });

  it('writes nothing for what it can refuse, repeat or leave out', async () => {
    await store.reserve(reservation('free'), 3);
    await expect(fs.stat(log)).rejects.toMatchObject({ code: 'ENOENT' });
    await store.grant(ORGANIZATION, 3);
    await store.reserve(reservation('a'), 3);
    const { size } = await fs.stat(log);
    await expect(store.reserve(reservation('b'), 1)).rejects.toMatchObject({ code: 'insufficient_balance' });
    await store.reserve(reservation('a'), 3);
    await store.settle(reservation('b'), 'refund');
    await store.release(reservation('b'));
    expect((await fs.stat(log)).size).toBe(size);
  });

  it('flushes once for calls that come together', async () => {
    await store.grant(ORGANIZATION, 1_000);
    const open = vi.spyOn(fs, 'open');
    await Promise.all(Array.from({ length: 100 }, (_, n) => store.reserve(reservation(`task-${n}`), 1)));
    const appends = open.mock.calls.filter(([path, flags]) => path === log && flags === 'a');
    expect(appends.length).toBeLessThan(10);
    expect(await balance()).toBe(900);
  });

  it('gives back what was refused because the disk failed after the line was written', async () => {
    await store.grant(ORGANIZATION, 10);
    const id = at.newId();
    const { open } = fs;
    const failing = vi.spyOn(fs, 'open').mockImplementation(async (path, flags) => {
      const handle = await open(path, flags);
      if (path === log && flags === 'a') {
        failing.mockRestore();
        const close = handle.close.bind(handle);
        handle.close = async () => {
          await close();
          throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
        };
      }
      return handle;
    });
    await expect(store.reserve(reservation(id), 4)).rejects.toMatchObject({ code: 'store_unwritable' });
    expect(await balance()).toBe(6);
    expect(await store.reconcile()).toEqual({ settled: 0, released: 1 });
    expect(await balance()).toBe(10);
  });

  it('keeps the credits of a task that was made although making it failed', async () => {
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
});

describe('a repeat that comes late', () => {
  it('is told as long as it is remembered, and must be looked at again after that', () => {
    const state = emptyLedger();
    const base = { at: '', by: identity('x'), retries: 0, credits: 1, seen: 0 };
    const reserve = (task: string, seen: number) =>
      applyEntry(state, { ...base, kind: 'reserve', entry: task, task, seen });
    applyEntry(state, { kind: 'grant', entry: 'g', at: '', credits: 10 });
    const settle = (task: string) =>
      applyEntry(state, { kind: 'refund', entry: task, at: '', task, retries: 0 });
    reserve('first', 0);
    settle('first');
    for (let n = 1; n < REMEMBERED_ENDS; n++) {
      reserve(`task-${n}`, n);
      settle(`task-${n}`);
    }
    expect(reserve('first', 0)).toBe('repeated');
    reserve('last', REMEMBERED_ENDS);
    settle('last');
    expect(reserve('first', 0)).toBe('stale');
    expect(state).toMatchObject({ balance: 10, settlements: REMEMBERED_ENDS + 1 });
    expect(state.ended.size).toBe(REMEMBERED_ENDS);
  });
});

describe('a ledger of many volumes', () => {
  let many: Awaited<ReturnType<typeof openFileAccounts>>;
  let folder: string;
  beforeEach(async () => {
    many = await openFileAccounts(5, 1_500);
    folder = join(many.home, 'accounts', 'organizations', ORGANIZATION);
  });
  afterEach(() => many.close());

  const volumes = async () => (await fs.readdir(folder)).filter((name) => name.endsWith('.ndjson'));

  /** Spends `count` credits of `by`, one after the other. */
  async function spend(by: AccountStore, count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      const key = reservation(many.newId());
      await by.reserve(key, 1);
      await by.settle(key, 'spend');
    }
  }

  it('adds up to the same for all writers, also concurrent ones, and all readers', async () => {
    const stores = ['first', 'second', 'third'].map((name) => many.open(name));
    await stores[0]!.grant(ORGANIZATION, 100);
    await Promise.all(stores.map((each) => spend(each, 20)));
    expect((await volumes()).length).toBeGreaterThan(5);
    for (const each of [...stores, many.open('cold')]) expect(await balance(each)).toBe(40);
  });

  it('keeps what is reserved from one volume to the next', async () => {
    const writer = many.open();
    await writer.grant(ORGANIZATION, 100);
    const kept = reservation(many.newId());
    await writer.reserve(kept, 30);
    await spend(writer, 12);
    expect(await balance(many.open('cold'))).toBe(58);
    await many.open('second').settle(kept, 'refund');
    expect(await balance(writer)).toBe(88);
    await writer.settle(kept, 'refund');
    expect(await balance(many.open('cold'))).toBe(88);
  });

  it('loses old volumes when told so, and no credit, also for those who have not looked since', async () => {
    const [writer, idle, waiting] = ['first', 'second', 'third'].map((name) => many.open(name)) as [
      AccountStore,
      AccountStore,
      AccountStore,
    ];
    // Looked while there was no log at all.
    expect(await balance(waiting)).toBe(0);
    await writer.grant(ORGANIZATION, 100);
    expect(await balance(idle)).toBe(100);
    await spend(writer, 20);
    const before = (await volumes()).length;
    expect(await writer.prune({ olderThanMs: many.nowMs })).toBe(0);
    many.nowMs += 1_000;
    expect(await writer.prune({ olderThanMs: many.nowMs })).toBe(before - 1);
    expect(await volumes()).toHaveLength(1);
    for (const each of [writer, idle, many.open('cold')]) expect(await balance(each)).toBe(80);
    await waiting.reserve(reservation('late'), 5);
    for (const each of [writer, idle, waiting, many.open('cold')]) expect(await balance(each)).toBe(75);
  });

  it('is not guessed at when the opening of its last volume is damaged', async () => {
    const writer = many.open();
    await writer.grant(ORGANIZATION, 100);
    await spend(writer, 12);
    const openings = (await fs.readdir(folder)).filter((name) => name.endsWith('.opening.json'));
    const latest = `ledger.${openings.length + 1}.opening.json`;
    await fs.writeFile(join(folder, latest), '{}');
    await expect(balance(many.open('cold'))).rejects.toMatchObject({ code: 'store_corrupt' });
  });

  it('goes on in the next volume after a crash between the close and the opening', async () => {
    const writer = many.open();
    await writer.grant(ORGANIZATION, 100);
    await spend(writer, 12);
    const openings = (await fs.readdir(folder)).filter((name) => name.endsWith('.opening.json'));
    const latest = openings.length + 1;
    await fs.rm(join(folder, `ledger.${latest}.opening.json`));
    await fs.rm(join(folder, `ledger.${latest}.ndjson`), { force: true });
    // What was only in the last volume is gone with it; the volume before it says how it began.
    const cold = many.open('cold');
    const rest = await balance(cold);
    expect(rest).toBeGreaterThanOrEqual(88);
    expect(await cold.grant(ORGANIZATION, 5)).toMatchObject({ balance: rest + 5 });
    expect(await fs.readdir(folder)).toContain(`ledger.${latest}.opening.json`);
  });
});
