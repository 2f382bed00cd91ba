/** `serve`, over a service in memory: what it opens it with, what it prints, how it ends. */
import { describe, expect, it } from 'vitest';
import { ListingVideoError } from '../../src/platform/errors.ts';
import type { ServiceOptions } from '../../src/wiring/server/open-service.ts';
import type { FakeWorld } from './run-cli.ts';
import { runService } from './run-service.ts';

const serve = (
  argv: readonly string[],
  world: Partial<FakeWorld> = {},
  start = async () => 'http://127.0.0.1:4711',
) => runService<ServiceOptions>(['serve', ...argv], world, 'openService', start);

describe('serve', () => {
  it('says where it listens once it does, and ends with 0 when a signal has stopped it', async () => {
    const { exitCode, stdout, happened } = await serve([]);
    expect(stdout).toBe('listening on http://127.0.0.1:4711\n');
    expect(happened).toEqual(['start', 'stdout: listening on http://127.0.0.1:4711', 'stop']);
    expect(exitCode).toBe(0);
  });

  it('prints one JSON document under --json', async () => {
    expect((await serve(['--json'])).json()).toEqual({ url: 'http://127.0.0.1:4711' });
  });

  it('hands the settings on, from repeated flags too', async () => {
    const words =
      '--port 0 --grace 5s --keep 30d --body-limit 1MiB --queue-limit 3 --public-url https://v.example/';
    const lists =
      '--allow-assets-from 10.0.0.0/8 --allow-assets-from photos.internal --deny-assets-from 10.1.0.0/16 --cors-origin https://a.example';
    const { settings } = await serve([...words.split(' '), ...lists.split(' ')]);
    expect(settings).toMatchObject({
      port: 0,
      grace: 5_000,
      keep: 30 * 86_400_000,
      bodyLimit: 1_048_576,
      queueLimit: 3,
      publicUrl: 'https://v.example',
      allowAssetsFrom: ['10.0.0.0/8', 'photos.internal'],
      denyAssetsFrom: ['10.1.0.0/16'],
      corsOrigin: ['https://a.example'],
      host: '127.0.0.1',
      allowAnonymous: false,
    });
  });

  it.each([
    [[], { tasksAtOnce: 1, piecesPerTask: 2 }],
    [['--concurrency', '2'], { tasksAtOnce: 2, piecesPerTask: 1 }],
    [['--concurrency', '4'], { tasksAtOnce: 4, piecesPerTask: 1 }],
  ])('shares the two CPUs: %j', async (argv, shares) => {
    expect((await serve(argv)).options).toMatchObject(shares);
  });

  it.each([
    [[], false, { isPretty: false, hasColor: false, level: 'info' }],
    [[], true, { isPretty: true, hasColor: true, level: 'info' }],
    [['--debug'], false, { level: 'debug' }],
    [['--quiet'], false, { level: 'warn' }],
  ])('logs as is fit: %j, terminal: %j', async (argv, isTty, log) => {
    expect((await serve(argv, { isTty })).options.log).toMatchObject(log);
  });

  it('tells why it cannot start, with the exit code of that', async () => {
    const taken = () => Promise.reject(new ListingVideoError('cannot_listen', 'port 80 is taken'));
    const { exitCode, stderr, stdout } = await serve(['--port', '80'], {}, taken);
    expect([exitCode, stdout]).toEqual([3, '']);
    expect(stderr).toContain('port 80 is taken');
  });
});
