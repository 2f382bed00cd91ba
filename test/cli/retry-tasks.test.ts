/** `tasks retry --code --since`: after a fault of the machine is fixed, one command retries what it had failed. */
import { describe, expect, it } from 'vitest';
import { ListingVideoError } from '../../src/platform/errors.ts';
import { createAccountHooks } from '../../src/task/accounts/account-hooks.ts';
import { createTaskEngine } from '../../src/task/engine/task-engine.ts';
import { typedTaskStore } from '../../src/task/task-codec.ts';
import { VIDEO_TASK_CODEC } from '../../src/video/video-task-codec.ts';
import { createTestAccounts } from '../task/accounts/test-accounts.ts';
import { createMemoryTaskStore } from '../task/memory-task-store.ts';
import { idAt } from '../task/store-harness.ts';
import { aPayload } from '../video/a-payload.ts';
import { folderOf, listing } from './listing-files.ts';
import { type AnyJson, run, succeeding, type VideoHandler } from './run-cli.ts';

const NOW_MS = Date.parse('2026-11-20T14:00:00Z');
const MINUTE_MS = 60_000;

type Failure = 'disk_full' | 'render_failed';

interface AddedTask {
  readonly label: string;
  readonly code: Failure;
  readonly minutesAgo: number;
  readonly origin?: 'cli' | 'api';
}

/** A store with FAILED tasks, oldest first, and the world of commands on it. */
async function open(tasks: readonly AddedTask[], credits?: number) {
  let nowMs = NOW_MS;
  const store = createMemoryTaskStore({ nowMs: () => nowMs });
  const accounts = createTestAccounts({ tasks: store });
  let code: Failure = 'disk_full';
  const hooks = createAccountHooks(accounts, (summary) => summary!.resultCount);
  const failing = createTaskEngine({
    store: typedTaskStore(store, VIDEO_TASK_CODEC),
    handler: async () => {
      throw new ListingVideoError(code, 'it went wrong');
    },
    hooks,
  });
  const ids: string[] = [];
  for (const [n, task] of tasks.entries()) {
    nowMs = NOW_MS - task.minutesAgo * MINUTE_MS;
    code = task.code;
    const { origin = 'cli' } = task;
    const organizationId = origin === 'api' ? 'org_default' : null;
    const payload = aPayload(listing(task.label), `/out/${task.label}`, {
      listingFile: `/in/${task.label}.json`,
    });
    const id = idAt(nowMs, n);
    await failing.submit({ id, origin, organizationId, payload });
    await failing.runTask(id);
    ids.push(id);
  }
  nowMs = NOW_MS;
  if (credits !== undefined) await accounts.grant('org_default', credits);
  const cwd = await folderOf();
  const type = (words: readonly string[], handler: VideoHandler = succeeding) =>
    run(['tasks', 'retry', ...words], { cwd, store, accounts, hooks, handler, nowMs: () => NOW_MS });
  const states = async () => Promise.all(ids.map(async (id) => (await store.get(id)).state));
  return { ids, type, states };
}

const FAULTS: readonly AddedTask[] = [
  { label: 'long-ago', code: 'disk_full', minutesAgo: 90 },
  { label: 'other', code: 'render_failed', minutesAgo: 50 },
  { label: 'first', code: 'disk_full', minutesAgo: 40 },
  { label: 'of-api', code: 'disk_full', minutesAgo: 30, origin: 'api' },
  { label: 'last', code: 'disk_full', minutesAgo: 20 },
];

describe('tasks retry of many', () => {
  it('retries what failed with the code within the time, oldest first', async () => {
    const { ids, type, states } = await open(FAULTS);
    const rendered: string[] = [];
    const { exitCode, stdout } = await type(
      ['--code', 'disk_full', '--since', '1h'],
      async (task, context) => {
        rendered.push(task.payload.listing.id);
        return succeeding(task, context);
      },
    );
    expect(exitCode).toBe(0);
    expect(rendered).toEqual(['first', 'last']);
    expect(await states()).toEqual(['FAILED', 'FAILED', 'SUCCEEDED', 'PENDING', 'SUCCEEDED']);
    expect(stdout).toContain(`${ids[3]} is PENDING again; the server will run it\n`);
    expect(stdout).toContain('/out/first/');
  });

  it.each([
    [
      ['--code', 'disk_full'],
      ['SUCCEEDED', 'FAILED', 'SUCCEEDED', 'PENDING', 'SUCCEEDED'],
    ],
    [
      ['--since', '45m'],
      ['FAILED', 'FAILED', 'SUCCEEDED', 'PENDING', 'SUCCEEDED'],
    ],
  ])('%j alone selects too', async (words, expected) => {
    const { type, states } = await open(FAULTS);
    expect((await type(words)).exitCode).toBe(0);
    expect(await states()).toEqual(expected);
  });

  it('prints all of them as one document with --json', async () => {
    const { ids, type } = await open(FAULTS);
    const { json, exitCode } = await type(['--code', 'disk_full', '--since', '1h', '--json']);
    const document: AnyJson = json();
    expect([exitCode, Object.keys(document), document.has_more]).toEqual([0, ['data', 'has_more'], false]);
    expect(document.data.map(({ id, state, listing_file }: AnyJson) => [id, state, listing_file])).toEqual([
      [ids[2], 'SUCCEEDED', '/in/first.json'],
      [ids[3], 'PENDING', undefined],
      [ids[4], 'SUCCEEDED', '/in/last.json'],
    ]);
  });

  it('reports a task without credits, and retries the others', async () => {
    const api = { code: 'disk_full', minutesAgo: 5, origin: 'api' } as const;
    const tasks = ['one', 'two', 'three'].map((label) => ({ ...api, label }));
    const { ids, type, states } = await open(tasks, 2);
    const { exitCode, json } = await type(['--code', 'disk_full', '--json']);
    expect(exitCode).toBe(1);
    expect(json().data.map(({ id }: AnyJson) => id)).toEqual(ids.slice(0, 2));
    expect(json().refused).toMatchObject([{ id: ids[2], error: { code: 'insufficient_balance' } }]);
    expect(await states()).toEqual(['PENDING', 'PENDING', 'FAILED']);
    const again = await type(['--code', 'disk_full']);
    expect([again.exitCode, again.stderr]).toEqual([
      2,
      expect.stringContaining('three: the task costs 1 credit'),
    ]);
  });

  it('goes on after a task that fails again', async () => {
    const { type, states } = await open(FAULTS);
    const { exitCode } = await type(['--code', 'disk_full'], async (task, context) => {
      if (task.payload.listing.id === 'first') throw new ListingVideoError('no_usable_assets', 'no photos');
      return succeeding(task, context);
    });
    expect(exitCode).toBe(1);
    expect(await states()).toEqual(['SUCCEEDED', 'FAILED', 'FAILED', 'PENDING', 'SUCCEEDED']);
  });

  it('finds tasks on every page of the store, and says when there are none', async () => {
    const many = Array.from({ length: 130 }, (_, n) => ({
      ...({ label: `L-${n}`, code: 'disk_full', minutesAgo: 130 - n, origin: 'api' } as const),
    }));
    const { type, states } = await open(many);
    expect((await type(['--code', 'disk_full'])).exitCode).toBe(0);
    expect(new Set(await states())).toEqual(new Set(['PENDING']));
    const none = await type(['--code', 'disk_full']);
    expect([none.exitCode, none.stdout, none.stderr]).toEqual([0, '', 'no FAILED task matches\n']);
  });

  it.each([
    [[], 'tasks retry needs an id, --code or --since'],
    [['x', '--code', 'disk_full'], 'an id cannot be combined with --code or --since'],
    [['--code', 'disk_ful'], '--code: no failure has the code "disk_ful"'],
    [['--since', 'yesterday'], '--since: expected a time span such as 1h or 2d, found "yesterday"'],
  ])('%j is exit 2', async (words, message) => {
    const { type } = await open([]);
    const { exitCode, stderr } = await type(words);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
