/** Accounts in files: what every store does, and what comes of their being apart from the tasks. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UNKNOWN_OWNER_MS } from '../../../src/task/accounts/account-deps.ts';
import type { IdempotencyClaim } from '../../../src/task/accounts/account-store.ts';
import type { FileAccountStore } from '../../../src/task/files/accounts/create-account-store.ts';
import type { TaskStore } from '../../../src/task/task-store.ts';
import { accept, end, ORGANIZATION, openFileAccounts, reservation } from './account-harness.ts';
import { describeAccountStore } from './account-store-contract.ts';

const DAY_MS = 24 * 3_600_000;

describeAccountStore('the file account store', openFileAccounts);

describe('accounts apart from their tasks', () => {
  let at: Awaited<ReturnType<typeof openFileAccounts>>;
  let store: FileAccountStore;
  let tasks: TaskStore;
  beforeEach(async () => {
    at = await openFileAccounts();
    store = at.open();
    tasks = at.tasks();
  });
  afterEach(async () => {
    await store.close();
    await at.close();
  });

  const balance = async (seenBy = store) => (await seenBy.defaultOrganization()).balance;

  describe('credits', () => {
    it('are not counted while nothing was granted', async () => {
      await store.reserve(reservation('a'), 3);
      expect(await store.defaultOrganization()).toMatchObject({ balance: 0, isMetered: false });
      await store.settle(reservation('a'), 'refund');
      await store.grant(ORGANIZATION, 5);
      // What was never charged is never given back, whenever it ends.
      await store.settle(reservation('a'), 'refund');
      expect(await balance()).toBe(5);
    });

    it('make an organization metered even when it is granted nothing', async () => {
      expect(await store.grant(ORGANIZATION, 0)).toMatchObject({ balance: 0, isMetered: true });
      await expect(store.reserve(reservation('a'), 1)).rejects.toMatchObject({
        code: 'insufficient_balance',
      });
    });

    it('belong to one organization', async () => {
      const { id: organizationId } = await store.createOrganization();
      await store.grant(organizationId, 7);
      await store.reserve({ organizationId, taskId: 'a', retries: 0 }, 2);
      await store.settle(reservation('a'), 'refund');
      expect(await store.getOrganization(organizationId)).toMatchObject({ balance: 5 });
      expect(await store.defaultOrganization()).toMatchObject({ balance: 0, isMetered: false });
    });

    it('are set aside, and kept when the task succeeds', async () => {
      await store.grant(ORGANIZATION, 5);
      await store.reserve(reservation('a'), 3);
      expect(await balance()).toBe(2);
      await store.settle(reservation('a'), 'spend');
      expect(await balance()).toBe(2);
    });

    it('are given back when the task fails, or is not accepted', async () => {
      await store.grant(ORGANIZATION, 5);
      await store.reserve(reservation('a'), 3);
      await store.settle(reservation('a'), 'refund');
      expect(await balance()).toBe(5);
      await store.reserve(reservation('b'), 4);
      await store.release(reservation('b'));
      expect(await balance()).toBe(5);
    });

    it('are not reserved beyond the balance, and the refusal says why', async () => {
      await store.grant(ORGANIZATION, 5);
      await store.reserve(reservation('a'), 3);
      await expect(store.reserve(reservation('b'), 3)).rejects.toMatchObject({
        code: 'insufficient_balance',
        context: { balance: 2, required: 3 },
      });
      await store.reserve(reservation('c'), 2);
      expect(await balance()).toBe(0);
    });

    it('are moved once, however often and by whomever it is asked', async () => {
      const other = at.open('second');
      await store.grant(ORGANIZATION, 10);
      for (const each of [store, other, store]) await each.reserve(reservation('a'), 3);
      expect(await balance()).toBe(7);
      await accept(tasks, at.newId());
      for (const each of [other, store, other]) await each.settle(reservation('a'), 'refund');
      for (const each of [other, store]) await each.settle(reservation('a'), 'spend');
      await other.release(reservation('a'));
      expect(await balance()).toBe(10);
    });

    it('are not reserved again for a task that has ended, but for its retry', async () => {
      const id = at.newId();
      await store.grant(ORGANIZATION, 10);
      await store.reserve(reservation(id), 3);
      await accept(tasks, id);
      await end(tasks, id, 'FAILED');
      await store.settle(reservation(id), 'refund');
      await at.open('second').reserve(reservation(id), 3);
      expect(await balance()).toBe(10);
      await store.reserve(reservation(id, 1), 3);
      expect(await balance()).toBe(7);
      await tasks.retry(id);
      await store.release(reservation(id, 1));
      expect(await balance()).toBe(7);
    });

    it('are reserved again for a task that was not accepted at first', async () => {
      await store.grant(ORGANIZATION, 10);
      await store.reserve(reservation('a'), 3);
      await store.release(reservation('a'));
      await store.reserve(reservation('a'), 3);
      expect(await balance()).toBe(7);
    });

    it('suffice for exactly ten of fifty, asked at once by three processes', async () => {
      await store.grant(ORGANIZATION, 10);
      const stores = [store, at.open('second'), at.open('third')];
      const results = await Promise.allSettled(
        Array.from({ length: 50 }, (_, n) => stores[n % 3]!.reserve(reservation(`task-${n}`), 1)),
      );
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
      for (const each of stores) expect(await balance(each)).toBe(0);
      await Promise.all(
        results.map((result, n) =>
          result.status === 'fulfilled'
            ? stores[(n + 1) % 3]!.settle(reservation(`task-${n}`), 'refund')
            : null,
        ),
      );
      expect(await balance(at.open('fourth'))).toBe(10);
    });

    it('survive many lines, with and without snapshots', async () => {
      await store.grant(ORGANIZATION, 1_000);
      for (let n = 0; n < 40; n++) {
        const id = `task-${n}`;
        await store.reserve(reservation(id), 2);
        if (n % 4 !== 3) await store.settle(reservation(id), n % 2 === 0 ? 'spend' : 'refund');
      }
      await store.close();
      const fresh = at.open('second');
      // Twenty spent, ten refunded, ten still open.
      expect(await balance(fresh)).toBe(1_000 - 2 * 30);
      await fresh.settle(reservation('task-39'), 'refund');
      await fresh.settle(reservation('task-38'), 'refund');
      expect(await balance()).toBe(1_000 - 2 * 29);
    });
  });

  describe('reconciling', () => {
    beforeEach(async () => {
      await store.grant(ORGANIZATION, 10);
    });

    it('leaves alone what a living process is about to accept, and what waits or runs', async () => {
      const id = at.newId();
      await store.reserve(reservation('coming'), 1);
      await store.reserve(reservation(id), 1);
      await accept(tasks, id);
      at.nowMs += DAY_MS;
      expect(await at.open('second').reconcile()).toEqual({ settled: 0, released: 0 });
      await tasks.claim(id);
      expect(await at.open('second').reconcile()).toEqual({ settled: 0, released: 0 });
      expect(await balance()).toBe(8);
    });

    it('gives back at once what a dead process never accepted', async () => {
      await store.reserve(reservation('a'), 4);
      at.setLiveness('first', 'dead');
      const second = at.open('second');
      expect(await second.reconcile()).toEqual({ settled: 0, released: 1 });
      expect(await second.reconcile()).toEqual({ settled: 0, released: 0 });
      expect(await balance(second)).toBe(10);
    });

    it.each(['unknown', 'elsewhere'] as const)(
      'gives it back later if the process is %s',
      async (liveness) => {
        await store.reserve(reservation('a'), 4);
        at.setLiveness('first', liveness);
        const second = at.open('second');
        at.nowMs += UNKNOWN_OWNER_MS;
        expect(await second.reconcile()).toEqual({ settled: 0, released: 0 });
        at.nowMs += 1;
        expect(await second.reconcile()).toEqual({ settled: 0, released: 1 });
      },
    );

    it('gives it back at once if its time is in the future, because the clock was set back', async () => {
      await store.reserve(reservation('a'), 4);
      at.setLiveness('first', 'elsewhere');
      at.nowMs -= 86_400_000;
      expect(await at.open('second').reconcile()).toEqual({ settled: 0, released: 1 });
    });

    it('settles tasks that ended while no process was left to settle them', async () => {
      const [won, lost, retried, waiting] = [at.newId(), at.newId(), at.newId(), at.newId()];
      for (const id of [won, lost, retried, waiting]) {
        await store.reserve(reservation(id), 1);
        await accept(tasks, id);
      }
      await end(tasks, won, 'SUCCEEDED');
      await end(tasks, lost, 'FAILED');
      await end(tasks, retried, 'FAILED');
      await store.reserve(reservation(retried, 1), 1);
      await tasks.retry(retried);
      expect(await balance()).toBe(5);
      at.setLiveness('first', 'dead');
      expect(await at.open('second').reconcile()).toEqual({ settled: 3, released: 0 });
      // One is spent, one waits, one waits again.
      expect(await balance()).toBe(7);
    });

    it('gives back what was reserved for a retry that never came to be', async () => {
      const id = at.newId();
      await accept(tasks, id);
      await end(tasks, id, 'FAILED');
      await store.reserve(reservation(id, 1), 4);
      at.setLiveness('first', 'dead');
      expect(await at.open('second').reconcile()).toEqual({ settled: 0, released: 1 });
      expect(await balance()).toBe(10);
    });

    it('goes through all of them, a few at a time, in all organizations', async () => {
      const { id: organizationId } = await store.createOrganization();
      await store.grant(organizationId, 10);
      for (let n = 0; n < 5; n++) {
        await store.reserve(reservation(`task-${n}`), 1);
        await store.reserve({ organizationId, taskId: `task-${n}`, retries: 0 }, 1);
      }
      const second = at.open('second');
      // Nothing to do at first: the cursor must move on all the same.
      for (let n = 0; n < 7; n++) expect(await second.reconcile({ limit: 2 })).toMatchObject({ released: 0 });
      at.setLiveness('first', 'dead');
      let released = 0;
      for (let n = 0; n < 12; n++) released += (await second.reconcile({ limit: 2 })).released;
      expect(released).toBe(10);
      expect(await balance()).toBe(10);
    });
  });

  describe('idempotency keys', () => {
    const begin = (key: string, body = 'body', by = store) => by.beginIdempotent(ORGANIZATION, key, body);
    const asNew = (claim: IdempotencyClaim) => {
      if (claim.kind !== 'new') throw new Error(`expected a new claim, not ${claim.kind}`);
      return claim;
    };

    it('wait for the request at work, and take its place when it is refused', async () => {
      const first = asNew(await begin('k'));
      const second = begin('k', 'body', at.open('second'));
      await first.abort();
      expect(asNew(await second).taskId).not.toBe(first.taskId);
    });

    it('tell another body at once while the first request is at work', async () => {
      await begin('k');
      expect(await begin('k', 'other', at.open('second'))).toEqual({ kind: 'reused' });
    });

    it('do not wait for ever', async () => {
      await begin('k');
      const second = begin('k', 'body', at.open('second'));
      const refused = expect(second).rejects.toMatchObject({ code: 'unavailable' });
      // Begun at the old time; looked at again at the new.
      await new Promise((resolve) => setImmediate(resolve));
      at.nowMs += 10_000;
      await refused;
    });
  });
});
