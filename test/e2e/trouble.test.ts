/**
 * Bad input and bad luck, from end to end: each ends in one clear message, the right exit code, and nothing left
 * behind.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ageOwners, NAMESPACE_ARGUMENTS, startContainer } from '../hostile/pid-namespace.ts';
import { childrenOf, isRunning } from '../live-processes.ts';
import { Desk, LAUNCHER, SMALL_LISTING } from './program.ts';
import { copyCache } from './small-listing.ts';

const desks: Desk[] = [];
let desk: Desk;
beforeEach(() => {
  desk = new Desk();
  desks.push(desk);
});
afterAll(() => {
  for (const each of desks) each.close();
});

const CREATE = ['create', SMALL_LISTING, '--quality', 'draft'];

describe('input', () => {
  it.each([
    ['a file that is not there', () => path.join(desk.root, 'no.json'), 2, /no\.json/],
    ['a folder without listings', () => desk.root, 2, /listing/],
    [
      'text that is not JSON',
      () => desk.writeListing('a.json', () => 0).then(breakJson),
      2,
      /a\.json:2:3: not JSON/,
    ],
    [
      'a listing that breaks rules',
      () => desk.writeListing('b.json', () => ({ id: 1 })),
      2,
      /assets: required, but missing/,
    ],
  ])('%s', async (_, input, exitCode, message) => {
    const run = await desk.run(['create', await input(), '--quality', 'draft']);
    expect({ exitCode: run.exitCode, stdout: run.stdout }).toEqual({ exitCode, stdout: '' });
    expect(run.stderr).toMatch(message);
    expect(run.stderr).not.toMatch(/at .*\.(ts|js):\d+/);
    expect(readdirSync(desk.root).filter((name) => !name.endsWith('.json'))).toEqual([]);
  });

  it('only broken assets: the task fails, and each asset is listed with its reason', async () => {
    const listing = await desk.writeListing('broken.json', ({ assets }) => {
      for (const [index, asset] of assets.entries()) asset.url = path.join(desk.root, `gone-${index}.jpg`);
    });
    const run = await desk.run(['create', listing, '--json']);
    expect(run.exitCode).toBe(1);
    const [task] = JSON.parse(run.stdout).data;
    expect(task).toMatchObject({
      state: 'FAILED',
      failure_message: 'no usable assets: 5 of 5 dropped',
      results: [],
    });
    expect(task.dropped_assets).toHaveLength(5);
    expect(await desk.names()).toEqual([]);
    expect(await desk.workFolders()).toEqual([]);
  });
});

describe('the machine', () => {
  it('without a fit ffmpeg', async () => {
    const run = await desk.run([...CREATE, '--ffmpeg', path.join(desk.root, 'no-ffmpeg')]);
    expect(run.exitCode).toBe(3);
    expect(run.stderr).toMatch(/ffmpeg/);
    expect(await desk.names()).toEqual([]);
  });

  it('with an output folder that is a file', async () => {
    writeFileSync(path.join(desk.root, 'file'), '');
    const run = await desk.run([...CREATE, '--out', path.join(desk.root, 'file')]);
    expect(run.exitCode).toBe(3);
    expect(run.stderr).toMatch(/cannot write .*file\/small \(/);
  });

  it.skipIf(!canMount()).each([
    ['for the videos', '1m', (disk: string) => ({ out: path.join(disk, 'videos'), home: desk.home })],
    [
      'for what is being rendered',
      '1200k',
      (disk: string) => ({ out: desk.out, home: path.join(disk, 'home') }),
    ],
  ])('with a disk that fills up: %s', async (_, size, place) => {
    const disk = path.join(desk.root, 'disk');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk]);
    try {
      const { out, home } = place(disk);
      if (home === desk.home) copyCache(home, 'segments');
      const run = await desk.run([...CREATE, '--out', out], { home });
      expect(run.exitCode).toBe(3);
      expect(run.stderr).toMatch(/disk is full|no space/i);
      expect(readdirSync(out)).toEqual([]);
      expect(await desk.workFolders(home)).toEqual([]);
    } finally {
      execFileSync('umount', [disk]);
    }
  });

  it.skipIf(!canMount())('with a read-only disk, for the videos or for the home', async () => {
    const disk = path.join(desk.root, 'disk');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', disk]);
    try {
      const out = await desk.run([...CREATE, '--out', path.join(disk, 'videos')]);
      expect(out).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('(EROFS)') });
      const home = await desk.run([...CREATE, '--dry-run'], { home: path.join(disk, 'home') });
      expect(home).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('another with --home') });
    } finally {
      execFileSync('umount', [disk]);
    }
  });

  it('whose ffmpeg is killed', async () => {
    copyCache(desk.home, 'photos');
    const run = desk.start(CREATE);
    await run.sees(/rendering/);
    const ffmpeg = await waitFor(() =>
      childrenOf(run.pid).find(({ command }) => command.includes('libx264')),
    );
    process.kill(ffmpeg.pid, 'SIGKILL');
    const { exitCode, stderr } = await run.finished;
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/ffmpeg was (killed|ended)|SIGKILL/);
    expect(await desk.names()).toEqual([]);
    expect(await desk.workFolders()).toEqual([]);
  });

  it('whose store has a damaged task: the others are still listed', async () => {
    await desk.run([
      'create',
      await desk.writeListing('x.json', ({ assets }) => {
        for (const asset of assets) asset.url = 'gone.jpg';
      }),
    ]);
    const tasks = path.join(desk.home, 'tasks');
    const [shard] = readdirSync(tasks);
    const [id] = readdirSync(path.join(tasks, shard!));
    mkdirSync(path.join(tasks, 'ffffff', 'ffffffff-0000-7000-8000-000000000000'), { recursive: true });
    await desk.run(['create', SMALL_LISTING, '--ffmpeg', '/no/ffmpeg']);
    const latest = readdirSync(path.join(tasks, shard!, id!))
      .filter((name) => name.startsWith('task.'))
      .sort()
      .at(-1);
    writeFileSync(path.join(tasks, shard!, id!, latest!), '{"id": "');
    const list = await desk.run(['tasks', 'list', '--json']);
    expect(list.exitCode).toBe(0);
    expect(JSON.parse(list.stdout).data).toHaveLength(1);
    expect(list.stderr).toContain(id);
  });
});

describe('two runs of one listing at once', () => {
  it('the second waits, is told for whom, and finds the work done; Ctrl-C ends a wait', async () => {
    copyCache(desk.home, 'photos');
    const first = desk.start(CREATE);
    await first.sees(/rendering/);
    const [second, third] = [desk.start(CREATE), desk.start(CREATE)];
    for (const run of [second, third]) await run.sees(new RegExp(`waiting for process ${first.pid}, `));
    third.kill('SIGINT');
    expect(await third.finished).toMatchObject({ exitCode: 130 });
    expect(await first.finished).toMatchObject({ exitCode: 0 });
    const { exitCode, stderr } = await second.finished;
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('nothing has changed')]);
    expect(await desk.names()).toEqual(['a.jpg', 'a.mp4', 'a.txt', 'a.vtt', 'report.html', 'report.json']);
  });
});

describe.skipIf(NAMESPACE_ARGUMENTS === null)('a run in a container that is paused', () => {
  it('loses its folder to another run, and fails without changing anything when it continues', async () => {
    copyCache(desk.home, 'photos');
    const paused = await startContainer([LAUNCHER, ...CREATE, '--out', desk.out, '--home', desk.home]);
    await waitFor(() => workFoldersOf(desk.home).length > 0);
    paused.signal('SIGSTOP');
    ageOwners(desk.out, paused.space, 60_000);
    expect(await desk.run(CREATE)).toMatchObject({ exitCode: 0 });
    const digest = desk.digest('report.json');
    paused.signal('SIGCONT');
    const { exitCode, stderr } = await paused.ended;
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('another process has taken over')]);
    expect(await desk.names()).toEqual(['a.jpg', 'a.mp4', 'a.txt', 'a.vtt', 'report.html', 'report.json']);
    expect(desk.digest('report.json')).toBe(digest);
    expect(await desk.workFolders()).toEqual([]);
  });
});

describe('stopping', () => {
  it('Ctrl-C once: cancelled, exit 130, nothing left; the same command then finishes with what was rendered', async () => {
    copyCache(desk.home, 'photos');
    // Packages that write saved defaults have a say in signals.
    expect(await desk.run(['config', 'set', 'pictures', 'none'])).toMatchObject({ exitCode: 0 });
    const run = desk.start(CREATE);
    await run.sees(/[6-9]\d %, rendering/);
    const children = childrenOf(run.pid);
    run.kill('SIGINT');
    expect((await run.finished).exitCode).toBe(130);
    expect(children.filter(({ pid }) => isRunning(pid))).toEqual([]);
    expect(await desk.names()).toEqual([]);
    expect(await desk.workFolders()).toEqual([]);
    const { data } = JSON.parse((await desk.run(['tasks', 'list', '--json'])).stdout);
    expect(data).toMatchObject([{ state: 'FAILED', failure_message: 'cancelled' }]);
    const again = await desk.run([...CREATE, '--json']);
    expect(JSON.parse(again.stdout).data[0]).toMatchObject({ state: 'SUCCEEDED' });
    expect((await desk.report()).videos[0].segments.reused).toBeGreaterThan(0);
  });

  it('Ctrl-C twice: stops at once, with no process, file or folder left', async () => {
    copyCache(desk.home, 'photos');
    const run = desk.start(CREATE);
    await run.sees(/rendering/);
    const ffmpeg = await waitFor(() =>
      childrenOf(run.pid).find(({ command }) => command.includes('libx264')),
    );
    run.kill('SIGINT');
    run.kill('SIGINT');
    expect((await run.finished).exitCode).toBe(130);
    await waitFor(() => !isRunning(ffmpeg.pid));
    expect(await desk.names()).toEqual([]);
    expect(await desk.workFolders()).toEqual([]);
  });

  it('kill -9: the next run clears up and finishes with what was rendered', async () => {
    copyCache(desk.home, 'photos');
    const run = desk.start(CREATE);
    await run.sees(/[6-9]\d %, rendering/);
    const children = childrenOf(run.pid);
    run.kill('SIGKILL');
    await run.finished;
    await waitFor(() => children.every(({ pid }) => !isRunning(pid)));
    // A run of another listing removes what the killed one left in the output folder, and its work folder.
    const broken = await desk.writeListing('broken.json', (listing) => {
      listing.id = 'broken';
      for (const asset of listing.assets) asset.url = 'gone.jpg';
    });
    expect(await desk.run(['create', broken])).toMatchObject({ exitCode: 1 });
    expect(readdirSync(desk.out)).toEqual([]);
    expect(await desk.workFolders()).toEqual([]);
    expect(await desk.run(CREATE)).toMatchObject({ exitCode: 0 });
    expect(await desk.names()).toEqual(['a.jpg', 'a.mp4', 'a.txt', 'a.vtt', 'report.html', 'report.json']);
    expect(await desk.workFolders()).toEqual([]);
    expect((await desk.report()).videos[0].segments.reused).toBeGreaterThan(0);
  });
});

/** Only root may mount a small disk, and not in every sandbox. */
function canMount(): boolean {
  const probe = new Desk();
  const at = path.join(probe.root, 'disk');
  try {
    mkdirSync(at);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', at], { stdio: 'ignore' });
    execFileSync('umount', [at], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    probe.close();
  }
}

/** Work folders of runs. */
function workFoldersOf(home: string): string[] {
  const work = path.join(home, 'work');
  return existsSync(work) ? readdirSync(work) : [];
}

async function breakJson(file: string): Promise<string> {
  writeFileSync(file, '{\n  nonsense\n}');
  chmodSync(file, 0o644);
  return file;
}

/** Polls what has no event of its own (another process's children) until it is there. */
async function waitFor<T>(look: () => T): Promise<NonNullable<T>> {
  return (await vi.waitUntil(look, { timeout: 60_000, interval: 20 })) as NonNullable<T>;
}
