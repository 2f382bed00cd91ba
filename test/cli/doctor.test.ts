/** `doctor`: this machine is fit; and each finding that would make another unfit. */
import { chmod, readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { checkFfmpeg, ffmpegOf } from '../../src/cli/doctor/check-ffmpeg.ts';
import {
  brokenCheck,
  checkCpus,
  checkFreeSpace,
  checkLimits,
  checkMemory,
  checkNetwork,
  checkNode,
  checkPermissions,
} from '../../src/cli/doctor/check-machine.ts';
import { checkProxy } from '../../src/cli/doctor/check-proxy.ts';
import { displayWidth } from '../../src/cli/terminal/display-width.ts';
import { ListingVideoError } from '../../src/platform/errors.ts';
import {
  answersOf,
  FFMPEG_5_1,
  FFMPEG_PROGRAMS,
  type FfmpegProgram,
} from '../media/encode/ffmpeg-programs.ts';
import { folderOf } from './listing-files.ts';
import { type AnyJson, run } from './run-cli.ts';

const fakeFfmpeg = (program: FfmpegProgram) => `#!/bin/sh\n${answersOf(program)}\n`;

const textOf = (checks: readonly AnyJson[], wanted: string) =>
  checks.find(({ name }) => name === wanted)?.value;

describe('doctor', () => {
  it('makes a video, checks everything, prints its documented shape, and leaves nothing behind, not even a home', async () => {
    const env = { PATH: process.env.PATH ?? '', https_proxy: 'http://ann:s3cr3t@proxy.example:3128' };
    const { cwd, exitCode, json, stdout } = await run('doctor --json', { env });
    const { ok, checks } = json();
    expect(checks.map((check: AnyJson) => check.name)).toEqual([
      ...['node', 'ffmpeg', 'video', 'kernel', 'fonts', 'templates', 'disk (home)', 'disk (out)'],
      ...['store', 'output', 'memory', 'cpus', 'limits', 'permissions', 'network', 'proxy'],
    ]);
    for (const check of checks) {
      expect(check).toEqual({
        name: expect.any(String),
        ok: true,
        value: expect.stringMatching(/./),
        hint: check.hint === null ? null : expect.any(String),
      });
    }
    expect([ok, exitCode]).toEqual([true, 0]);
    expect(textOf(checks, 'video')).toBe('decoded a photo and made a video of it');
    expect(textOf(checks, 'proxy')).toBe(
      'http://proxy.example:3128 from https_proxy; serve uses it only with --use-proxy',
    );
    expect(stdout).not.toContain('s3cr3t');
    expect(await readdir(cwd)).toEqual([]);
  });

  it('needs no ffmpeg on a machine that renders nothing', async () => {
    const env = { LISTING_VIDEO_RENDER: 'no', LISTING_VIDEO_FFMPEG: '/nowhere/ffmpeg' };
    const { exitCode, json } = await run('doctor --json', { env });
    const names = json().checks.map(({ name }: AnyJson) => name);
    expect([exitCode, names.slice(0, 3)]).toEqual([0, ['node', 'kernel', 'fonts']]);
  });

  it('breaks its lines between words in a narrow terminal, and not in a pipe', async () => {
    const cwd = await folderOf({ 'no-ffmpeg': '' });
    const argv = ['doctor', '--ffmpeg', 'no-ffmpeg'];
    const narrow = await run(argv, { cwd, columns: 60, isTty: true });
    const tooLong = narrow.stdout
      .split('\n')
      .filter((line) => displayWidth(line) > 60 && !line.includes(cwd));
    expect(tooLong).toEqual([]);
    expect(narrow.stdout).toMatch(/ video +decoded a photo .*\n {10,}\S/);
    const { stdout } = await run(argv, { cwd, columns: 60 });
    expect(stdout).toMatch(/^FAIL {2}video +decoded a photo .* without ffmpeg$/m);
  });

  it('exits 3 with a hint when the named ffmpeg cannot be used, and still proves photos and frames', async () => {
    const cwd = await folderOf({ 'not-ffmpeg': '#!/bin/sh\nexit 1\n' });
    await chmod(`${cwd}/not-ffmpeg`, 0o755);
    const { exitCode, stdout, stderr } = await run(['doctor', '--ffmpeg', 'not-ffmpeg'], { cwd });
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(/^FAIL {2}ffmpeg +none can be used: setting .*not-ffmpeg/m);
    expect(stdout).toMatch(/^FAIL {2}video +decoded a photo and rendered a frame of it, but no video/m);
    expect(stderr).toContain('this machine is not ready');
  });

  it('finds an ffmpeg that names its encoders but encodes nothing, a home that cannot be written, and a wrong proxy', async () => {
    const cwd = await folderOf({ file: 'x', ffmpeg: fakeFfmpeg(FFMPEG_5_1) });
    await chmod(`${cwd}/ffmpeg`, 0o755);
    const env = { PATH: process.env.PATH ?? '', HTTPS_PROXY: 'socks5://ann:s3cr3t@proxy.example' };
    const argv = ['doctor', '--json', '--home', 'file/below', '--ffmpeg', 'ffmpeg'];
    const { exitCode, json, stdout } = await run(argv, { cwd, env });
    expect(exitCode).toBe(3);
    const checks: AnyJson[] = json().checks;
    const failed = checks.filter(({ ok }) => !ok).map(({ name }) => name);
    expect(failed).toEqual(['video', 'store', 'proxy']);
    const store = checks.find(({ name }) => name === 'store');
    expect(store).toMatchObject({ ok: false, hint: expect.stringContaining('--home') });
    expect(stdout).not.toContain('s3cr3t');
  });

  it.each(FFMPEG_PROGRAMS)('warns of an ffmpeg before 5.1: $version', async (program) => {
    const cwd = await folderOf({ ffmpeg: fakeFfmpeg(program) });
    await chmod(`${cwd}/ffmpeg`, 0o755);
    const settings = {
      ffmpeg: { value: `${cwd}/ffmpeg`, source: 'flag' },
      home: { value: cwd, source: 'flag' },
    } as const;
    const signal = new AbortController().signal;
    const { ok, value, hint } = await checkFfmpeg(ffmpegOf(settings, { env: {}, signal }));
    expect([ok, String(hint).includes('older than 5.1')]).toEqual([true, !program.isNewEnough]);
    expect(value).toContain(`${program.version} of ${program.year} at `);
  });

  it('says where extra certificates come from, and when they cannot be read', async () => {
    const cwd = await folderOf({ 'office.pem': 'x' });
    const check = (name: string) => checkProxy(undefined, { NODE_EXTRA_CA_CERTS: `${cwd}/${name}` });
    expect(await check('office.pem')).toMatchObject({
      value: `none; certificates of ${cwd}/office.pem`,
      hint: null,
    });
    expect((await check('absent.pem')).hint).toContain('NODE_EXTRA_CA_CERTS');
  });
});

describe('findings', () => {
  it('Node below 20.19 is unfit', () => {
    expect(['18.20.1', '20.18.3', '20.19.0', '22.1.0'].map((version) => checkNode(version).ok)).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  it('a machine without limits for decoders is fit, with a hint', () => {
    expect(checkLimits(true, 'linux')).toMatchObject({ ok: true, hint: null });
    expect(checkLimits(false, 'linux')).toMatchObject({ ok: true, hint: expect.stringContaining('/bin/sh') });
    expect(checkPermissions(['--permission'])).toMatchObject({ ok: true, hint: null });
    expect(checkPermissions([])).toMatchObject({ ok: true, hint: expect.stringContaining('Windows') });
  });

  it('a nearly full disk is unfit', () => {
    expect(checkFreeSpace(2e8, '/out')).toMatchObject({
      ok: false,
      value: '200 MB free for /out',
    });
    expect(checkFreeSpace(2e9, '/out')).toMatchObject({ ok: true, hint: null });
  });

  it('the container is named where it limits memory or CPUs', () => {
    expect(checkMemory(5e8, 8e9)).toMatchObject({
      ok: true,
      value: '500 MB, limited by the container (machine: 8 GB)',
    });
    expect(checkMemory(5e8, 8e9).hint).toContain('900 MB');
    expect(checkMemory(null, 8e9)).toMatchObject({ value: '8 GB', hint: null });
    expect(checkMemory(9e18, 8e9).value).toBe('8 GB');
    expect(checkCpus(0.5, 8)).toMatchObject({ value: '0.5, limited by the container (machine: 8)' });
    expect(checkCpus(null, 8)).toMatchObject({ value: '8', hint: null });
  });

  it('no network is worth a word and no more', () => {
    const loopback = { lo: [{ internal: true } as never] };
    expect(checkNetwork(loopback)).toMatchObject({
      ok: true,
      value: 'none',
      hint: expect.stringContaining('photos'),
    });
  });

  it('a check that breaks is a finding and does not end the others', () => {
    const error = new ListingVideoError('internal_error', 'font is not installed', { hint: 'npm ci' });
    expect(brokenCheck(error)).toEqual({ ok: false, value: error.message, hint: 'npm ci' });
  });
});
