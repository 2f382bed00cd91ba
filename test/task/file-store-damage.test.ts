/** What hands, crashes and other programs do to the files of the store, and that it harms one task at most. */
import fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toStoreError } from '../../src/platform/disk/disk-error.ts';
import { createFileTaskStore } from '../../src/task/files/tasks/file-task-store.ts';
import type { TaskRecord } from '../../src/task/task.ts';
import type { TaskStore } from '../../src/task/task-store.ts';
import { crashAt } from './crash-at.ts';
import { openFileHarness, START_MS } from './store-harness.ts';

let at: Awaited<ReturnType<typeof openFileHarness>>;
let store: TaskStore;

beforeEach(async () => {
  at = await openFileHarness();
  store = at.open();
});
afterEach(() => at.close());

const create = (origin: 'cli' | 'api' = 'api') =>
  store.create({ id: at.newId(), origin, organizationId: null, payload: { n: 1 } });
const folderOf = (id: string) => join(at.home, 'tasks', id.slice(0, 6), id);
const fileOf = (id: string, version = 0) => join(folderOf(id), `task.${version}.json`);
const entryOf = (state: string, id: string) =>
  join(at.home, 'index', 'all', state, id.slice(0, 6), `${id}.api`);
const idsOf = async (query: object = {}) =>
  (await store.list({ limit: 99, ...query })).data.map(({ id }) => id);

async function claimed(id: string, by = store) {
  const result = await by.claim(id);
  if (result.kind !== 'claimed') throw new Error(result.kind);
  return result.claim;
}

describe('the layout', () => {
  it('has one more version of the record with each change, and one entry of the index', async () => {
    const { id } = await create();
    expect((await fs.readdir(folderOf(id))).sort()).toEqual(['payload.json', 'task.0.json']);
    expect((await fs.stat(entryOf('PENDING', id))).size).toBe(0);
    const claim = await claimed(id);
    expect((await fs.readdir(folderOf(id))).sort()).toEqual(['payload.json', 'task.0.json', 'task.1.json']);
    expect((await fs.stat(entryOf('RUNNING', id))).isFile()).toBe(true);
    await expect(fs.stat(entryOf('PENDING', id))).rejects.toMatchObject({ code: 'ENOENT' });
    at.nowMs += 7_000;
    await store.heartbeat(claim);
    expect(Math.round((await fs.stat(fileOf(id, 1))).mtimeMs)).toBe(START_MS + 7_000);
    await store.settle(claim, { kind: 'succeeded', outcome: 1 }, null);
    expect((await fs.stat(entryOf('SUCCEEDED', id))).isFile()).toBe(true);
    // No temporary file, and no empty folder that a cold list would have to open.
    const versions = [0, 1, 2, 3].map((version) => `task.${version}.json`);
    expect((await fs.readdir(folderOf(id))).sort()).toEqual(['payload.json', ...versions]);
    expect(await fs.readdir(join(at.home, 'index', 'all', 'RUNNING')).catch(() => [])).toEqual([]);
    expect(await fs.readdir(join(at.home, 'trash'))).toEqual([]);
  });

  it('is not touched by opening the store or by looking at an empty one', async () => {
    expect(await idsOf()).toEqual([]);
    expect(await store.claimNext({ origin: 'api', trustLeases: true })).toBeNull();
    expect(await store.reclaimAbandoned()).toEqual([]);
    expect(await fs.readdir(at.home)).toEqual([]);
  });
});

describe('one damaged record', () => {
  const damages: readonly (readonly [string, (path: string, text: string) => Promise<unknown>, RegExp])[] = [
    ['truncated', (path, text) => fs.writeFile(path, text.slice(0, 100)), /not JSON/],
    ['empty', (path) => fs.writeFile(path, ''), /empty/],
    ['zeros', (path) => fs.writeFile(path, Buffer.alloc(300)), /not JSON/],
    ['a list', (path) => fs.writeFile(path, '[]'), /no JSON object/],
    ['null', (path) => fs.writeFile(path, 'null'), /no JSON object/],
    ['of another shape', (path) => fs.writeFile(path, '{"id": 1}'), /"id" is missing/],
    ['in an unknown state', (path, text) => fs.writeFile(path, text.replace('PENDING', 'DONE')), /"state"/],
    [
      'of another task',
      (path, text) => fs.writeFile(path, text.replaceAll(/"id":"[0-9a-f-]*"/g, `"id":"${at.newId()}"`)),
      /another task/,
    ],
    ['huge', (path) => fs.truncate(path, 5 * 2 ** 30), /too large/],
    ['a folder', (path) => fs.rm(path).then(() => fs.mkdir(path)), /EISDIR/],
  ];

  it.each(damages)('(%s) is reported and hides no other', async (_, damage, problem) => {
    const before = await create();
    const bad = await create();
    const after = await create();
    await damage(fileOf(bad.id), await fs.readFile(fileOf(bad.id), 'utf8'));
    for (const query of [{}, { state: 'PENDING' as const }]) {
      const page = await store.list({ limit: 2, ...query });
      expect(page.data.map(({ id }) => id)).toEqual([after.id, before.id]);
      expect(page.hasMore).toBe(false);
      expect(page.warnings).toEqual([
        { id: bad.id, path: fileOf(bad.id), message: expect.stringMatching(problem) as string },
      ]);
    }
    expect(await store.list({ limit: 9, startingAfter: bad.id })).toMatchObject({ data: [before] });
    for (const call of ['get', 'claim', 'requestCancel', 'retry'] as const) {
      await expect(store[call](bad.id)).rejects.toMatchObject({
        code: 'store_corrupt',
        context: { id: bad.id, path: fileOf(bad.id) },
        hint: expect.stringContaining(folderOf(bad.id)) as string,
      });
    }
    const taken = [];
    for (let n = 0; n < 3; n++) {
      const result = await store.claimNext({ origin: 'api', trustLeases: true });
      if (result?.kind === 'claimed') taken.push(result.claim.id);
    }
    expect(taken).toEqual([before.id, after.id]);
  });

  it('is left in place by prune, with a warning', async () => {
    const bad = await create();
    const good = await create();
    await store.requestCancel(bad.id);
    await store.requestCancel(good.id);
    await fs.writeFile(fileOf(bad.id, 2), '{');
    const report = await store.prune({ olderThanMs: at.nowMs + 1, states: ['FAILED', 'SUCCEEDED'] });
    expect(report.removed).toEqual([good.id]);
    expect(report.warnings).toMatchObject([{ id: bad.id }]);
    expect(await fs.readFile(fileOf(bad.id, 2), 'utf8')).toBe('{');
  });

  it('that is missing differs from a task that never was', async () => {
    const { id } = await create();
    await fs.rm(fileOf(id));
    await expect(store.get(id)).rejects.toMatchObject({ code: 'store_corrupt' });
    await fs.rm(folderOf(id), { recursive: true });
    await expect(store.get(id)).rejects.toMatchObject({ code: 'task_not_found' });
    expect(await idsOf()).toEqual([]);
  });

  it('does not mind a damaged owner: the lease decides', async () => {
    const { id } = await create();
    await claimed(id, at.open('victim'));
    at.setLiveness('victim', 'dead');
    const record = JSON.parse(await fs.readFile(fileOf(id, 1), 'utf8'));
    await fs.writeFile(fileOf(id, 1), JSON.stringify({ ...record, owner: 'gar{bage' }));
    await fs.utimes(fileOf(id, 1), new Date(at.nowMs), new Date(at.nowMs));
    expect(await store.claim(id)).toMatchObject({ kind: 'refused' });
    at.nowMs += 30_001;
    expect(await store.claim(id)).toMatchObject({ kind: 'claimed', claim: { fence: 2 } });
  });

  it('of a later release is reported, and no command changes it', async () => {
    const other = await create();
    const { id } = await create();
    await store.requestCancel(id);
    const record = { ...JSON.parse(await fs.readFile(fileOf(id, 2), 'utf8')), schemaVersion: 4, mood: 'new' };
    await fs.writeFile(fileOf(id, 2), JSON.stringify(record));
    const { data, warnings } = await store.list({ limit: 9 });
    expect(data.map((task) => task.id)).toEqual([other.id]);
    const message = expect.stringContaining('a newer version of listing-video wrote it');
    expect(warnings).toMatchObject([{ id, message }]);
    for (const call of ['get', 'claim', 'retry', 'requestCancel', 'reclaim'] as const) {
      await expect(store[call](id)).rejects.toMatchObject({
        code: 'store_corrupt',
        hint: 'update listing-video; every other task is unaffected',
      });
    }
    const { removed } = await store.prune({ olderThanMs: Number.MAX_SAFE_INTEGER, states: ['FAILED'] });
    expect(removed).toEqual([]);
    expect(JSON.parse(await fs.readFile(fileOf(id, 2), 'utf8'))).toEqual(record);
  });
});

it('a data folder of an earlier release is refused', async () => {
  const id = at.newId();
  await fs.mkdir(folderOf(id), { recursive: true });
  await fs.writeFile(join(folderOf(id), 'task.json'), '{}');
  const refused = { code: 'store_corrupt', message: expect.stringContaining('an earlier version') };
  await expect(store.list({ limit: 1 })).rejects.toMatchObject(refused);
  await expect(create()).rejects.toMatchObject(refused);
});

describe('foreign and misplaced files', () => {
  it('are ignored wherever they lie', async () => {
    const { id } = await create();
    const index = join(at.home, 'index');
    const states = join(index, 'all');
    const entries = dirname(entryOf('PENDING', id));
    const shard = dirname(folderOf(id));
    const places = [at.home, dirname(shard), shard, folderOf(id), index, states, dirname(entries), entries];
    const names = [
      '.DS_Store',
      'Thumbs.db',
      'abcdef',
      'task.x.json',
      'task.01.json',
      'cancel.99999999999',
      '0190a1',
    ];
    for (const place of places) {
      for (const name of names) await fs.writeFile(join(place, name), 'foreign');
      await fs.mkdir(join(place, 'New Folder'));
    }
    await fs.mkdir(entryOf('PENDING', at.newId()));
    await fs.writeFile(join(states, 'FAILED'), 'a file where a folder belongs');
    expect(await store.list({ limit: 9 })).toMatchObject({ data: [{ id }], warnings: [] });
    expect(await idsOf({ state: 'FAILED' })).toEqual([]);
    expect((await claimed(id)).fence).toBe(1);
    expect(await store.get(id)).toMatchObject({ state: 'RUNNING' });
  });

  it('that a crash left beside a task are never read', async () => {
    const { id } = await create();
    await fs.writeFile(join(folderOf(id), '.task.1.json.0123456789ab.tmp'), '{"half":');
    await fs.writeFile(join(folderOf(id), 'progress.1.json'), '{"perc');
    await claimed(id);
    expect(await store.get(id)).toMatchObject({ state: 'RUNNING', progress: null });
  });
});

describe('the index', () => {
  it('loses an entry of a wrong state to the next reader', async () => {
    const { id } = await create();
    await store.requestCancel(id);
    await fs.mkdir(dirname(entryOf('RUNNING', id)), { recursive: true });
    await fs.rename(entryOf('FAILED', id), entryOf('RUNNING', id));
    expect(await idsOf({ state: 'RUNNING' })).toEqual([]);
    expect(await idsOf({ state: 'FAILED' })).toEqual([id]);
    await expect(fs.stat(entryOf('RUNNING', id))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['is read by its id', (id) => store.get(id)],
    ['is not old enough for a prune', () => store.prune({ olderThanMs: 0, states: ['FAILED'] })],
  ])('gets the entry back that somebody deleted when its task %s', async (_, read) => {
    const { id } = await create();
    expect(await store.get(id)).toMatchObject({ state: 'PENDING' });
    store = at.open();
    await fs.rm(entryOf('PENDING', id));
    expect(await store.claimNext({ origin: 'api', trustLeases: true })).toBeNull();
    await read(id);
    expect(await idsOf()).toEqual([id]);
    expect(await store.claimNext({ origin: 'api', trustLeases: true })).toMatchObject({ claim: { id } });
  });

  it('gets the entry in the tree of an organization back, too', async () => {
    const organizationId = 'org_a';
    const { id } = await store.create({ id: at.newId(), origin: 'api', organizationId, payload: {} });
    await fs.rm(join(at.home, 'index', 'of-org_a'), { recursive: true });
    expect(await idsOf({ organizationId })).toEqual([]);
    await store.get(id);
    expect(await idsOf({ organizationId })).toEqual([id]);
  });

  it('loses an entry of a task that never came to be after an hour', async () => {
    await create();
    const entry = entryOf('PENDING', at.newId());
    await fs.writeFile(entry, '');
    expect(await idsOf()).toHaveLength(1);
    expect((await fs.stat(entry)).isFile()).toBe(true);
    at.nowMs += 3_600_001;
    expect(await idsOf()).toHaveLength(1);
    await expect(fs.stat(entry)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.each(['create', 'claim', 'cancel'] as const)(
    'is made again if the first change after its loss is to %s',
    async (change) => {
      const { id } = await create();
      const other = await create();
      await fs.rm(join(at.home, 'index'), { recursive: true });
      if (change === 'create') await create();
      if (change === 'claim') await claimed(id);
      if (change === 'cancel') await store.requestCancel(id);
      expect(await idsOf()).toEqual(expect.arrayContaining([id, other.id]));
    },
  );

  it('is made again if the process that made it died', async () => {
    const ids = [(await create()).id, (await create()).id, (await create()).id].reverse();
    for (let n = 1; ; n++) {
      await fs.rm(join(at.home, 'index'), { recursive: true });
      const crash = { restore: async () => {} };
      const died = new Promise<'died'>((resolve) => {
        Object.assign(
          crash,
          crashAt(n, () => {
            resolve('died');
            return new Promise(() => {});
          }),
        );
      });
      const end = await Promise.race([at.open('victim').list({ limit: 9 }), died]);
      await crash.restore();
      expect(await idsOf()).toEqual(ids);
      if (end !== 'died') break;
    }
  });

  it('is made again once for all calls of a process', async () => {
    for (let n = 0; n < 20; n++) await create();
    await fs.rm(join(at.home, 'index'), { recursive: true });
    const open = vi.spyOn(fs, 'open');
    const counts = await Promise.all(
      Array.from({ length: 10 }, () => store.count({ state: 'PENDING', atMost: 99 })),
    );
    expect(counts).toEqual(Array.from({ length: 10 }, () => 20));
    const reads = open.mock.calls.filter(([file]) => String(file).endsWith('task.0.json'));
    expect(reads).toHaveLength(20);
    open.mockRestore();
  });

  it('is made again after it was deleted', async () => {
    const waiting = await create();
    const ended = await create();
    await store.requestCancel(ended.id);
    const bad = await create();
    await fs.writeFile(fileOf(bad.id), '');
    await fs.rm(join(at.home, 'index'), { recursive: true });
    const page = await store.list({ limit: 9 });
    expect(page.data.map(({ id }) => id)).toEqual([ended.id, waiting.id]);
    expect(page.warnings).toMatchObject([{ id: bad.id }]);
    expect(await idsOf({ state: 'FAILED' })).toEqual([ended.id]);
    await fs.rm(join(at.home, 'index'), { recursive: true });
    expect(await store.claimNext({ origin: 'api', trustLeases: true })).toMatchObject({
      claim: { id: waiting.id },
    });
  });
});

describe('races', () => {
  it('a task is not run again if its worker ends it and exits while another worker checks the claim', async () => {
    const { id } = await create();
    const victim = at.open('victim');
    const claim = await claimed(id, victim);
    const stat = fs.stat;
    // The claim's time is read after the record: the moment between the two.
    vi.spyOn(fs, 'stat').mockImplementationOnce(async (...args) => {
      await victim.settle(claim, { kind: 'succeeded', outcome: 'victim' }, null);
      at.setLiveness('victim', 'dead');
      return stat(...args);
    });
    expect(await store.claim(id)).toMatchObject({ kind: 'refused', task: { state: 'SUCCEEDED' } });
    expect(await store.get(id)).toMatchObject({ state: 'SUCCEEDED', outcome: 'victim' });
  });

  it('an owner that was stopped between writing and publishing publishes nothing', async () => {
    const { id } = await create();
    const victim = at.open('victim');
    const lost = await claimed(id, victim);
    const link = fs.link;
    // The first link holds the task, the second one ends it.
    vi.spyOn(fs, 'link').mockImplementationOnce(async (...args) => {
      at.nowMs += 31_000;
      await claimed(id);
      return link(...args);
    });
    const settled = victim.settle(lost, { kind: 'succeeded', outcome: 'late' }, null);
    await expect(settled).rejects.toMatchObject({ code: 'lease_lost' });
    expect(await store.get(id)).toMatchObject({
      state: 'RUNNING',
      setbacks: { takeovers: 1 },
      outcome: null,
    });
    expect((await fs.readdir(folderOf(id))).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('works without hard links', async () => {
    const unsupported = Object.assign(new Error('no links'), { code: 'ENOTSUP' });
    vi.spyOn(fs, 'link').mockRejectedValue(unsupported);
    const { id } = await create();
    const stores = [store, at.open('second'), at.open('third')];
    const results = await Promise.all(stores.map((each) => each.claim(id)));
    expect(results.filter(({ kind }) => kind === 'claimed')).toHaveLength(1);
  });
});

describe('a store that cannot be written', () => {
  it('says store_unwritable when a file is in the way, and reading it still answers', async () => {
    const home = join(at.home, 'file');
    await fs.writeFile(home, '');
    const broken = createFileTaskStore({ home });
    const creating = broken.create({ id: at.newId(), origin: 'cli', organizationId: null, payload: 1 });
    await expect(creating).rejects.toMatchObject({ code: 'store_unwritable', exitCode: 3 });
    expect(await broken.list({ limit: 1 })).toEqual({ data: [], hasMore: false, warnings: [] });
  });

  it('says disk_full, keeps nothing of a new task, and works again when there is space', async () => {
    const open = fs.open;
    const full = vi.spyOn(fs, 'open').mockImplementation(async (path, flags, mode) => {
      const file = await open(path, flags, mode);
      if (String(path).endsWith('task.0.json')) file.writeFile = () => Promise.reject(errno('ENOSPC'));
      return file;
    });
    await expect(create()).rejects.toMatchObject({ code: 'disk_full' });
    full.mockRestore();
    expect(await fs.readdir(join(at.home, 'trash'))).toEqual([]);
    expect(await idsOf()).toEqual([]);
    expect(await idsOf({ state: 'PENDING' })).toEqual([]);
    const { id } = await create();
    expect(await idsOf()).toEqual([id]);
  });

  it('leaves a task as it was when its change cannot be stored, and free for another try', async () => {
    const { id } = await create();
    vi.spyOn(fs, 'link').mockRejectedValueOnce(errno('ENOSPC'));
    await expect(store.claim(id)).rejects.toMatchObject({ code: 'disk_full' });
    expect(await store.get(id)).toMatchObject({ state: 'PENDING', attempts: 0 });
    expect((await claimed(id, at.open('second'))).task.attempts).toBe(1);
  });

  it.each([
    ['ENOSPC', 'disk_full'],
    ['EDQUOT', 'disk_full'],
    ['EFBIG', 'disk_full'],
    ['EACCES', 'store_unwritable'],
    ['EROFS', 'store_unwritable'],
    ['EPERM', 'store_unwritable'],
  ])('tells %s as %s with the path', (code, expected) => {
    expect(toStoreError(errno(code), '/home/x')).toMatchObject({
      code: expected,
      context: { path: '/home/x', errno: code },
    });
  });

  function errno(code: string): Error {
    return Object.assign(new Error(`${code}: injected`), { code });
  }
});

describe('a large payload', () => {
  it.each([32_000, 32_768, 70_000, 4_000_000])('of %i bytes comes back whole', async (size) => {
    const payload = { text: '\u00e9'.repeat(size / 2) };
    const task = await store.create({ id: at.newId(), origin: 'api', organizationId: null, payload });
    expect(await at.open('second').payload(task.id)).toEqual(payload);
    expect((await claimed(task.id)).task.payload).toEqual(payload);
  });
});

describe('a burst of tasks in one shard', () => {
  it('spreads over deeper folders and stays in order', async () => {
    const tasks: TaskRecord[] = [];
    for (let n = 0; n < 900; n++) {
      at.nowMs += 200;
      tasks.unshift(await create());
    }
    const shallow = await fs.readdir(dirname(entryOf('PENDING', tasks[0]!.id)));
    expect(shallow.length).toBeLessThan(850);
    expect((await store.list({ limit: 100 })).data).toEqual(tasks.slice(0, 100));
    expect((await store.list({ limit: 100, startingAfter: tasks[699]!.id })).data).toEqual(
      tasks.slice(700, 800),
    );
    await store.requestCancel(tasks[0]!.id);
    expect(await idsOf({ state: 'PENDING', limit: 1 })).toEqual([tasks[1]!.id]);
    expect(await store.claimNext({ origin: 'api', trustLeases: true })).toMatchObject({
      claim: { id: tasks.at(-1)!.id },
    });
  });
});
