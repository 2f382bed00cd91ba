/** The files of a server's tasks: each attempt has its own, and the outcome decides which of them stay. */
import { existsSync } from 'node:fs';
import fs, { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ABANDONED_AFTER_MS } from '../../src/platform/disk/owned-folder.ts';
import { createFileStorage, type FileStorage } from '../../src/video/publish/file-storage.ts';
import { openWorkFolder } from '../../src/video/work-folder.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import { ageFolder, disownFolder } from '../platform/disk/foreign-owner.ts';

const OWNER = { organizationId: 'org_a', taskId: '01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00' };
const NAMES = ['a.mp4', 'report.json'];
const owned = async () => {};
const lost = async () => {
  throw new Error('another process has taken the task');
};

let home: string;
let files: FileStorage;
let task: string;
beforeEach(async () => {
  home = temporaryFolder();
  files = createFileStorage(home);
  task = files.folderOf(OWNER);
});

async function stage(fence: number, assertOwned = owned) {
  const folder = await files.openAttempt(OWNER, fence, assertOwned);
  for (const name of NAMES) await writeFile(folder.stagedPath(name), `attempt ${fence}`);
  return folder;
}

async function publish(fence: number): Promise<void> {
  const folder = await stage(fence);
  await folder.publish(NAMES);
  await folder.close();
}

const staged = () => readdir(path.join(home, 'files', '.staging'));
const reportOf = (fence: number) => path.join(task, String(fence), 'report.json');

describe('an attempt', () => {
  it('publishes all its files at once, without those that it does not name, and leaves nothing else', async () => {
    const folder = await stage(1);
    await writeFile(folder.stagedPath('pass.log'), '');
    expect(existsSync(task)).toBe(false);
    await folder.publish(NAMES);
    await folder.close();
    expect(folder.path).toBe(path.join(task, '1'));
    expect((await readdir(folder.path)).sort()).toEqual(NAMES);
    expect(await staged()).toEqual([]);
  });

  it('needs no lock, and changes no file of another attempt', async () => {
    const first = await stage(1);
    const second = await stage(3);
    await second.publish(NAMES);
    await first.publish(NAMES);
    for (const folder of [first, second]) await folder.close();
    for (const fence of [1, 3]) expect(await readFile(reportOf(fence), 'utf8')).toBe(`attempt ${fence}`);
  });

  it('that fails leaves nothing', async () => {
    await (await stage(1)).close();
    expect(existsSync(task)).toBe(false);
    expect(await staged()).toEqual([]);
  });

  it('removes its files if another process took the task while it published them', async () => {
    const folder = await stage(1, lost);
    await expect(folder.publish(NAMES)).rejects.toThrow('another process has taken the task');
    await folder.close();
    expect(existsSync(reportOf(1))).toBe(false);
  });

  it('replaces files of the same number, which a restored backup of the task store uses again', async () => {
    await publish(1);
    await writeFile(path.join(task, '1', 'old.mp4'), 'before the restore');
    await publish(1);
    expect((await readdir(path.join(task, '1'))).sort()).toEqual(NAMES);
  });

  it('flushes its folder and every parent up to the root of all files', async () => {
    const folder = await stage(1);
    const opened = vi.spyOn(fs, 'open');
    await folder.publish(NAMES);
    await folder.close();
    const parents = [task, path.dirname(task), files.root];
    expect(opened.mock.calls.map(([file]) => file)).toEqual(expect.arrayContaining(parents));
  });

  it('fails when its staged files were removed while it was suspended, and publishes nothing', async () => {
    const folder = await stage(1);
    await age(folder.stagedPath('a.mp4'), ABANDONED_AFTER_MS + 1_000);
    await files.removeAbandoned();
    await expect(folder.publish(NAMES)).rejects.toMatchObject({ code: 'output_unwritable' });
    expect(folder.lost.aborted).toBe(true);
    await folder.close();
    expect(existsSync(task)).toBe(false);
  });
});

describe('staged files of another container', () => {
  it('are removed by the next attempt once their heartbeat is old, and not before', async () => {
    const killed = await stage(1);
    await age(killed.stagedPath('a.mp4'), ABANDONED_AFTER_MS - 60_000);
    await publish(3);
    expect(await staged()).toHaveLength(1);
    await age(killed.stagedPath('a.mp4'), ABANDONED_AFTER_MS + 1_000);
    await publish(5);
    expect(await staged()).toEqual([]);
    await killed.close();
  });
});

describe('when the task has ended', () => {
  it('only the files of its outcome stay', async () => {
    for (const fence of [1, 3, 5]) await publish(fence);
    await files.removeUnused({ ...OWNER, fence: 6, report: reportOf(3) });
    expect(await readdir(task)).toEqual(['3']);
  });

  it('without an outcome nothing stays', async () => {
    for (const fence of [1, 3]) await publish(fence);
    await files.removeUnused({ ...OWNER, fence: 4, report: null });
    expect(existsSync(task)).toBe(false);
  });

  it('what its killed attempts left half made goes, also of another machine, and what a later retry makes stays', async () => {
    const works = await Promise.all(
      [1, 7].map((fence) => openWorkFolder(home, { taskId: OWNER.taskId, fence })),
    );
    const other = await openWorkFolder(home, { taskId: OWNER.taskId.replace('0', '1'), fence: 1 });
    const stages = await Promise.all([1, 7].map((fence) => stage(fence)));
    await disownFolder(works[0]!.path);
    await disownFolder(path.dirname(path.dirname(stages[0]!.stagedPath('a.mp4'))));
    await files.removeUnused({ ...OWNER, fence: 4, report: null });
    expect([works[0], works[1], other].map((folder) => existsSync(folder!.path))).toEqual([
      false,
      true,
      true,
    ]);
    expect((await staged()).map((name) => name.split('-').at(-2))).toEqual(['7']);
    for (const folder of [...works, other, ...stages]) await folder.close();
  });

  it('the files of a later retry stay', async () => {
    for (const fence of [1, 7]) await publish(fence);
    await files.removeUnused({ ...OWNER, fence: 4, report: null });
    expect(await readdir(task)).toEqual(['7']);
  });
});

/** Makes the staging folder of a file one of another container, with a heartbeat of this age. */
async function age(stagedFile: string, ageMs: number): Promise<void> {
  const folder = path.dirname(path.dirname(stagedFile));
  await disownFolder(folder);
  await ageFolder(folder, ageMs);
}
