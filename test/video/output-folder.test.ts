import { execFileSync } from 'node:child_process';
import fs, { chmod, mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { toOutputError } from '../../src/platform/disk/disk-error.ts';
import { systemProbe } from '../../src/platform/disk/process-identity.ts';
import { removeTornFolders } from '../../src/video/publish/folder-lock.ts';
import {
  describeFile,
  isIntact,
  openFolderWhenFree,
  openOutputFolder,
} from '../../src/video/publish/output-folder.ts';
import { openWorkFolder } from '../../src/video/work-folder.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import { ageFolder, disownFolder } from '../platform/disk/foreign-owner.ts';

let root: string;
beforeEach(async () => {
  root = temporaryFolder();
});

/** A run in another container that has staged `a.mp4`; this process cannot check whether it lives. */
async function openForeign(target: string, content: string) {
  const folder = await openOutputFolder(target);
  const staging = path.dirname(folder.stagedPath('a.mp4'));
  await writeFile(folder.stagedPath('a.mp4'), content);
  await disownFolder(staging);
  return { folder, staging };
}

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
    const owned = path.join(target, '.listing-video.lock', '0123456789abcdef');
    await mkdir(path.join(target, '.listing-video.lock-fedcba9876543210'), { recursive: true });
    await mkdir(owned, { recursive: true });
    const dead = { ...systemProbe().self, pid: 2 ** 22 + 4711, started: '1' };
    await writeFile(path.join(owned, 'owner.json'), JSON.stringify(dead));
    const folder = await openOutputFolder(target);
    await folder.close();
    expect(await readdir(root)).toEqual([]);
  });

  it('takes over from a killed run of another container once its heartbeat is old, and removes what it staged', async () => {
    const target = path.join(root, 'L-1');
    const killed = await openForeign(target, 'half');
    await ageFolder(killed.staging, 29_000);
    await expect(openOutputFolder(target)).rejects.toMatchObject({
      code: 'output_locked',
      message: expect.stringContaining('another container or machine (other-container)'),
      hint: expect.stringContaining('30 seconds'),
    });
    await ageFolder(killed.staging, 31_000);
    const folder = await openOutputFolder(target);
    await writeFile(folder.stagedPath('a.mp4'), 'video');
    await folder.publish(['a.mp4']);
    await folder.close();
    expect(await readdir(target)).toEqual(['a.mp4']);
  });

  it('publishes nothing and frees nothing after another process took over', async () => {
    const target = path.join(root, 'L-1');
    const suspended = await openForeign(target, 'late');
    await ageFolder(suspended.staging, 31_000);
    const next = await openOutputFolder(target);
    await expect(suspended.folder.publish(['a.mp4'])).rejects.toMatchObject({
      code: 'output_locked',
      hint: expect.stringContaining('did not respond'),
    });
    expect(suspended.folder.lost.aborted).toBe(true);
    await suspended.folder.close();
    await expect(openOutputFolder(target)).rejects.toMatchObject({ code: 'output_locked' });
    await writeFile(next.stagedPath('a.mp4'), 'video');
    await next.publish(['a.mp4']);
    await next.close();
    expect(await readdir(target)).toEqual(['a.mp4']);
    expect(await readFile(path.join(target, 'a.mp4'), 'utf8')).toBe('video');
  });

  it('has one owner when many runs want the lock of a dead one at the same time', async () => {
    const target = path.join(root, 'L-1');
    for (let round = 0; round < 20; round += 1) {
      const killed = await openForeign(target, 'half');
      await ageFolder(killed.staging, 31_000);
      const opens = await Promise.allSettled(Array.from({ length: 8 }, () => openOutputFolder(target)));
      const owners = opens.flatMap((open) => (open.status === 'fulfilled' ? [open.value] : []));
      expect(owners).toHaveLength(1);
      const refusals = opens.flatMap((open) => (open.status === 'rejected' ? [open.reason.code] : []));
      expect(refusals).toEqual(Array(7).fill('output_locked'));
      await owners[0]?.assertHeld();
      await owners[0]?.close();
      await killed.folder.close();
      expect(await readdir(root)).toEqual([]);
    }
  });

  it.each(['a run', 'a sweep'])(
    'removes a link in place of the lock, and nothing that it leads to: %s',
    async (what) => {
      const target = path.join(root, 'out', 'L-1');
      const precious = path.join(root, 'precious');
      await mkdir(path.join(precious, 'photos'), { recursive: true });
      await utimes(path.join(precious, 'photos'), 1, 1);
      await mkdir(target, { recursive: true });
      await symlink(precious, path.join(target, '.listing-video.lock'));
      if (what === 'a run') await (await openOutputFolder(target)).close();
      else await removeTornFolders(path.dirname(target));
      expect(await readdir(precious)).toEqual(['photos']);
      expect(await readdir(path.dirname(target))).toEqual(what === 'a run' ? [] : ['L-1']);
    },
  );

  it('is swept with all others below --out when their runs were killed; results and living runs stay', async () => {
    const killed = await openForeign(path.join(root, 'killed'), 'half');
    const again = await openForeign(path.join(root, 'killed-again'), 'half');
    await writeFile(path.join(root, 'killed-again', 'a.mp4'), 'earlier');
    for (const { staging } of [killed, again]) await ageFolder(staging, 31_000);
    const alive = await openForeign(path.join(root, 'alive'), 'half');
    await mkdir(path.join(root, 'empty'));
    await removeTornFolders(root);
    expect((await readdir(root)).sort()).toEqual(['alive', 'empty', 'killed-again']);
    expect(await readdir(path.join(root, 'killed-again'))).toEqual(['a.mp4']);
    await alive.folder.assertHeld();
    for (const { folder } of [killed, again, alive]) await folder.close();
    await removeTornFolders(path.join(root, 'not-there'));
  });

  it('flushes every folder that it makes, and the one above the results', async () => {
    const flushed = vi.spyOn(fs, 'open');
    const target = path.join(root, 'new', 'out', 'L-1');
    const folder = await openOutputFolder(target);
    const parents = [path.join(root, 'new', 'out'), path.join(root, 'new'), root];
    expect(flushed.mock.calls.map(([file]) => file)).toEqual(expect.arrayContaining(parents));
    flushed.mockClear();
    await writeFile(folder.stagedPath('a.mp4'), 'video');
    await folder.publish(['a.mp4']);
    expect(flushed.mock.calls.map(([file]) => file)).toEqual([target, path.dirname(target)]);
    await folder.close();
  });

  it('describes a staged file by size and digest', async () => {
    const folder = await openOutputFolder(root);
    await writeFile(folder.stagedPath('a.txt'), 'abc');
    expect(await folder.describe('a.txt')).toEqual({
      file: 'a.txt',
      size_bytes: 3,
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
    for (const folder of [path.join(root, 'L-1'), root]) {
      await expect(openOutputFolder(folder)).rejects.toMatchObject({ code: 'output_unwritable' });
    }
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

it('a published file is no longer intact when its content changed, or a named pipe stands in its place', async () => {
  const file = path.join(root, 'a.mp4');
  await writeFile(file, 'video');
  const described = await describeFile(file);
  expect(await isIntact(described, root)).toBe(true);
  await writeFile(file, 'other');
  expect(await isIntact(described, root)).toBe(false);
  await rm(file);
  execFileSync('mkfifo', [file]);
  expect(await isIntact(described, root)).toBe(false);
});

it('a folder that another run holds is opened when that run ends', async () => {
  const first = await openOutputFolder(root);
  let waits = 0;
  const onWait = (): void => {
    waits += 1;
    void first.close();
  };
  const second = await openFolderWhenFree(root, null, { signal: new AbortController().signal, onWait });
  expect(waits).toBe(1);
  await expect(second.assertHeld()).resolves.toBeUndefined();
  await second.close();
});

it('a wait ends with its signal, and the other run keeps the folder', async () => {
  const first = await openOutputFolder(root);
  const controller = new AbortController();
  const onWait = (): void => controller.abort(new Error('interrupted'));
  await expect(openFolderWhenFree(root, null, { signal: controller.signal, onWait })).rejects.toThrow(
    'interrupted',
  );
  await expect(first.assertHeld()).resolves.toBeUndefined();
  await first.close();
});
