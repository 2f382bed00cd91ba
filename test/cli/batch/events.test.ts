/** The events of `create` for programs: their order, their shape, and that nothing else stands between them. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import eventSchema from '../../../src/cli/create/batch-events.schema.json' with { type: 'json' };
import { ListingVideoError } from '../../../src/platform/errors.ts';
import { createMemoryTaskStore } from '../../task/memory-task-store.ts';
import { aReport, aReportVideo } from '../../video/a-report.ts';
import { agent, folderOf, listing } from '../listing-files.ts';
import { type AnyJson, outcomeOf, parseLines, run, succeeding, type VideoHandler } from '../run-cli.ts';

// Strict about the events, so that a field that is not in the schema shows up here.
const validate = new Ajv2020({ strict: false, formats: { uri: true } }).compile(eventSchema);

/** Every line as an event that follows the schema, numbered without gaps. */
function eventsIn(text: string): AnyJson[] {
  const events = parseLines(text);
  for (const [index, event] of events.entries()) {
    validate(event);
    expect(validate.errors, JSON.stringify(event)).toBeNull();
    expect(event.seq).toBe(index + 1);
  }
  return events;
}

const typesOf = (events: readonly AnyJson[]): string[] => events.map(({ type }) => type);

/** Everything a program documents of an event, from its branch of the schema. */
const fieldsOf = (type: string): string[] => {
  const branch = eventSchema.allOf.find((each) => each.if.properties.type.const === type)!;
  return ['schema_version', 'seq', 'time', 'type', ...Object.keys(branch.then.properties)];
};

const dropping: VideoHandler = async (task, context) => {
  const payload = task.payload;
  const dropped_assets = [{ url: 'x.jpg\n\u001b', reason: 'corrupt: cut off' }];
  if (payload.listing.id === 'bad') {
    throw new ListingVideoError('no_usable_assets', 'none', {
      hint: 'mend them',
      context: { dropped_assets },
    });
  }
  for (const percent of [1, 1.4, 1.9, 2, 50]) {
    context.reportProgress({ percent, stage: 'render', etaSeconds: null });
  }
  return { ...outcomeOf(payload), dropped_assets };
};

describe('--events ndjson', () => {
  it('tells of every task from its acceptance to its one end', async () => {
    const preview = agent('bob', { metadata: { crm: '7' } });
    const cwd = await folderOf({
      '1.json': listing('one', [agent('ann'), preview]),
      '2.json': '{',
      '3.json': listing('bad'),
    });
    const words = ['create', '1.json', '2.json', '3.json', '--events', 'ndjson'];
    const { exitCode, stderr, stdout } = await run(words, { cwd, handler: dropping });
    const events = eventsIn(stderr);
    expect(typesOf(events)).toEqual([
      ...['run.started', 'listing.rejected'],
      ...['task.accepted', 'progress', 'progress', 'progress'],
      ...['asset.dropped', 'video.completed', 'video.completed', 'task.completed'],
      ...['task.accepted', 'asset.dropped', 'task.failed', 'run.completed'],
    ]);
    for (const event of events)
      expect(fieldsOf(event.type)).toEqual(expect.arrayContaining(Object.keys(event)));
    expect(events[1]).toMatchObject({ listing_file: '2.json', detail: [{ type: 'json_invalid' }] });
    expect(events.filter(({ type }) => type === 'progress').map(({ percent }) => percent)).toEqual([
      1, 2, 50,
    ]);
    expect(events[6]).toMatchObject({ url: 'x.jpg\n\u001b', reason: 'corrupt: cut off' });
    expect(events[8]).toMatchObject({ agent_id: 'bob', metadata: { crm: '7' }, is_unchanged: false });
    expect(events[9]).toMatchObject({
      videos: 2,
      dropped_assets: 1,
      report: `${cwd}/videos/one/report.json`,
    });
    expect(events[12]).toMatchObject({
      error: { code: 'no_usable_assets', hint: 'mend them' },
      dropped_assets: 1,
    });
    expect(events.at(-1)).toMatchObject({
      exit_code: exitCode,
      succeeded: 1,
      failed: 1,
      invalid: 1,
      error: null,
    });
    // The results are on stdout all the same.
    expect(stdout).toContain('videos/one/ann.mp4');
  });

  it('tells of videos in the other ratio after the agents’ own', async () => {
    const cwd = await folderOf({ '1.json': listing('one') });
    const handler: VideoHandler = async ({ payload }) => {
      const outcome = outcomeOf(payload);
      return { ...outcome, also_ratio: [{ ...outcome.results[0]!, ratio: '1080:1920' }] };
    };
    const words = ['create', '1.json', '--also-ratio', '1080:1920', '--events', 'ndjson'];
    const events = eventsIn((await run(words, { cwd, handler })).stderr);
    const made = events.filter(({ type }) => type === 'video.completed');
    expect(made.map(({ agent_id, ratio }) => [agent_id, ratio])).toEqual([
      ['ann', undefined],
      ['ann', '1080:1920'],
    ]);
    for (const event of made)
      expect(fieldsOf(event.type)).toEqual(expect.arrayContaining(Object.keys(event)));
    expect(events.at(-2)).toMatchObject({ type: 'task.completed', videos: 2 });
  });

  it('says of each file of an agent whether it is unchanged', async () => {
    const cwd = await folderOf({ '1.json': listing('one') });
    const handler: VideoHandler = async ({ payload }) => {
      const outcome = outcomeOf(payload);
      const report = path.join(payload.outputDir, 'report.json');
      const made = (isUnchanged: boolean) => aReportVideo({ agent_id: 'ann', is_unchanged: isUnchanged });
      await mkdir(payload.outputDir, { recursive: true });
      await writeFile(
        report,
        JSON.stringify(aReport({ videos: [made(true)], also_for: [made(false), made(true)] })),
      );
      const further = (place: 'youtube' | 'web') => ({
        ...{ ...outcome.results[0]!, ratio: '1920:1080' as const },
        destinations: [place],
      });
      return { ...outcome, also_for: [further('youtube'), further('web')], report };
    };
    const events = eventsIn((await run(['create', '1.json', '--events', 'ndjson'], { cwd, handler })).stderr);
    const made = events.filter(({ type }) => type === 'video.completed');
    expect(made.map(({ is_unchanged }) => is_unchanged)).toEqual([true, false, true]);
  });

  it('ends each task once, whatever became of it, with tasks that run together', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    const cwd = await folderOf(Object.fromEntries(ids.map((id) => [`${id}.json`, listing(id)])));
    const store = createMemoryTaskStore();
    const settle = store.settle.bind(store);
    const create = store.create.bind(store);
    store.create = async (task) => {
      if ((task.payload as AnyJson).listing.id === 'e')
        throw new ListingVideoError('task_state_conflict', 'taken');
      return create(task);
    };
    store.settle = async (claim, end, progress) => {
      const { summary } = await store.get(claim.id);
      if (summary?.label === 'c') throw new ListingVideoError('lease_lost', 'taken over');
      return settle(claim, end, progress);
    };
    const handler: VideoHandler = async (task, context) => {
      if ((task.payload as AnyJson).listing.id === 'b') throw new TypeError('a bug');
      return succeeding(task, context);
    };
    const words = ['create', '.', '--events', 'ndjson', '--json'];
    const { stderr } = await run(words, { cwd, store, handler, tasksAtOnce: 3 });
    const events = eventsIn(stderr);
    const accepted = events.filter(({ type }) => type === 'task.accepted').map((event) => event.task_id);
    const ended = events.filter(({ type }) => type === 'task.completed' || type === 'task.failed');
    expect(accepted).toHaveLength(5);
    expect(ended.map((event) => event.task_id).sort()).toEqual([...accepted].sort());
    expect(
      ended
        .filter(({ type }) => type === 'task.failed')
        .map((event) => event.listing_file)
        .sort(),
    ).toEqual(['b.json', 'c.json']);
    expect(events.find(({ type }) => type === 'listing.rejected')).toMatchObject({
      listing_file: 'e.json',
      listing_id: 'e',
      error: { code: 'task_state_conflict' },
    });
  });

  it.each([
    ['an invalid listing', ['a.json'], 2, 'invalid_listing', { 'a.json': '{' }],
    ['an unknown template', ['a.json', '--template', 'x'], 2, 'template_not_found', { 'a.json': listing() }],
    ['a dry run', ['a.json', '--dry-run'], 2, 'usage', { 'a.json': listing() }],
    ['a bad setting', ['a.json', '--quality', 'x'], 2, 'setting_invalid', { 'a.json': listing() }],
    [
      'an events file',
      ['a.json', '--events-file', 'f/x'],
      3,
      'output_unwritable',
      { 'a.json': listing(), f: '' },
    ],
  ])('tells of a run that %s ended, and says nothing else', async (_, words, exitCode, code, files) => {
    const ended = await run(['create', ...words, '--events', 'ndjson'], { files });
    const events = eventsIn(ended.stderr);
    expect(ended.exitCode).toBe(exitCode);
    expect(events.at(-1)).toMatchObject({ type: 'run.completed', exit_code: exitCode, error: { code } });
    expect(ended.stdout).toBe('');
  });

  it('is alone on stderr: no warnings, no summary, no annotations', async () => {
    const files = {
      '1.json': { ...listing('one'), bedroms: 1 },
      '2.json': '{',
      'home/config.json': { what: 1 },
    };
    const env = { GITHUB_ACTIONS: 'true' };
    const { stderr } = await run('create 1.json 2.json --events ndjson', {
      files,
      env,
      isTty: true,
    });
    expect(typesOf(eventsIn(stderr)).at(-1)).toBe('run.completed');
  });

  it('counts what an interrupt left undone', async () => {
    const cwd = await folderOf({ '1.json': listing('one'), '2.json': listing('two') });
    const controller = new AbortController();
    const handler: VideoHandler = async (_task, { signal }) => {
      controller.abort();
      signal.throwIfAborted();
      throw new Error('was not interrupted');
    };
    const words = ['create', '.', '--events', 'ndjson'];
    const { stderr } = await run(words, { cwd, handler, interrupted: controller.signal });
    const events = eventsIn(stderr);
    expect(events.at(-2)).toMatchObject({ type: 'task.failed', error: { code: 'cancelled' } });
    expect(events.at(-1)).toMatchObject({ exit_code: 130, failed: 1, not_started: 1 });
  });
});

describe('--events-file', () => {
  it('leaves stderr to people, and replaces what an earlier run wrote', async () => {
    const cwd = await folderOf({ 'a.json': listing(), 'logs/events.ndjson': 'old\nold\n' });
    const words = ['create', 'a.json', '--events-file', 'logs/events.ndjson'];
    const { stderr } = await run(words, { cwd });
    const events = eventsIn(await readFile(path.join(cwd, 'logs/events.ndjson'), 'utf8'));
    expect(typesOf(events)).toEqual([
      ...['run.started', 'task.accepted', 'progress'],
      ...['video.completed', 'task.completed', 'run.completed'],
    ]);
    expect(stderr).toContain('done: a.json');
  });

  it.skipIf(process.platform === 'win32')(
    'may be a named pipe with a reader; without one it says so',
    async () => {
      const cwd = await folderOf({ 'a.json': listing() });
      const pipe = path.join(cwd, 'pipe');
      execFileSync('mkfifo', [pipe]);
      const alone = await run(['create', 'a.json', '--events-file', 'pipe'], { cwd });
      expect(alone.exitCode).toBe(3);
      expect(alone.stderr).toContain('nobody reads this pipe');

      const reader = spawn('sh', ['-c', `exec 3<>"${pipe}"; echo ready; exec cat <&3`], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      try {
        let text = '';
        reader.stdout.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        while (!text.includes('ready')) await once(reader.stdout, 'data');
        const { exitCode } = await run(['create', 'a.json', '--events-file', 'pipe'], { cwd });
        expect(exitCode).toBe(0);
        while (!text.includes('run.completed')) await once(reader.stdout, 'data');
        expect(eventsIn(text.replace('ready\n', '')).length).toBeGreaterThan(4);
      } finally {
        reader.kill('SIGKILL');
      }
    },
  );
});
