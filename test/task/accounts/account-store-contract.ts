/** What every account store does, whatever it keeps its accounts in. */
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AccountStore, IdempotencyClaim } from '../../../src/task/accounts/account-store.ts';
import type { TaskStore } from '../../../src/task/task-store.ts';
import { type AccountHarness, accept, end, ORGANIZATION } from './account-harness.ts';

const DAY_MS = 24 * 3_600_000;

export function describeAccountStore(name: string, openHarness: () => Promise<AccountHarness>): void {
  describe(name, () => {
    let at: AccountHarness;
    let store: AccountStore;
    let tasks: TaskStore;
    beforeEach(async () => {
      at = await openHarness();
      store = at.open();
      tasks = at.tasks();
    });
    afterEach(async () => {
      await store.close();
      await at.close();
    });

    const balance = async (seenBy = store) => (await seenBy.defaultOrganization()).balance;

    describe('organizations', () => {
      it('has one from the start, unmetered, which every process knows by the same id', async () => {
        expect(await store.defaultOrganization()).toEqual({
          id: ORGANIZATION,
          name: 'default',
          balance: 0,
          isMetered: false,
          createdAt: '2026-11-20T14:03:07.123Z',
        });
        at.nowMs += 60_000;
        expect(await at.open('second').listOrganizations()).toEqual({
          data: [await store.defaultOrganization()],
          warnings: [],
        });
      });

      it('makes others, listed by age', async () => {
        const first = await store.createOrganization({ name: ' Harbor Homes ' });
        at.nowMs += 1_000;
        const second = await store.createOrganization();
        expect(first).toMatchObject({ name: 'Harbor Homes', balance: 0, isMetered: false });
        expect(second.name).toBe(second.id);
        expect((await at.open('second').listOrganizations()).data.map(({ id }) => id)).toEqual([
          ORGANIZATION,
          first.id,
          second.id,
        ]);
        expect(await store.getOrganization(first.id)).toEqual(first);
      });

      it.each(['', 'org_nobody', 'org_0123456789abcdef', '../../etc', '__proto__', 'ORG_DEFAULT'])(
        'does not know %j',
        async (id) => {
          const refusal = { code: 'organization_not_found' };
          await expect(store.getOrganization(id)).rejects.toMatchObject(refusal);
          await expect(store.grant(id, 1)).rejects.toMatchObject(refusal);
          await expect(store.createKey({ organizationId: id })).rejects.toMatchObject(refusal);
        },
      );

      it('refuses a name that is no name', async () => {
        await expect(store.createOrganization({ name: 'x'.repeat(201) })).rejects.toMatchObject({
          code: 'usage',
        });
      });
    });

    describe('credits', () => {
      it('are granted, add up, and are seen by every process', async () => {
        const other = at.open('second');
        expect(await other.defaultOrganization()).toMatchObject({ isMetered: false });
        expect(await store.grant(ORGANIZATION, 500, 'invoice 17')).toMatchObject({
          balance: 500,
          isMetered: true,
        });
        await other.grant(ORGANIZATION, 20);
        expect(await balance()).toBe(520);
        expect(await balance(other)).toBe(520);
        expect(await balance(at.open('third'))).toBe(520);
      });

      it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e9 + 1])(
        'refuse a grant of %d',
        async (credits) => {
          await expect(store.grant(ORGANIZATION, credits)).rejects.toMatchObject({ code: 'usage' });
          expect(await store.defaultOrganization()).toMatchObject({ isMetered: false });
        },
      );
    });

    describe('keys', () => {
      it('are shown once, and open their organization from then on, in every process', async () => {
        const { id: organizationId } = await store.createOrganization();
        expect(await at.open('second').hasEverHadKeys()).toBe(false);
        const made = await store.createKey({ organizationId });
        expect(made).toEqual({
          id: expect.stringMatching(/^[0-9a-f]{16}$/),
          key: expect.stringMatching(new RegExp(`^lv_live_${made.id}_[A-Za-z0-9_-]{43}$`)),
          organizationId,
          readOnly: false,
          isOperator: false,
          createdAt: '2026-11-20T14:03:07.123Z',
          expiresAt: null,
          lastUsedAt: null,
          revokedAt: null,
        });
        const caller = { keyId: made.id, organizationId, readOnly: false, isOperator: false };
        expect(await store.authenticate(made.key)).toEqual(caller);
        expect(await at.open('second').authenticate(made.key)).toEqual(caller);
        expect(JSON.stringify(await store.listKeys())).not.toContain(made.key.slice(-43));
      });

      it('may be read-only', async () => {
        const { key } = await store.createKey({ organizationId: ORGANIZATION, readOnly: true });
        expect(await store.authenticate(key)).toMatchObject({ readOnly: true });
      });

      it('can read metrics only if made for it, in every process', async () => {
        const { key } = await store.createKey({ organizationId: ORGANIZATION, isOperator: true });
        const caller = { isOperator: true, readOnly: false };
        expect(await store.authenticate(key)).toMatchObject(caller);
        expect(await at.open('second').authenticate(key)).toMatchObject(caller);
        expect((await store.listKeys()).data).toMatchObject([caller]);
      });

      it('expire at their time, in every process, and only their holder learns why', async () => {
        const options = { organizationId: ORGANIZATION, expiresInMs: 90 * DAY_MS };
        const { key, expiresAt } = await store.createKey(options);
        expect(expiresAt).toBe('2027-02-18T14:03:07.123Z');
        const other = at.open('second');
        at.nowMs += 90 * DAY_MS - 1;
        for (const each of [store, other])
          expect(await each.authenticate(key)).toMatchObject({ readOnly: false });
        at.nowMs += 1;
        for (const each of [store, other])
          expect(await each.authenticate(key)).toEqual({ expiredAt: expiresAt });
        expect(await store.authenticate(`${key.slice(0, -4)}AAAA`)).toBeNull();
        expect((await other.listKeys()).data).toMatchObject([{ expiresAt, revokedAt: null }]);
        expect(await store.hasEverHadKeys()).toBe(true);
        await store.revokeKey(key);
        expect(await store.authenticate(key)).toBeNull();
      });

      it('show their last use, at most a minute late, in every process', async () => {
        const first = await store.createKey({ organizationId: ORGANIZATION });
        const second = await store.createKey({ organizationId: ORGANIZATION });
        const other = at.open('second');
        const lastUses = async () => {
          await Promise.all([store.close(), other.close()]);
          const { data } = await other.listKeys();
          return [first, second].map(({ id }) => data.find((key) => key.id === id)?.lastUsedAt);
        };
        await store.authenticate(`${first.key.slice(0, -4)}AAAA`);
        expect(await lastUses()).toEqual([null, null]);
        await store.authenticate(first.key);
        expect(await lastUses()).toEqual(['2026-11-20T14:03:07.123Z', null]);
        at.nowMs += 59_999;
        for (const each of [store, other]) await each.authenticate(first.key);
        expect(await lastUses()).toEqual(['2026-11-20T14:03:07.123Z', null]);
        at.nowMs += 1;
        for (const each of [other, store]) await each.authenticate(first.key);
        expect(await lastUses()).toEqual(['2026-11-20T14:04:07.123Z', null]);
        // The clock was set back: the last use must not stay in the future.
        at.nowMs -= 3 * DAY_MS;
        await store.authenticate(first.key);
        expect(await lastUses()).toEqual(['2026-11-17T14:04:07.123Z', null]);
        await store.revokeKey(first.key);
        at.nowMs += DAY_MS;
        await store.authenticate(first.key);
        expect(await lastUses()).toEqual(['2026-11-17T14:04:07.123Z', null]);
      });

      it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 36_500 * DAY_MS + 1])(
        'cannot expire after %d ms',
        async (expiresInMs) => {
          const making = store.createKey({ organizationId: ORGANIZATION, expiresInMs });
          await expect(making).rejects.toMatchObject({ code: 'usage' });
          expect(await store.hasEverHadKeys()).toBe(false);
        },
      );

      it('are listed by age, those of one organization when asked', async () => {
        const { id: organizationId } = await store.createOrganization();
        const first = await store.createKey({ organizationId: ORGANIZATION });
        at.nowMs += 1;
        const second = await store.createKey({ organizationId });
        expect((await store.listKeys()).data.map(({ id }) => id)).toEqual([first.id, second.id]);
        expect((await store.listKeys(organizationId)).data.map(({ id }) => id)).toEqual([second.id]);
      });

      it('open nothing once revoked, within a second in every process, and never to be trusted without again', async () => {
        const other = at.open('second');
        const { id, key } = await store.createKey({ organizationId: ORGANIZATION });
        expect(await other.authenticate(key)).not.toBeNull();
        expect(await store.revokeKey(id)).toMatchObject({ id, revokedAt: '2026-11-20T14:03:07.123Z' });
        expect(await store.authenticate(key)).toBeNull();
        at.nowMs += 1_000;
        expect(await other.authenticate(key)).toBeNull();
        expect(await store.revokeKey(key)).toMatchObject({ id, revokedAt: '2026-11-20T14:03:07.123Z' });
        expect((await store.listKeys()).data).toHaveLength(1);
        expect(await at.open('third').hasEverHadKeys()).toBe(true);
      });

      it('of another process are noticed within a second', async () => {
        expect(await store.hasEverHadKeys()).toBe(false);
        const { key } = await at.open('second').createKey({ organizationId: ORGANIZATION });
        expect(await store.authenticate(key)).not.toBeNull();
        at.nowMs += 1_000;
        expect(await store.hasEverHadKeys()).toBe(true);
      });

      it('open nothing with a wrong secret, another id, or anything before or after', async () => {
        const { key } = await store.createKey({ organizationId: ORGANIZATION });
        const other = await store.createKey({ organizationId: ORGANIZATION });
        const last = key.endsWith('A') ? 'B' : 'A';
        const wrong = [
          `${key.slice(0, -1)}${last}`,
          `lv_live_${other.id}_${key.slice(-43)}`,
          `${key} `,
          ` ${key}`,
          `${key}\n`,
          key.toUpperCase(),
          key.slice(0, -1),
          createHash('sha256').update(key).digest('hex'),
        ];
        for (const presented of wrong) expect(await store.authenticate(presented), presented).toBeNull();
      });

      it.each([
        ['nothing', ''],
        ['a path', `lv_live_../../../../../e_${'A'.repeat(43)}`],
        ['a null character', `lv_live_0123456789abcde\0_${'A'.repeat(43)}`],
        ['a name of objects', '__proto__'],
        ['megabytes', `lv_live_${'0'.repeat(16)}_${'A'.repeat(8_000_000)}`],
        ['an unknown id', `lv_live_${'0'.repeat(16)}_${'A'.repeat(43)}`],
        ['a lone surrogate', '\ud800'.repeat(68)],
      ])('are not opened by %s', async (_, presented) => {
        await store.createKey({ organizationId: ORGANIZATION });
        expect(await store.authenticate(presented)).toBeNull();
      });

      it('that do not exist cannot be revoked, and the refusal hides what may be a secret', async () => {
        const { key } = await store.createKey({ organizationId: ORGANIZATION });
        const refusal = { code: 'key_not_found' };
        for (const id of ['', '../x', '0123456789abcdef']) {
          await expect(store.revokeKey(id)).rejects.toMatchObject(refusal);
        }
        const mistyped = `${key}x`;
        const error = await store.revokeKey(mistyped).catch((thrown) => thrown);
        expect(error).toMatchObject(refusal);
        expect(JSON.stringify([error.message, error.hint, error.context])).not.toContain(key.slice(30, 50));
      });
    });

    describe('idempotency keys', () => {
      const begin = (key: string, body = 'body', by = store) => by.beginIdempotent(ORGANIZATION, key, body);
      const asNew = (claim: IdempotencyClaim) => {
        if (claim.kind !== 'new') throw new Error(`expected a new claim, not ${claim.kind}`);
        return claim;
      };
      /** As a server does. Another request can have been first. */
      const finish = async (claim: IdempotencyClaim) => {
        if (claim.kind !== 'new') return claim;
        const isMade = await accept(tasks, claim.taskId).then(
          () => true,
          () => false,
        );
        if (!isMade) return claim.abort();
        await claim.commit();
        return claim;
      };
      const make = async (key: string, body = 'body') => {
        const claim = asNew(await begin(key, body));
        await finish(claim);
        return claim.taskId;
      };

      it('mean the same task to every process, and another body is refused', async () => {
        const taskId = await make('k');
        for (const each of [store, at.open('second')]) {
          expect(await begin('k', 'body', each)).toEqual({ kind: 'replay', taskId });
          expect(await begin('k', 'other', each)).toEqual({ kind: 'reused' });
        }
      });

      it('belong to one organization', async () => {
        const { id } = await store.createOrganization();
        const taskId = await make('k');
        const other = asNew(await store.beginIdempotent(id, 'k', 'other'));
        expect(other.taskId).not.toBe(taskId);
      });

      it('may be any text', async () => {
        const ids = new Set<string>();
        const keys = ['../../x', '\0', 'K', 'k', '__proto__', 'x'.repeat(255), '💡', ' '];
        for (const key of keys) ids.add(await make(key));
        expect(ids.size).toBe(keys.length);
        for (const key of keys) expect(await begin(key)).toMatchObject({ kind: 'replay' });
      });

      it('last for 24 hours', async () => {
        const taskId = await make('k');
        at.nowMs += DAY_MS - 1;
        expect(await begin('k')).toEqual({ kind: 'replay', taskId });
        at.nowMs += 1;
        const next = asNew(await begin('k', 'other'));
        expect(next.taskId).not.toBe(taskId);
      });

      it('still mean their task when it was pruned', async () => {
        const taskId = await make('k');
        await end(tasks, taskId, 'SUCCEEDED');
        at.nowMs += 1_000;
        await tasks.prune({ olderThanMs: at.nowMs, states: ['SUCCEEDED'] });
        expect(await begin('k')).toEqual({ kind: 'replay', taskId });
      });

      it('are as new after a refused request', async () => {
        const refused = asNew(await begin('k'));
        await refused.abort();
        await refused.abort();
        const taskId = await make('k', 'mended');
        expect(await begin('k', 'mended')).toEqual({ kind: 'replay', taskId });
      });

      it('stand by a task that was made although the request failed', async () => {
        const claim = asNew(await begin('k'));
        await accept(tasks, claim.taskId);
        await claim.abort();
        expect(await begin('k')).toEqual({ kind: 'replay', taskId: claim.taskId });
      });

      it('of twenty at once, in three processes, make one task', async () => {
        const stores = [store, at.open('second'), at.open('third')];
        const answers = await Promise.all(
          Array.from({ length: 20 }, async (_, n) => {
            const claim = await finish(await begin('k', 'body', stores[n % 3]!));
            if (claim?.kind !== 'new' && claim?.kind !== 'replay') throw new Error(claim?.kind);
            return { kind: claim.kind, id: claim.taskId };
          }),
        );
        expect(answers.filter(({ kind }) => kind === 'new')).toHaveLength(1);
        expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
        expect((await tasks.list({ limit: 100 })).data).toHaveLength(1);
      });

      it('are free again at once when their process died before the task was made', async () => {
        const first = asNew(await begin('k'));
        at.setLiveness('first', 'dead');
        const [second, third] = [at.open('second'), at.open('third')];
        const claims = await Promise.all([
          begin('k', 'other', second).then(async (claim) => {
            const { taskId, commit } = asNew(claim);
            await accept(at.tasks('second'), taskId);
            await commit();
            return taskId;
          }),
        ]);
        expect(claims[0]).not.toBe(first.taskId);
        expect(await begin('k', 'other', third)).toEqual({ kind: 'replay', taskId: claims[0] });
      });

      it('are answered with the task when their process died right after it was made', async () => {
        const { taskId } = asNew(await begin('k'));
        await accept(tasks, taskId);
        at.setLiveness('first', 'dead');
        expect(await begin('k', 'body', at.open('second'))).toEqual({ kind: 'replay', taskId });
        expect(await begin('k', 'other', at.open('second'))).toEqual({ kind: 'reused' });
      });

      it('make one task also across midnight', async () => {
        const midnight = Math.ceil(at.nowMs / DAY_MS) * DAY_MS;
        at.nowMs = midnight - 1;
        const before = begin('k', 'body', at.open('second'));
        at.nowMs = midnight;
        const after = begin('k');
        const claims = await Promise.all([before.then(finish), after.then(finish)]);
        expect(claims.map((claim) => claim?.kind).sort()).toEqual(['new', 'replay']);
      });
    });
  });
}
