import { chmod, mkdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findFfmpeg } from '../../src/encode/find-ffmpeg.ts';
import { makeFolder, writeScript } from './workbench.ts';

const ENCODERS = ' V....D libx264              x264\n A..... aac                  AAC';

/** A script that answers as ffmpeg does, and counts how often it is asked in a file beside it. */
function fakeFfmpeg(version: string, encoders = ENCODERS): Promise<string> {
  return writeScript(
    `echo asked >> "$(dirname "$0")/log"; echo "ffmpeg version ${version} Copyright" >&2; echo "${encoders}"`,
  );
}

async function timesAsked(path: string): Promise<number> {
  return (await readFile(join(dirname(path), 'log'), 'utf8')).split('\n').length - 1;
}

/** An installed `@ffmpeg-installer/ffmpeg` and nothing else; returns the module to look packages up from. */
async function fakePackages(mode: number): Promise<{ packagesFrom: string; binary: string }> {
  const root = await makeFolder();
  const scope = join(root, 'node_modules', '@ffmpeg-installer');
  const platform = join(scope, `${process.platform}-${process.arch}`);
  await mkdir(join(scope, 'ffmpeg'), { recursive: true });
  await mkdir(platform);
  await writeFile(join(scope, 'ffmpeg', 'package.json'), '{}');
  await writeFile(join(platform, 'package.json'), '{}');
  const binary = join(platform, 'ffmpeg');
  await writeFile(binary, await readFile(await fakeFfmpeg('4.1-packaged')));
  await chmod(binary, mode);
  return { packagesFrom: join(root, 'main.js'), binary };
}

const noPackages = async () => ({ packagesFrom: join(await makeFolder(), 'main.js') });

describe('findFfmpeg', () => {
  it('takes a named binary, whatever else there is', async () => {
    const named = await fakeFfmpeg('7.1');
    const onPath = await fakeFfmpeg('5.1');
    const found = await findFfmpeg({ setting: named, searchPath: dirname(onPath), ...(await noPackages()) });
    expect(found).toMatchObject({
      path: named,
      version: '7.1',
      source: 'setting',
      encoders: ['libx264', 'aac'],
    });
  });

  it.each(['setting', 'listingVideoFfmpeg'] as const)(
    'refuses a bad %s instead of taking another',
    async (place) => {
      const onPath = await fakeFfmpeg('5.1');
      const finding = findFfmpeg({ [place]: '/nowhere/ffmpeg', searchPath: dirname(onPath) });
      await expect(finding).rejects.toMatchObject({
        code: 'ffmpeg_missing',
        exitCode: 3,
        message: expect.stringContaining('/nowhere/ffmpeg'),
        context: { candidates: [{ path: '/nowhere/ffmpeg', verdict: 'not there' }] },
      });
    },
  );

  it('passes over what is broken and says why', async () => {
    const failing = await writeScript('echo "libfoo.so: cannot open shared object file" >&2; exit 127');
    const stranger = await writeScript('echo hello');
    const bare = await fakeFfmpeg('6.0', ' A..... aac   AAC');
    const locked = await fakeFfmpeg('6.1');
    await chmod(locked, 0o644);
    const folder = await makeFolder();
    await mkdir(join(folder, 'ffmpeg'));
    const { packagesFrom, binary } = await fakePackages(0o755);
    const searchPath = [failing, stranger, bare, locked, join(folder, 'ffmpeg')]
      .map((path) => dirname(path))
      .join(':');
    const found = await findFfmpeg({
      ffmpegBin: '/gone',
      searchPath: `/no/such/folder:${searchPath}`,
      packagesFrom,
    });
    expect(found).toMatchObject({
      path: binary,
      source: '@ffmpeg-installer/ffmpeg',
      version: '4.1-packaged',
    });
    expect(found.candidates.map(({ source, verdict }) => [source, verdict])).toEqual([
      ['FFMPEG_BIN', 'not there'],
      ['PATH', expect.stringContaining('cannot open shared object file')],
      ['PATH', 'does not answer as ffmpeg does'],
      ['PATH', 'lacks libx264'],
      ['PATH', 'not executable'],
      ['PATH', 'not a file'],
      ['@ffmpeg-installer/ffmpeg', 'fit'],
    ]);
  });

  it('makes a packaged binary executable that npm left without the bit', async () => {
    const { packagesFrom, binary } = await fakePackages(0o644);
    expect(await findFfmpeg({ packagesFrom })).toMatchObject({ path: binary, version: '4.1-packaged' });
    expect((await stat(binary)).mode & 0o111).not.toBe(0);
  });

  it('lists what was tried when there is none', async () => {
    const failing = await writeScript('exit 1');
    const finding = findFfmpeg({ searchPath: dirname(failing), ...(await noPackages()) });
    await expect(finding).rejects.toMatchObject({
      code: 'ffmpeg_missing',
      message: expect.stringContaining(failing),
    });
  });

  it('asks a binary once, until it changes', async () => {
    const path = await fakeFfmpeg('5.1');
    const places = { searchPath: dirname(path), ...(await noPackages()) };
    const cacheDir = join(await makeFolder(), 'cache');
    const first = await findFfmpeg(places, { cacheDir });
    const second = await findFfmpeg(places, { cacheDir });
    expect(second).toEqual(first);
    expect(await timesAsked(path)).toBe(1);
    await utimes(path, 1_000_000, 1_000_000);
    await findFfmpeg(places, { cacheDir });
    expect(await timesAsked(path)).toBe(2);
  });

  it('does not trip over a damaged memo', async () => {
    const path = await fakeFfmpeg('5.1');
    const cacheDir = await makeFolder();
    await writeFile(join(cacheDir, 'ffmpeg-answers.json'), '{"broken');
    const found = await findFfmpeg({ searchPath: dirname(path), ...(await noPackages()) }, { cacheDir });
    expect(found.version).toBe('5.1');
  });

  it('is stopped by an abort', async () => {
    const stuck = await writeScript('exec sleep 600');
    const abort = new AbortController();
    const finding = findFfmpeg({ setting: stuck }, { signal: abort.signal });
    setImmediate(() => abort.abort());
    await expect(finding).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  });
});
