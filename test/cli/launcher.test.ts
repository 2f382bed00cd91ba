/** The program as a process, through the real launcher: streams, exit codes, pipes that close, signals. */
import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, cp, mkdir, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, describe, expect, it } from 'vitest';
import { buildModule } from '../build-module.ts';
import { folderOf, listing } from './listing-files.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/listing-video.js', import.meta.url));
const slow = await buildModule('test/cli/slow-program.ts');
afterAll(() => slow.remove());

async function launch(
  words: readonly string[],
  options: { cwd: string; input?: string; env?: NodeJS.ProcessEnv },
) {
  const { stdout, stderr, exitCode } = await execa(process.execPath, [LAUNCHER, ...words], {
    cwd: options.cwd,
    input: options.input ?? '',
    env: { LISTING_VIDEO_HOME: path.join(options.cwd, 'home'), ...options.env },
    reject: false,
  });
  return { stdout, stderr, exitCode };
}

describe('the launcher', () => {
  it('prints help and version on stdout', async () => {
    const cwd = await folderOf();
    const help = await launch(['--help'], { cwd });
    expect(help).toMatchObject({ exitCode: 0, stderr: '' });
    expect(help.stdout).toContain('Usage: listing-video');
    const version = await launch(['--version'], { cwd });
    expect(version).toMatchObject({
      exitCode: 0,
      stderr: '',
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
  });

  it('exits 2 for wrong usage, with stdout empty', async () => {
    const { exitCode, stdout, stderr } = await launch(['creat'], { cwd: await folderOf() });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('did you mean create?');
  });

  it('reads a listing from stdin and validates it', async () => {
    const cwd = await folderOf();
    const words = ['validate', '-', '--json'];
    const good = await launch(words, { cwd, input: JSON.stringify(listing()) });
    expect([good.exitCode, JSON.parse(good.stdout).valid, good.stderr]).toEqual([0, true, '']);
    const bad = await launch(words, { cwd, input: '{' });
    expect([bad.exitCode, JSON.parse(bad.stdout).valid]).toEqual([2, false]);
  });

  it('prints megabytes of JSON into a pipe to the last byte', async () => {
    const cwd = await folderOf();
    const wide = { ...listing(), agents: Array.from({ length: 3000 }, () => ({ id: 'x'.repeat(300) })) };
    const { exitCode, stdout } = await launch(['validate', '-', '--json'], {
      cwd,
      input: JSON.stringify(wide),
    });
    expect(exitCode).toBe(2);
    expect(stdout.length).toBeGreaterThan(1_000_000);
    expect(JSON.parse(stdout).valid).toBe(false);
  });

  it('prints no colour and no moving line into a pipe', async () => {
    const cwd = await folderOf({ 'a.json': { ...listing(), bedrooms: -1 } });
    const { stdout, stderr } = await launch(['validate', 'a.json', 'b.json'], { cwd });
    expect(stdout + stderr).not.toContain('\u001b');
  });

  it('reads settings from the environment', async () => {
    const cwd = await folderOf();
    const { stdout } = await launch(['config', 'list', '--json'], {
      cwd,
      env: { LISTING_VIDEO_QUALITY: 'draft' },
    });
    const quality = JSON.parse(stdout).data.find((row: { key: string }) => row.key === 'quality');
    expect(quality).toMatchObject({ value: 'draft', source: 'env' });
  });

  it('stays quiet when the reader of its output goes away', async () => {
    const cwd = await folderOf();
    const wide = { ...listing(), agents: Array.from({ length: 3000 }, () => ({ id: 'x'.repeat(300) })) };
    const child = spawn(process.execPath, [LAUNCHER, 'validate', '-', '--json'], { cwd });
    let stderr = '';
    child.stderr.on('data', (text) => {
      stderr += text;
    });
    child.stdout.once('data', () => child.stdout.destroy());
    child.stdin.end(JSON.stringify(wide));
    const exitCode = await new Promise((resolve) => child.once('close', resolve));
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: '' });
  });
});

describe('Ctrl-C', () => {
  /** Starts `create` over a handler that renders for ever; resolves when it has begun. */
  async function startSlowCreate(mode: 'obedient' | 'deaf' | 'stuck') {
    const cwd = await folderOf({ 'a.json': listing() });
    const child = spawn(process.execPath, [slow.path, mode, 'create', 'a.json'], {
      cwd,
      env: { ...process.env, LISTING_VIDEO_HOME: path.join(cwd, 'home') },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (text) => {
      stdout += text;
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
    /** Resolves when stderr contains this. */
    const says = (words: string) =>
      new Promise<void>((resolve) => {
        const look = () => stderr.includes(words) && resolve();
        child.stderr.on('data', look);
        look();
      });
    child.stderr.on('data', (text) => {
      stderr += text;
    });
    await says('rendering');
    return { cwd, child, ended, says, output: () => ({ stdout, stderr }) };
  }

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'once (%s) cancels the task cleanly and exits 130',
    async (signal) => {
      const { child, ended, output } = await startSlowCreate('obedient');
      child.kill(signal);
      expect(await ended).toBe(130);
      expect(output().stdout).toBe('');
      expect(output().stderr).toContain('press Ctrl-C again to stop at once');
      expect(output().stderr).toContain('a.json: cancelled');
    },
  );

  it('twice stops at once, even when the work does not listen', async () => {
    const { child, ended, says, output } = await startSlowCreate('deaf');
    child.kill('SIGINT');
    await says('was asked to stop');
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(output().stderr).not.toContain('a.json: cancelled');
  });

  it.skipIf(process.platform === 'win32')(
    'ends even a process whose exit waits for a stuck read',
    async () => {
      const { child, ended, says } = await startSlowCreate('stuck');
      child.kill('SIGINT');
      await says('was asked to stop');
      // The second begins the exit, which waits; whichever signal follows that must not wait with it.
      const impatience = setInterval(() => child.kill('SIGINT'), 20);
      await ended;
      clearInterval(impatience);
      expect(child.signalCode).toBe('SIGINT');
    },
  );
});

it('the launcher can be executed', async () => {
  await expect(access(LAUNCHER, constants.X_OK)).resolves.toBeUndefined();
});

describe('a checkout without a build', () => {
  /** With the sources and the packages of this one, but for those named. */
  async function checkoutWithout(...absent: readonly string[]): Promise<string> {
    const root = await folderOf({ 'a.json': listing() });
    const real = path.dirname(path.dirname(LAUNCHER));
    await cp(path.join(real, 'bin'), path.join(root, 'bin'), { recursive: true });
    for (const name of [
      'src',
      'templates',
      'tsconfig.json',
      'tsconfig.build.json',
      'package.json',
      'package-lock.json',
    ])
      await symlink(path.join(real, name), path.join(root, name));
    await mkdir(path.join(root, 'node_modules'));
    for (const name of await readdir(path.join(real, 'node_modules'))) {
      if (!absent.includes(name))
        await symlink(path.join(real, 'node_modules', name), path.join(root, 'node_modules', name));
    }
    return root;
  }
  const start = (root: string) =>
    execa(process.execPath, [path.join(root, 'bin', 'listing-video.js'), 'validate', 'a.json'], {
      cwd: root,
      reject: false,
    });

  // The compilers have both cores to themselves on a quiet machine only.
  it('is built when the program starts', { timeout: 300_000 }, async () => {
    const root = await checkoutWithout();
    const { stdout, stderr } = await start(root);
    expect({ stdout, stderr }).toEqual({ stdout: 'valid    a.json', stderr: '' });
  });

  it('that cannot be built says what is missing, and exits 3', async () => {
    const root = await checkoutWithout('esbuild', 'typescript');
    const { stdout, stderr, exitCode } = await start(root);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 3 });
    expect(stderr).toBe(
      'listing-video: this checkout is not built, and esbuild, typescript cannot be found. Run `npm ci` with development and optional packages.',
    );
    // npm does what it was asked to.
    const prepared = await execa(process.execPath, [path.join(root, 'bin', 'prepare.js')], { reject: false });
    expect(prepared).toMatchObject({ exitCode: 0, stderr });
  });
});
