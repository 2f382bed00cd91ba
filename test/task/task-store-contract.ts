/** What every `TaskStore` does, whatever it is made of. Run once per store. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ListingVideoError } from '../../src/platform/errors.ts';
import type { TaskRecord } from '../../src/task/task.ts';
import type { ClaimQuery, ClaimResult, TaskClaim, TaskStore } from '../../src/task/task-store.ts';
import { identity, START_MS, type StoreHarness } from './store-harness.ts';

const NEXT: ClaimQuery = { origin: 'api', trustLeases: true };
const FAILURE = { code: 'render_failed', message: 'the kernel stumbled', context: { frame: 7 } };

export function describeTaskStore(name: string, openHarness: () => Promise<StoreHarness>): void {
  describe(`${name} as a TaskStore`, () => {
    let at: StoreHarness;
    let store: TaskStore;

    beforeEach(async () => {
      at = await openHarness();
      store = at.open();
    });
    afterEach(() => at.close());

    const create = (change: Partial<Parameters<TaskStore['create']>[0]> = {}) =>
      store.create({ id: at.newId(), origin: 'api', organizationId: null, payload: { n: 1 }, ...change });

    describe('create and get', () => {
      it('stores a PENDING task that another process reads as it was written', async () => {
        const listing = { id: 'L-1', note: 'Ünïcödé   \u{1F3E1}', agents: [{}, {}] };
        const payload = { listing, list: [1, null, true] };
        const task = await create({ payload, organizationId: 'org' });
        expect(task).toEqual({
          id: task.id,
          origin: 'api',
          organizationId: 'org',
          state: 'PENDING',
          createdAt: '2026-11-20T14:03:07.123Z',
          updatedAt: '2026-11-20T14:03:07.123Z',
          startedAt: null,
          summary: { label: 'L-1', resultCount: 2, resultNames: ['', ''] },
          outcome: null,
          failure: null,
          progress: null,
          attempts: 0,
          maxAttempts: 3,
          retries: 0,
          cancelRequested: false,
          fence: 0,
          worker: null,
          submitter: identity('first'),
        });
        expect(await at.open('second').get(task.id)).toEqual(task);
        expect(await at.open('second').payload(task.id)).toEqual(payload);
      });

      it('refuses an id that is used and leaves that task alone', async () => {
        const task = await create();
        await expect(create({ id: task.id, payload: 'other' })).rejects.toMatchObject({
          code: 'task_state_conflict',
        });
        expect(await store.get(task.id)).toEqual(task);
        expect((await store.list({ limit: 5 })).data).toEqual([task]);
      });

      it.each(['0190a1b2-c3d4-7000-8000-000000000000', 'nonsense', '../../../../etc/passwd', ''])(
        'says task_not_found for %j',
        async (id) => {
          for (const call of ['get', 'payload', 'claim', 'requestCancel', 'retry', 'reclaim'] as const) {
            await expect(store[call](id)).rejects.toMatchObject({ code: 'task_not_found' });
          }
        },
      );
    });

    describe('list', () => {
      it('is empty at first', async () => {
        expect(await store.list({ limit: 20 })).toEqual({ data: [], hasMore: false, warnings: [] });
      });

      it('shows the newest first and pages through all, also while tasks are added', async () => {
        const ids: string[] = [];
        for (let n = 0; n < 7; n++) {
          // Some in one millisecond, some in another shard.
          at.nowMs += n % 3 === 0 ? 6 * 3_600_000 : 0;
          ids.unshift((await create()).id);
        }
        const first = await store.list({ limit: 3 });
        expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 3));
        expect(first.hasMore).toBe(true);
        await create();
        const second = await store.list({ limit: 4, startingAfter: ids[2]! });
        expect(second.data.map(({ id }) => id)).toEqual(ids.slice(3));
        expect(second.hasMore).toBe(false);
        expect(await store.list({ limit: 4, startingAfter: ids[6]! })).toMatchObject({
          data: [],
          hasMore: false,
        });
      });

      it('filters by state and by organization, alone and together', async () => {
        const mine = await create({ organizationId: 'Mine / 1' });
        const theirs = await create({ organizationId: 'theirs' });
        await create();
        const claim = await claimed(store, theirs.id);
        await store.settle(claim, { kind: 'failed', failure: FAILURE }, null);
        const ids = async (query: object) =>
          (await store.list({ limit: 9, ...query })).data.map(({ id }) => id);
        expect(await ids({ state: 'FAILED' })).toEqual([theirs.id]);
        expect(await ids({ organizationId: 'Mine / 1' })).toEqual([mine.id]);
        expect(await ids({ organizationId: 'theirs', state: 'PENDING' })).toEqual([]);
        expect(await ids({ organizationId: 'theirs', state: 'FAILED' })).toEqual([theirs.id]);
        expect(await ids({ organizationId: 'nobody' })).toEqual([]);
        expect(await ids({})).toHaveLength(3);
      });

      it('refuses a cursor that names no task, or one of another organization', async () => {
        const theirs = await create({ organizationId: 'theirs' });
        for (const startingAfter of ['', 'x', '0190a1b2-c3d4-7000-8000-000000000000', '../x']) {
          await expect(store.list({ limit: 1, startingAfter })).rejects.toMatchObject({
            code: 'task_not_found',
          });
        }
        const query = { limit: 1, startingAfter: theirs.id, organizationId: 'mine' };
        await expect(store.list(query)).rejects.toMatchObject({ code: 'task_not_found' });
      });
    });

    describe('claim', () => {
      it('gives a task to one process only', async () => {
        const task = await create();
        const claim = await claimed(store, task.id);
        expect(claim.task).toMatchObject({ state: 'RUNNING', attempts: 1, worker: identity('first') });
        expect(claim.task).toEqual({ ...(await store.get(task.id)), payload: { n: 1 } });
        expect(await at.open('second').claim(task.id)).toMatchObject({
          kind: 'refused',
          task: { state: 'RUNNING' },
        });
      });

      it('lets one of many win', async () => {
        const task = await create();
        const stores = Array.from({ length: 12 }, (_, n) => at.open(`process ${n}`));
        const results = await Promise.all(stores.map((each) => each.claim(task.id)));
        expect(results.filter(({ kind }) => kind === 'claimed')).toHaveLength(1);
        expect(await store.get(task.id)).toMatchObject({ attempts: 1 });
      });

      it('gives out the oldest first, each once, and only those of the origin asked for', async () => {
        const ids: string[] = [];
        for (let n = 0; n < 6; n++) {
          at.nowMs += n === 3 ? 6 * 3_600_000 : 0;
          const task = await create({ origin: n === 1 ? 'cli' : 'api' });
          if (n !== 1) ids.push(task.id);
        }
        const second = at.open('second');
        const claims = [];
        for (let n = 0; n < 5; n++) {
          claims.push(await (n % 2 ? second : store).claimNext({ origin: 'api', trustLeases: true }));
        }
        expect(claims.map((claim) => (claim?.kind === 'claimed' ? claim.claim.id : claim))).toEqual(ids);
        expect(await store.claimNext({ origin: 'api', trustLeases: true })).toBeNull();
      });

      it('takes over from a dead process at once, and before anything that waits', async () => {
        const task = await create();
        const lost = await claimed(at.open('victim'), task.id);
        await create();
        at.setLiveness('victim', 'dead');
        const claim = claimOf(await store.claimNext({ origin: 'api', trustLeases: false }));
        expect(claim).toMatchObject({
          id: task.id,
          task: { attempts: 1, setbacks: { takeovers: 1 }, worker: identity('first') },
        });
        expect(claim.fence).toBeGreaterThan(lost.fence);
      });

      it('takes over from a silent process when its lease is over, not before', async () => {
        const task = await create();
        const lost = await claimed(at.open('victim'), task.id);
        at.setLiveness('victim', 'unknown');
        at.nowMs += 25_000;
        expect(await at.open('victim').heartbeat(lost)).toBe('owned');
        at.nowMs += 30_000;
        expect(await store.claimNext({ origin: 'api', trustLeases: true })).toBeNull();
        at.nowMs += 1;
        expect(await store.claimNext({ origin: 'api', trustLeases: false })).toBeNull();
        const claim = claimOf(await store.claimNext({ origin: 'api', trustLeases: true }));
        expect(claim).toMatchObject({ id: task.id, task: { attempts: 1, setbacks: { takeovers: 1 } } });
        expect(await at.open('victim').heartbeat(lost)).toBe('lost');
      });

      it('takes over from a silent process whose last heartbeat is in the future, because the clock was set back', async () => {
        const task = await create();
        await claimed(at.open('victim'), task.id);
        at.setLiveness('victim', 'elsewhere');
        at.nowMs -= 30_000;
        expect(await store.claimNext(NEXT)).toBeNull();
        at.nowMs -= 1;
        expect(claimOf(await store.claimNext(NEXT)).id).toBe(task.id);
      });

      it('never gives up a task because servers died, and lets others pass the one that loses them', async () => {
        const lost = await create();
        const order: string[] = [];
        for (let server = 1; server <= 12; server++) {
          at.nowMs += 1_000;
          const fresh = server % 3 === 0 ? await create() : null;
          const name = `server ${server}`;
          const claim = claimOf(await at.open(name).claimNext(NEXT));
          order.push(claim.id === lost.id ? 'lost' : 'fresh');
          if (claim.id !== lost.id) {
            expect(claim.id).toBe(fresh?.id);
            await at.open(name).settle(claim, { kind: 'succeeded', outcome: 1 }, null);
          }
          at.setLiveness(name, 'dead');
        }
        // Its first loss costs it nothing; after the second one it waits behind what was there before that.
        expect(order.slice(0, 3)).toEqual(['lost', 'lost', 'fresh']);
        const last = claimOf(await store.claimNext(NEXT));
        expect(last).toMatchObject({ id: lost.id, task: { attempts: 1, state: 'RUNNING' } });
        expect(last.task.setbacks?.takeovers).toBe(8);
        expect(order.filter((each) => each === 'fresh')).toHaveLength(4);
      });

      it('runs a task that lost three servers alone, or beside others after ten minutes', async () => {
        const lost = await create();
        for (const name of ['one', 'two', 'three']) {
          claimOf(await at.open(name).claimNext(NEXT));
          at.setLiveness(name, 'dead');
        }
        expect(await store.claimNext({ ...NEXT, isBusy: true })).toBeNull();
        at.nowMs += 9 * 60_000;
        expect(await store.claimNext({ ...NEXT, isBusy: true })).toBeNull();
        at.nowMs += 60_000;
        expect(claimOf(await store.claimNext({ ...NEXT, isBusy: true })).id).toBe(lost.id);
      });

      it('gives out a task that lost several servers in the future, after the clock was set back', async () => {
        const lost = await create();
        for (const name of ['a', 'b', 'c', 'd']) {
          claimOf(await at.open(name).claim(lost.id));
          at.setLiveness(name, 'dead');
        }
        expect(await store.claimNext({ ...NEXT, isBusy: true })).toBeNull();
        at.nowMs -= 3_600_000;
        expect(claimOf(await store.claimNext({ ...NEXT, isBusy: true })).id).toBe(lost.id);
      });

      it('gives out a task from the future, after the clock was set back, but does not wait for its age', async () => {
        const task = await create();
        at.nowMs -= 3_600_000;
        expect(await store.claimNext({ ...NEXT, minAgeMs: 2_000 })).toBeNull();
        expect(claimOf(await store.claimNext(NEXT)).id).toBe(task.id);
      });

      it('leaves young tasks alone if the query says so', async () => {
        const old = await create();
        at.nowMs += 2_000;
        await create();
        expect(claimOf(await store.claimNext({ ...NEXT, minAgeMs: 2_000 })).id).toBe(old.id);
        expect(await store.claimNext({ ...NEXT, minAgeMs: 2_000 })).toBeNull();
        expect((await store.claimNext(NEXT))?.kind).toBe('claimed');
      });

      it('leaves the tasks alone that the query holds back', async () => {
        const [first, second] = [await create(), await create()];
        const claim = claimOf(await store.claimNext({ ...NEXT, heldBack: new Set([first.id]) }));
        expect(claim.id).toBe(second.id);
      });
    });

    describe('turns of organizations', () => {
      /** Claims until nothing is left; the names of the organizations in the order of the claims. */
      const serve = async (change: Partial<ClaimQuery> = {}) => {
        const served: (string | null)[] = [];
        const rank = new Map<string, number>();
        for (;;) {
          const result = await store.claimNext({ ...NEXT, turns: { rank, full: new Set() }, ...change });
          if (result === null) return served.join(' ');
          const { organizationId } = claimOf(result).task;
          served.push(organizationId);
          if (organizationId !== null) rank.set(organizationId, served.length);
        }
      };

      it('takes the oldest task of the organization that was served least recently', async () => {
        for (const name of ['big', 'big', 'big', 'big', 'small', 'big', 'Ünï / 1', 'small']) {
          await create({ organizationId: name });
        }
        await create({ organizationId: null });
        expect(await serve()).toBe('big small Ünï / 1 big small big big big ');
      });

      it('passes by an organization that runs as many tasks as it can', async () => {
        for (const name of ['big', 'big', 'small', 'Ünï / 1']) await create({ organizationId: name });
        const full = new Set(['big', 'Ünï / 1']);
        expect(await serve({ turns: { rank: new Map(), full } })).toBe('small');
        expect(await serve()).toBe('big Ünï / 1 big');
      });

      it('leaves a lost task of a full organization for later', async () => {
        await create({ organizationId: 'big' });
        claimOf(await at.open('victim').claimNext(NEXT));
        at.setLiveness('victim', 'dead');
        const turns = { rank: new Map(), full: new Set(['big']) };
        expect(await store.claimNext({ ...NEXT, turns })).toBeNull();
        expect((await store.claimNext(NEXT))?.kind).toBe('claimed');
      });

      it('counts the waiting tasks of one organization and of all', async () => {
        for (const name of ['big', 'big', 'small']) await create({ organizationId: name });
        expect(await store.count({ state: 'PENDING', atMost: 9 })).toBe(3);
        expect(await store.count({ state: 'PENDING', organizationId: 'big', atMost: 9 })).toBe(2);
        expect(await store.count({ state: 'PENDING', organizationId: 'big', atMost: 1 })).toBe(1);
        expect(await store.count({ state: 'PENDING', organizationId: 'none', atMost: 9 })).toBe(0);
      });
    });

    describe('an attempt that ends without a result', () => {
      const FAULT = { code: 'disk_full', message: 'the disk is full', context: {} };

      it('goes back behind the others after a fault of the machine, and has used no attempt', async () => {
        const first = await create();
        const second = await create();
        const claim = claimOf(await store.claimNext(NEXT));
        at.nowMs += 5_000;
        const end = { kind: 'machine-fault', failure: FAULT, counts: false } as const;
        const task = await store.settle(claim, end, { percent: 40, stage: 'render', etaSeconds: 1 });
        expect(task).toMatchObject({ id: first.id, state: 'PENDING', attempts: 0, progress: null });
        at.nowMs += 5_000;
        const third = await create();
        const order = [];
        for (let n = 0; n < 3; n++) order.push(claimOf(await store.claimNext(NEXT)).id);
        expect(order).toEqual([second.id, first.id, third.id]);
      });

      it('fails with the cause after ten faults that count, and however many do not count before', async () => {
        const { id } = await create();
        for (let fault = 0; fault < 39; fault++) {
          const counts = fault >= 30;
          const task = await store.settle(
            await claimed(store, id),
            { kind: 'machine-fault', failure: FAULT, counts },
            null,
          );
          expect(task).toMatchObject({ state: 'PENDING', attempts: 0 });
        }
        const last = await store.settle(
          await claimed(store, id),
          { kind: 'machine-fault', failure: FAULT, counts: true },
          null,
        );
        expect(last).toMatchObject({ state: 'FAILED', failure: FAULT });
        expect(await store.retry(id)).toMatchObject({ state: 'PENDING', attempts: 0 });
        expect((await store.get(id)).setbacks).toBeUndefined();
      });

      it('uses up the attempt when its own process died, and fails after three', async () => {
        const { id } = await create();
        const die = async () => {
          at.nowMs += 1_000;
          const claim = claimOf(await store.claimNext(NEXT));
          const task = await store.settle(claim, { kind: 'died', detail: { signal: 'SIGKILL' } }, null);
          return { claim, task };
        };
        for (const attempts of [1, 2]) {
          const { claim, task } = await die();
          expect(claim.task.attempts).toBe(attempts);
          expect(task).toMatchObject({ id, state: 'PENDING', attempts });
        }
        expect((await die()).task).toMatchObject({ id, state: 'FAILED', attempts: 3 });
        expect((await store.get(id)).failure).toEqual({
          code: 'task_failed',
          message:
            'given up after 3 attempts: each time the process that ran the task ended before the task did',
          context: { attempts: 3, signal: 'SIGKILL' },
        });
      });

      it.each([
        { kind: 'machine-fault', failure: FAULT, counts: true },
        { kind: 'died', detail: {} },
      ] as const)('is cancelled instead of $kind if that was asked for', async (end) => {
        const claim = await claimed(store, (await create()).id);
        await store.requestCancel(claim.id);
        expect(await store.settle(claim, end, null)).toMatchObject({
          state: 'FAILED',
          failure: { code: 'cancelled' },
        });
      });
    });

    describe('settle', () => {
      it('ends a task with its outcome and full progress', async () => {
        const claim = await claimed(store, (await create()).id);
        at.nowMs += 5_000;
        const progress = { percent: 97, stage: 'publish', etaSeconds: 3 };
        const task = await store.settle(claim, { kind: 'succeeded', outcome: { results: [1] } }, progress);
        expect(task).toMatchObject({
          state: 'SUCCEEDED',
          outcome: { results: [1] },
          failure: null,
          progress: { percent: 100, stage: 'publish', etaSeconds: 0 },
          updatedAt: new Date(START_MS + 5_000).toISOString(),
        });
        expect(await at.open('second').get(task.id)).toEqual(task);
      });

      it('keeps the last percent of a task that failed', async () => {
        const claim = await claimed(store, (await create()).id);
        const progress = { percent: 41, stage: 'render', etaSeconds: 12 };
        const task = await store.settle(claim, { kind: 'failed', failure: FAILURE }, progress);
        expect(task).toMatchObject({
          state: 'FAILED',
          outcome: null,
          failure: FAILURE,
          progress: { percent: 41, stage: 'render', etaSeconds: null },
        });
        expect(await store.get(task.id)).toEqual(task);
      });

      it('gives a task back without using up the attempt', async () => {
        const task = await create();
        const given = await store.settle(await claimed(store, task.id), { kind: 'given-back' }, null);
        expect(given).toMatchObject({ state: 'PENDING', attempts: 0, progress: null });
        const again = claimOf(await at.open('second').claimNext({ origin: 'api', trustLeases: false }));
        expect(again.task.attempts).toBe(1);
      });

      it('refuses an owner that was taken over, and leaves the record to the new one', async () => {
        const task = await create();
        const victim = at.open('victim');
        const lost = await claimed(victim, task.id);
        at.nowMs += 31_000;
        const claim = await claimed(store, task.id);
        expect(await victim.check(lost)).toBe('lost');
        for (const end of [{ kind: 'succeeded', outcome: 1 }, { kind: 'given-back' }] as const) {
          await expect(victim.settle(lost, end, null)).rejects.toMatchObject({ code: 'lease_lost' });
        }
        await victim.saveProgress(lost, { percent: 99, stage: 'ghost', etaSeconds: 0 });
        expect(claim.task).toEqual({ ...(await store.get(task.id)), payload: { n: 1 } });
        expect(await store.check(claim)).toBe('owned');
        await store.settle(claim, { kind: 'succeeded', outcome: 'new' }, null);
        await expect(victim.settle(lost, { kind: 'succeeded', outcome: 1 }, null)).rejects.toMatchObject({
          code: 'lease_lost',
        });
        expect(await store.get(task.id)).toMatchObject({ state: 'SUCCEEDED', outcome: 'new' });
      });

      it('settles once', async () => {
        const claim = await claimed(store, (await create()).id);
        const ends = await Promise.allSettled(
          [1, 2, 3, 4].map((outcome) => store.settle(claim, { kind: 'succeeded', outcome }, null)),
        );
        expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      });
    });

    it('shows the progress of a running task to every process, and forgets it with the attempt', async () => {
      const claim = await claimed(at.open('victim'), (await create()).id);
      const progress = { percent: 12.5, stage: 'assets', etaSeconds: null };
      await at.open('victim').saveProgress(claim, progress);
      expect(await store.get(claim.id)).toMatchObject({ state: 'RUNNING', progress });
      expect((await store.list({ limit: 1 })).data[0]).toMatchObject({ progress });
      at.setLiveness('victim', 'dead');
      await claimed(store, claim.id);
      expect(await store.get(claim.id)).toMatchObject({ state: 'RUNNING', progress: null });
    });

    describe('cancel', () => {
      it('ends a waiting task', async () => {
        const task = await create();
        const cancelled = await at.open('second').requestCancel(task.id);
        expect(cancelled).toMatchObject({
          state: 'FAILED',
          failure: { code: 'cancelled', message: 'cancelled' },
        });
        expect(await store.get(task.id)).toEqual(cancelled);
        expect(await store.claim(task.id)).toMatchObject({ kind: 'refused' });
      });

      it('asks the owner of a running task', async () => {
        const claim = await claimed(store, (await create()).id);
        expect(await store.check(claim)).toBe('owned');
        const asked = await at.open('second').requestCancel(claim.id);
        expect(asked).toMatchObject({ state: 'RUNNING', cancelRequested: true });
        expect(await store.check(claim)).toBe('cancel-requested');
        expect(await store.heartbeat(claim)).toBe('cancel-requested');
        expect(await store.get(claim.id)).toEqual(asked);
      });

      it('is honoured by the next owner after an owner died', async () => {
        const claim = await claimed(at.open('victim'), (await create()).id);
        await store.requestCancel(claim.id);
        at.setLiveness('victim', 'dead');
        const result = await store.claimNext({ origin: 'api', trustLeases: false });
        expect(result).toMatchObject({
          kind: 'ended',
          task: { state: 'FAILED', failure: { code: 'cancelled' } },
        });
      });

      it('ends a running task at once when its process is gone', async () => {
        const claim = await claimed(at.open('victim'), (await create()).id);
        at.setLiveness('victim', 'dead');
        expect(await store.requestCancel(claim.id)).toMatchObject({ state: 'FAILED' });
      });

      it('outweighs giving back', async () => {
        const claim = await claimed(store, (await create()).id);
        await store.requestCancel(claim.id);
        const task = await store.settle(claim, { kind: 'given-back' }, null);
        expect(task).toMatchObject({ state: 'FAILED', failure: { message: 'cancelled' } });
      });

      it('refuses what has ended', async () => {
        const claim = await claimed(store, (await create()).id);
        await store.settle(claim, { kind: 'succeeded', outcome: 1 }, null);
        await expect(store.requestCancel(claim.id)).rejects.toMatchObject({ code: 'task_state_conflict' });
        expect(await store.get(claim.id)).toMatchObject({ state: 'SUCCEEDED' });
      });
    });

    describe('retry', () => {
      it('starts a failed task again at attempt one, free of an old cancel', async () => {
        const claim = await claimed(store, (await create()).id);
        await store.requestCancel(claim.id);
        await store.settle(claim, { kind: 'failed', failure: FAILURE }, null);
        const task = await at.open('second').retry(claim.id);
        expect(task).toMatchObject({
          state: 'PENDING',
          attempts: 0,
          retries: 1,
          failure: null,
          progress: null,
          worker: null,
          cancelRequested: false,
          submitter: identity('second'),
        });
        const again = await claimed(store, claim.id);
        expect(again.task).toMatchObject({ attempts: 1, cancelRequested: false });
        expect(await store.check(again)).toBe('owned');
      });

      it('happens once when two ask at the same time', async () => {
        const task = await create();
        await store.requestCancel(task.id);
        const results = await Promise.allSettled([store.retry(task.id), at.open('second').retry(task.id)]);
        expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
        expect(await store.get(task.id)).toMatchObject({ state: 'PENDING', retries: 1 });
      });

      it('refuses what is not FAILED and changes nothing', async () => {
        const task = await create();
        await expect(store.retry(task.id)).rejects.toMatchObject({ code: 'task_state_conflict' });
        const claim = await claimed(store, task.id);
        await expect(store.retry(task.id)).rejects.toMatchObject({ code: 'task_state_conflict' });
        const done = await store.settle(claim, { kind: 'succeeded', outcome: 1 }, null);
        await expect(store.retry(task.id)).rejects.toMatchObject({ code: 'task_state_conflict' });
        expect(await store.get(task.id)).toEqual(done);
      });
    });

    describe('tasks of a command whose process died', () => {
      it('become FAILED while running, and can be retried', async () => {
        const task = await at
          .open('victim')
          .create({ id: at.newId(), origin: 'cli', organizationId: null, payload: 1 });
        await claimed(at.open('victim'), task.id);
        expect(await store.reclaimAbandoned()).toEqual([]);
        expect(await store.reclaim(task.id)).toMatchObject({ state: 'RUNNING' });
        at.setLiveness('victim', 'dead');
        const [ended] = await store.reclaimAbandoned();
        expect(ended).toMatchObject({ id: task.id, state: 'FAILED', failure: { code: 'task_failed' } });
        expect(await store.get(task.id)).toEqual(ended);
        expect(await store.retry(task.id)).toMatchObject({ state: 'PENDING', attempts: 0 });
      });

      it('become FAILED before they ran', async () => {
        const task = await at
          .open('victim')
          .create({ id: at.newId(), origin: 'cli', organizationId: null, payload: 1 });
        at.nowMs += 3_600_000;
        expect(await store.reclaim(task.id)).toMatchObject({ state: 'PENDING' });
        at.setLiveness('victim', 'dead');
        expect(await store.reclaim(task.id)).toMatchObject({
          state: 'FAILED',
          failure: { code: 'task_failed' },
        });
      });

      it('may be retried without anybody having looked', async () => {
        const task = await at
          .open('victim')
          .create({ id: at.newId(), origin: 'cli', organizationId: null, payload: 1 });
        await claimed(at.open('victim'), task.id);
        at.setLiveness('victim', 'dead');
        for (const number of [0, 2]) {
          await expect(store.retry(task.id, number)).rejects.toMatchObject({ code: 'task_state_conflict' });
        }
        expect(await store.retry(task.id, 1)).toMatchObject({ state: 'PENDING', attempts: 0, retries: 1 });
      });

      it('stay with a process that certainly lives, however late it is', async () => {
        const claim = await claimed(store, (await create({ origin: 'cli' })).id);
        at.nowMs += 8 * 3_600_000;
        expect(await at.open('second').reclaim(claim.id)).toMatchObject({ state: 'RUNNING' });
        at.setLiveness('first', 'unknown');
        expect(await at.open('second').reclaim(claim.id)).toMatchObject({ state: 'FAILED' });
      });

      it('are not touched when they are of the API', async () => {
        const claim = await claimed(at.open('victim'), (await create()).id);
        at.setLiveness('victim', 'dead');
        expect(await store.reclaimAbandoned()).toEqual([]);
        expect(await store.reclaim(claim.id)).toMatchObject({ state: 'RUNNING' });
      });
    });

    describe('prune', () => {
      it('removes ended tasks of the states asked for that are old enough', async () => {
        const old = await ended(store, await create(), 'failed');
        const oldSucceeded = await ended(store, await create(), 'succeeded');
        const waiting = await create();
        const running = await claimed(store, (await create()).id);
        const late = await create();
        at.nowMs += 1_000;
        const lateEnded = await ended(store, late, 'failed');
        const olderThanMs = at.nowMs;
        const young = await ended(store, await create(), 'failed');
        const report = await store.prune({ olderThanMs, states: ['FAILED'] });
        expect(report).toEqual({ removed: [old.id], warnings: [] });
        await expect(store.get(old.id)).rejects.toMatchObject({ code: 'task_not_found' });
        await expect(store.list({ limit: 1, startingAfter: old.id })).rejects.toMatchObject({
          code: 'task_not_found',
        });
        const left = (await store.list({ limit: 9 })).data.map(({ id }) => id);
        expect(left).toEqual([young.id, lateEnded.id, running.id, waiting.id, oldSucceeded.id]);
        expect(await store.list({ limit: 9, state: 'FAILED' })).toMatchObject({ data: [young, lateEnded] });
      });

      it('finds the same tasks in a dry run, and removes none', async () => {
        const old = await ended(store, await create(), 'failed');
        await create();
        const query = { olderThanMs: at.nowMs + 1, states: ['SUCCEEDED', 'FAILED'] as const };
        const refuse = async () => expect.unreachable();
        const dryRun = await store.prune({ ...query, isDryRun: true, beforeRemove: refuse });
        expect(dryRun).toEqual({ removed: [old.id], warnings: [] });
        expect(await store.get(old.id)).toEqual(old);
        expect(await store.list({ limit: 9, state: 'FAILED' })).toMatchObject({ data: [old] });
        expect(await store.prune(query)).toEqual(dryRun);
      });

      it('leaves tasks of another origin alone on request', async () => {
        const own = await ended(store, await create(), 'failed');
        const other = await ended(store, await create({ origin: 'cli' }), 'failed');
        const query = { olderThanMs: at.nowMs + 1, states: ['FAILED'] as const };
        expect(await store.prune({ ...query, origin: 'api' })).toMatchObject({ removed: [own.id] });
        expect(await store.get(other.id)).toEqual(other);
      });
    });

    describe('what is stored before the end of a task', () => {
      /** A store of the process `victim`, and what was seen at each of its calls, by another process too. */
      const watched = () => {
        const seen: { readonly task: TaskRecord; readonly shown: string }[] = [];
        const own = at.open('victim', async (task) => {
          const { state } = await at.open('second').get(task.id);
          const page = await at.open('second').list({ limit: 9, state: task.state });
          seen.push({ task, shown: `${state} ${page.data.map(({ id }) => id).includes(task.id)}` });
        });
        return { own, seen };
      };

      it.each([
        ['succeeds', { kind: 'succeeded', outcome: { n: 1 } }],
        ['fails', { kind: 'failed', failure: FAILURE }],
        ['dies too often', { kind: 'died', detail: {} }],
      ] as const)('is stored while a task that %s still shows as RUNNING', async (_, end) => {
        const { own, seen } = watched();
        const { id } = await create({ organizationId: 'org' });
        let task = await own.settle(await claimed(own, id), end, null);
        while (task.state === 'PENDING') task = await own.settle(await claimed(own, id), end, null);
        expect(seen).toEqual([{ task, shown: 'RUNNING false' }]);
        expect(await store.get(id)).toEqual(task);
      });

      it('is stored for a task that is cancelled while it waits, is given back, or has lost its process', async () => {
        const { own, seen } = watched();
        const waiting = await create();
        const ends = [await own.requestCancel(waiting.id)];
        const claim = await claimed(own, (await create()).id);
        await store.requestCancel(claim.id);
        ends.push(await own.settle(claim, { kind: 'given-back' }, null));
        const lost = await claimed(at.open('lost'), (await create()).id);
        await store.requestCancel(lost.id);
        at.setLiveness('lost', 'dead');
        const result = await own.claimNext(NEXT);
        ends.push(result!.kind === 'ended' ? result!.task : expect.unreachable());
        const abandoned = await claimed(at.open('lost'), (await create({ origin: 'cli' })).id);
        ends.push(await own.reclaim(abandoned.id));
        expect(seen.map(({ task }) => task)).toEqual(ends);
        expect(ends.map(({ state }) => state)).toEqual(Array(4).fill('FAILED'));
        expect(seen.map(({ shown }) => shown)).toEqual([
          'PENDING false',
          'RUNNING false',
          'RUNNING false',
          'RUNNING false',
        ]);
      });

      it('is not stored for any other change', async () => {
        const { own, seen } = watched();
        const { id } = await create();
        await own.settle(await claimed(own, id), { kind: 'given-back' }, null);
        const end = { kind: 'failed', failure: FAILURE } as const;
        await store.settle(await claimed(store, id), end, null);
        await own.retry(id);
        await claimed(own, id);
        await own.prune({ olderThanMs: at.nowMs + 1, states: ['FAILED'] });
        expect(seen).toEqual([]);
      });

      it('leaves the task as it is when it cannot be stored', async () => {
        let isFull = true;
        const own = at.open('first', async () => {
          if (isFull) throw new ListingVideoError('disk_full', 'the disk is full');
        });
        const claim = await claimed(own, (await create()).id);
        const end = { kind: 'succeeded', outcome: null } as const;
        await expect(own.settle(claim, end, null)).rejects.toMatchObject({ code: 'disk_full' });
        expect(await store.get(claim.id)).toEqual(await at.open('second').get(claim.id));
        expect(await store.get(claim.id)).toMatchObject({ state: 'RUNNING', outcome: null });
        isFull = false;
        expect(await own.settle(claim, end, null)).toMatchObject({ state: 'SUCCEEDED' });
      });
    });

    describe('count', () => {
      it('says how many tasks are in a state, of all organizations', async () => {
        expect(await store.count({ state: 'PENDING', atMost: 9 })).toBe(0);
        await create();
        await create({ organizationId: 'org' });
        const { id } = await create({ organizationId: 'other' });
        expect(await store.count({ state: 'PENDING', atMost: 9 })).toBe(3);
        await claimed(store, id);
        expect(await at.open('second').count({ state: 'PENDING', atMost: 9 })).toBe(2);
        expect(await store.count({ state: 'RUNNING', atMost: 9 })).toBe(1);
      });

      it('stops at the number that is of interest', async () => {
        for (let n = 0; n < 4; n++) await create();
        expect(await store.count({ state: 'PENDING', atMost: 3 })).toBe(3);
      });
    });
  });
}

function claimOf(result: ClaimResult | null): TaskClaim {
  if (result?.kind !== 'claimed') throw new Error(`not claimed: ${JSON.stringify(result)}`);
  return result.claim;
}

async function claimed(store: TaskStore, id: string): Promise<TaskClaim> {
  return claimOf(await store.claim(id));
}

async function ended(store: TaskStore, task: TaskRecord, kind: 'failed' | 'succeeded'): Promise<TaskRecord> {
  const claim = await claimed(store, task.id);
  return store.settle(claim, kind === 'failed' ? { kind, failure: FAILURE } : { kind, outcome: null }, null);
}
