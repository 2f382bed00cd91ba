/** `worker`, over one in memory: what it opens it with, what it prints, how it ends. */
import { describe, expect, it } from 'vitest';
import { ListingVideoError } from '../../src/platform/errors.ts';
import type { WorkerOptions } from '../../src/wiring/server/open-worker.ts';
import { type FakeWorld, run } from './run-cli.ts';
import { runService } from './run-service.ts';

const worker = (
  argv: readonly string[],
  world: Partial<FakeWorld> = {},
  start: () => Promise<string | null> = async () => null,
) => runService<WorkerOptions>(['worker', ...argv], world, 'openWorker', start);

describe('worker', () => {
  it('says that it waits for tasks, and ends with 0 when a signal has stopped it', async () => {
    const { exitCode, happened } = await worker([]);
    expect([exitCode, happened]).toEqual([0, ['start', 'stdout: waiting for tasks', 'stop']]);
  });

  it('says where it listens if it has a port', async () => {
    const url = 'http://127.0.0.1:4711';
    const { stdout, options, settings } = await worker(['--port', '0'], {}, async () => url);
    expect(stdout).toBe(`waiting for tasks, listening on ${url}\n`);
    expect([options.hasPort, settings.port]).toEqual([true, 0]);
    expect((await worker(['--port', '0', '--json'], {}, async () => url)).json()).toEqual({ url });
    expect((await worker(['--json'])).json()).toEqual({ url: null });
  });

  it('opens no port that nobody has set', async () => {
    expect((await worker([])).options.hasPort).toBe(false);
    const env = { LISTING_VIDEO_PORT: '9090' };
    const { options, settings } = await worker([], { env });
    expect([options.hasPort, settings.port]).toEqual([true, 9090]);
  });

  it('renders one task at a time with all CPUs, and more as --concurrency says', async () => {
    expect((await worker([])).options).toMatchObject({ tasksAtOnce: 1, piecesPerTask: 2 });
    const { options } = await worker(['--concurrency', '2']);
    expect(options).toMatchObject({ tasksAtOnce: 2, piecesPerTask: 1 });
  });

  it('says why it cannot start, with the exit code of that', async () => {
    const away = () => Promise.reject(new ListingVideoError('database_unavailable', 'no database there'));
    const { exitCode, stderr, stdout } = await worker([], {}, away);
    expect([exitCode, stdout]).toEqual([3, '']);
    expect(stderr).toContain('no database there');
  });
});

/** The help of a command, on one line. */
async function helpOf(...words: string[]): Promise<string> {
  const { stdout } = await run([...words, '--help'], { cwd: '/nowhere' });
  return stdout.replace(/\s+/g, ' ');
}

describe('help of the commands of a service', () => {
  it('says of an option what it does for this command', async () => {
    const [worker, serve] = [await helpOf('worker'), await helpOf('serve')];
    expect(worker).not.toMatch(/needs API keys|keep tasks in files|webhooks/);
    for (const help of [worker, serve]) {
      expect(help).not.toMatch(/with create|--untrusted|reach --server|number of CPUs/);
      expect(help).toContain('run this many tasks at once (default: 1;');
    }
    expect(serve).toContain('photos from, and webhooks to, this private host');
    expect(await helpOf('webhooks', 'test')).not.toContain('photos');
    for (const command of [
      ['database', 'migrate'],
      ['database', 'import'],
      ['workers', 'list'],
    ])
      expect(await helpOf(...command)).toContain('PostgreSQL database; prefer the variable, because');
  });

  it('names a server only where one can be used, and LISTING_VIDEO_DATABASE where no flag sets it', async () => {
    expect(await helpOf('organization', 'show')).toContain('--server <url>');
    for (const group of ['organization', 'keys', 'webhooks'])
      expect(await helpOf(group)).toMatch(/^(?!.*--server).*set LISTING_VIDEO_DATABASE here/);
    expect(await helpOf('organization', 'grant')).not.toContain('--server');
    const refused = await run('organization grant 5 --server http://127.0.0.1:1', {
      cwd: '/nowhere',
    });
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('add --no-server')]);
  });
});
