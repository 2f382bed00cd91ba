import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toOutputError } from '../../src/disk/disk-error.ts';
import { systemProbe } from '../../src/disk/process-identity.ts';
import { openOutputFolder } from '../../src/video/publish/output-folder.ts';
import { openWorkFolder } from '../../src/video/work-folder.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'listing-video-output-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('an output folder', () => {
  it('shows nothing until everything is published, and leaves nothing else behind', async () => {
    const folder = await openOutputFolder(path.join(root, 'L-1'));
    await writeFile(folder.stagedPath('a.mp4'), 'video');
    await writeFile(folder.stagedPath('report.json'), '{}');
    expect((await readdir(folder.path)).filter((name) => !name.startsWith('.'))).toEqual([]);
    await folder.publish(['a.mp4', 'report.json']);
    await folder.close();
    expect((await readdir(folder.path)).sort()).toEqual(['a.mp4', 'report.json']);
  });

  it('removes what was staged when the run fails, and keeps what an earlier run published', async () => {
    await mkdir(path.join(root, 'L-1'));
    await writeFile(path.join(root, 'L-1', 'a.mp4'), 'earlier');
    const folder = await openOutputFolder(path.join(root, 'L-1'));
    await writeFile(folder.stagedPath('a.mp4'), 'half');
    await folder.close();
    expect(await readdir(folder.path)).toEqual(['a.mp4']);
    expect(await readFile(path.join(folder.path, 'a.mp4'), 'utf8')).toBe('earlier');
  });

  it('says who holds it when two runs want one listing', async () => {
    const folder = await openOutputFolder(path.join(root, 'L-1'));
    await expect(openOutputFolder(folder.path)).rejects.toMatchObject({
      code: 'output_locked',
      message: expect.stringContaining(String(process.pid)),
      context: { pid: process.pid },
    });
    await folder.close();
    await (await openOutputFolder(folder.path)).close();
  });

  it('takes the lock of a process that is gone, and clears away what it staged', async () => {
    const target = path.join(root, 'L-1');
    await mkdir(path.join(target, '.listing-video-4711-x'), { recursive: true });
    const dead = { ...systemProbe().self, pid: 2 ** 22 + 4711, started: '1' };
    await writeFile(path.join(target, '.listing-video.lock'), JSON.stringify(dead));
    const folder = await openOutputFolder(target);
    await folder.close();
    expect(await readdir(root)).toEqual([]);
  });

  it('describes a staged file by size and digest', async () => {
    const folder = await openOutputFolder(root);
    await writeFile(folder.stagedPath('a.txt'), 'abc');
    expect(await folder.describe('a.txt')).toEqual({
      file: 'a.txt',
      sizeBytes: 3,
      sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    });
    await folder.close();
  });

  it('is refused where a file is in the way', async () => {
    await writeFile(path.join(root, 'file'), '');
    await expect(openOutputFolder(path.join(root, 'file', 'L-1'))).rejects.toMatchObject({
      code: 'output_unwritable',
      exitCode: 3,
    });
  });

  it.skipIf(process.getuid?.() === 0)('is refused where this user cannot write', async () => {
    await chmod(root, 0o500);
    await expect(openOutputFolder(path.join(root, 'L-1'))).rejects.toMatchObject({
      code: 'output_unwritable',
    });
    await chmod(root, 0o700);
  });
});

describe.skipIf(process.platform !== 'linux')('a place that takes no folders', () => {
  it('is reported as one, not tried forever', async () => {
    await expect(openOutputFolder('/proc/no-such/L-1')).rejects.toMatchObject({ code: 'output_unwritable' });
    await expect(openWorkFolder('/proc/no-such')).rejects.toMatchObject({ code: 'store_unwritable' });
  });

  it('names --home for the working folder, which lies there', async () => {
    await writeFile(path.join(root, 'home'), 'a file');
    await expect(openWorkFolder(path.join(root, 'home'))).rejects.toMatchObject({
      code: 'store_unwritable',
      hint: expect.stringContaining('--home'),
    });
  });
});

describe('toOutputError', () => {
  it.each([
    ['ENOSPC', 'disk_full'],
    ['EDQUOT', 'disk_full'],
    ['EFBIG', 'disk_full'],
    ['EROFS', 'output_unwritable'],
    ['EACCES', 'output_unwritable'],
  ])('reads %s as %s', (code, expected) => {
    expect(toOutputError(Object.assign(new Error(code), { code }), '/videos')).toMatchObject({
      code: expected,
    });
  });

  it('leaves what it does not know', () => {
    const error = new Error('a bug');
    expect(toOutputError(error, '/videos')).toBe(error);
  });
});
