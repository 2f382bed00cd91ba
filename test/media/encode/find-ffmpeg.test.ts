import { createHash } from 'node:crypto';
import { appendFile, chmod, mkdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findFfmpeg } from '../../../src/media/encode/ffmpeg/find-ffmpeg.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { answersOf, FFMPEG_5_1, FFMPEG_PROGRAMS } from './ffmpeg-programs.ts';
import { availableFfmpegs, writeScript } from './workbench.ts';

/** A script that answers as ffmpeg does, and counts how often it is asked in a file beside it. */
function fakeFfmpeg(version: string, encoders?: string): Promise<string> {
  const program = { ...FFMPEG_5_1, version };
  return writeScript(`echo asked >> "$(dirname "$0")/log"\n${answersOf(program, encoders)}`);
}

async function timesAsked(path: string): Promise<number> {
  return (await readFile(join(dirname(path), 'log'), 'utf8')).split('\n').length - 1;
}

/** An installed `@ffmpeg-installer/ffmpeg` and nothing else; returns the module to look packages up from. */
async function fakePackages(mode: number) {
  const root = temporaryFolder();
  const scope = join(root, 'node_modules', '@ffmpeg-installer');
  const platform = join(scope, `${process.platform}-${process.arch}`);
  await mkdir(join(scope, 'ffmpeg'), { recursive: true });
  await mkdir(platform);
  await writeFile(join(scope, 'ffmpeg', 'package.json'), '{}');
  await writeFile(join(platform, 'package.json'), '{}');
  const binary = join(platform, 'ffmpeg');
  const content = await readFile(await fakeFfmpeg('4.1-packaged'));
  await writeFile(binary, content);
  await chmod(binary, mode);
  const digest = createHash('sha256').update(content).digest('hex');
  const carriedDigests = { [`${process.platform}-${process.arch}`]: digest };
  return { packages: { packagesFrom: join(root, 'main.js'), carriedDigests }, binary };
}

const noPackages = async () => ({ packagesFrom: join(temporaryFolder(), 'main.js') });

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
    const folder = temporaryFolder();
    await mkdir(join(folder, 'ffmpeg'));
    const { packages, binary } = await fakePackages(0o755);
    const searchPath = [failing, stranger, bare, locked, join(folder, 'ffmpeg')]
      .map((path) => dirname(path))
      .join(':');
    const found = await findFfmpeg({
      ffmpegBin: '/gone',
      searchPath: `/no/such/folder:${searchPath}`,
      ...packages,
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
      ['@ffmpeg-installer/ffmpeg', 'usable'],
    ]);
  });

  it('makes a packaged binary executable that npm left without the bit', async () => {
    const { packages, binary } = await fakePackages(0o644);
    expect(await findFfmpeg(packages)).toMatchObject({ path: binary, version: '4.1-packaged' });
    expect((await stat(binary)).mode & 0o111).not.toBe(0);
  });

  it('does not run a packaged binary that was changed', async () => {
    const { packages, binary } = await fakePackages(0o755);
    await appendFile(binary, `\ntouch '${binary}.ran'\n`);
    await expect(findFfmpeg(packages)).rejects.toMatchObject({
      code: 'ffmpeg_missing',
      context: { candidates: [{ verdict: expect.stringContaining('was changed after it was published') }] },
    });
    await expect(stat(`${binary}.ran`)).rejects.toThrow();
    const cacheDir = temporaryFolder();
    await expect(findFfmpeg(packages, { cacheDir })).rejects.toThrow('was changed');
  });

  it('knows the digests of the real packages', async () => {
    const found = await findFfmpeg({});
    expect(found.candidates.at(-1)).toMatchObject({ verdict: 'usable' });
  });

  it('prefers the ffmpeg of the distribution to the packed one, and that to those of npm, also to the newer one', async () => {
    const root = temporaryFolder();
    const folder = join(root, 'node_modules', 'ffmpeg-static');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), '{}');
    await writeFile(join(folder, 'ffmpeg'), await readFile(await fakeFfmpeg('6.1')));
    await chmod(join(folder, 'ffmpeg'), 0o755);
    const onPath = await fakeFfmpeg('5.1');
    const packagesFrom = join(root, 'main.js');
    expect(await findFfmpeg({ packagesFrom })).toMatchObject({ source: 'ffmpeg-static', version: '6.1' });
    const packed = await fakeFfmpeg('5.1-packed');
    expect(await findFfmpeg({ packagesFrom, packed })).toMatchObject({
      source: 'this package',
      path: packed,
    });
    const found = await findFfmpeg({ packagesFrom, packed, searchPath: dirname(onPath) });
    expect(found).toMatchObject({ source: 'PATH', path: onPath });
  });

  it.each(FFMPEG_PROGRAMS)(
    'lets only 5.1 and newer decode music: $version',
    async ({ isNewEnough, ...program }) => {
      const setting = await writeScript(answersOf({ isNewEnough, ...program }));
      const { version, year } = program;
      expect(await findFfmpeg({ setting })).toMatchObject({ version, year, decodesMusic: isNewEnough });
    },
  );

  it('knows the age of the real programs on this machine', async () => {
    for (const { version, decodesMusic } of await availableFfmpegs()) {
      const [, major, minor] = /^n?(\d+)\.(\d+)/.exec(version) ?? [];
      // The package's is a build from git, a little newer than 4.1.
      const isNewEnough = major !== undefined && Number(major) + Number(minor) / 100 >= 5.01;
      expect({ version, decodesMusic }).toEqual({ version, decodesMusic: isNewEnough });
    }
  });

  it.each(['no libraries', 'libavcodec new'])('lets no stranger decode music: %s', async (line) => {
    const setting = await writeScript(
      `echo "ffmpeg version 9 Copyright\n${line}" >&2; echo " V....D libx264 x\n A....D aac a"`,
    );
    expect(await findFfmpeg({ setting })).toMatchObject({ decodesMusic: false });
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
    const cacheDir = join(temporaryFolder(), 'cache');
    const first = await findFfmpeg(places, { cacheDir });
    const second = await findFfmpeg(places, { cacheDir });
    expect(second).toEqual(first);
    expect(await timesAsked(path)).toBe(1);
    await utimes(path, 1_000_000, 1_000_000);
    await findFfmpeg(places, { cacheDir });
    expect(await timesAsked(path)).toBe(2);
  });

  it('does not believe a memo of another version', async () => {
    const path = await writeScript(answersOf(FFMPEG_5_1));
    const cacheDir = temporaryFolder();
    const { size, mtimeMs } = await stat(path);
    const answer = { version: '5.1', year: 2022, encoders: ['libx264', 'aac'], decodesMusic: false };
    const memo = { [JSON.stringify([path, size, mtimeMs])]: answer };
    await writeFile(join(cacheDir, 'ffmpeg-answers.json'), JSON.stringify(memo));
    const found = await findFfmpeg({ setting: path }, { cacheDir });
    expect(found.decodesMusic).toBe(true);
  });

  it('does not trip over a damaged memo', async () => {
    const path = await fakeFfmpeg('5.1');
    const cacheDir = temporaryFolder();
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
