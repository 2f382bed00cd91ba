/** Temporary folders that name their owner: which of them another process removes, and what the owner notices. */
import { mkdir, readdir, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ABANDONED_AFTER_MS,
  makeOwnedFolder,
  newFolderName,
  readOwner,
  removeAbandoned,
  startHeartbeat,
  takeAndRemove,
} from '../../../src/platform/disk/owned-folder.ts';
import { systemProbe } from '../../../src/platform/disk/process-identity.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { ageFolder, disownFolder } from './foreign-owner.ts';

const TASK = '01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00';

let root: string;
beforeEach(async () => {
  root = temporaryFolder();
});
afterEach(async () => {
  vi.useRealTimers();
});

async function makeFolder(name = newFolderName(null)): Promise<string> {
  const folder = path.join(root, name);
  await makeOwnedFolder(folder);
  await writeFile(path.join(folder, 'part.mp4'), 'half');
  return folder;
}

async function remaining(): Promise<string[]> {
  await removeAbandoned(root);
  return (await readdir(root)).sort();
}

describe('the folder of an owner in another container', () => {
  it('stays while its heartbeat is younger than the lease, also when it was suspended for a minute', async () => {
    const folder = await makeFolder();
    await disownFolder(folder);
    await ageFolder(folder, 60_000);
    expect(await remaining()).toEqual([path.basename(folder)]);
  });

  it('is removed when its heartbeat is older', async () => {
    const folder = await makeFolder();
    await disownFolder(folder);
    await ageFolder(folder, ABANDONED_AFTER_MS + 1_000);
    expect(await remaining()).toEqual([]);
  });

  it('is removed at once when it was taken before, although the process that removed it died halfway', async () => {
    const folder = await makeFolder(`${newFolderName(null)}.taken`);
    await rm(path.join(folder, 'owner.json'));
    expect(await remaining()).toEqual([]);
  });

  it('is removed when its heartbeat is far in the future, because a wrong clock set it', async () => {
    const folder = await makeFolder();
    await disownFolder(folder);
    await ageFolder(folder, -2 * ABANDONED_AFTER_MS);
    expect(await remaining()).toEqual([]);
  });
});

describe('the folder of an owner in this container', () => {
  it.skipIf(process.platform !== 'linux')(
    'stays while the process lives, however old its heartbeat',
    async () => {
      const folder = await makeFolder();
      await ageFolder(folder, 1_000 * ABANDONED_AFTER_MS);
      expect(await remaining()).toEqual([path.basename(folder)]);
    },
  );

  it('is removed at once when the process is dead', async () => {
    const folder = await makeFolder();
    const dead = { ...systemProbe().self, pid: 2 ** 22 + 4711, started: '1' };
    await writeFile(path.join(folder, 'owner.json'), JSON.stringify(dead));
    expect(await remaining()).toEqual([]);
  });
});

describe('a folder without an owner', () => {
  it.each([newFolderName(null), newFolderName({ taskId: TASK, fence: 3 })])(
    'is removed by its age if this program gave it its name: %s',
    async (name) => {
      await mkdir(path.join(root, name));
      expect(await remaining()).toEqual([name]);
      const past = Date.now() / 1000 - ABANDONED_AFTER_MS / 1000 - 1;
      await utimes(path.join(root, name), past, past);
      expect(await remaining()).toEqual([]);
    },
  );

  it.each(['thesis', 'da39a3ee5e6b4b0d3255bfef95601890afd80709'])(
    'is never removed if a user can have made it: %s',
    async (name) => {
      await mkdir(path.join(root, name));
      await utimes(path.join(root, name), 0, 0);
      expect(await remaining()).toEqual([name]);
    },
  );
});

it.skipIf(process.platform === 'win32')('an owner file that is a link to a device is not read', async () => {
  const folder = path.join(root, newFolderName(null));
  await mkdir(folder);
  await symlink('/dev/zero', path.join(folder, 'owner.json'));
  expect(await readOwner(folder)).toMatchObject({ process: null });
});

describe('the owner', () => {
  const lost = () => new Error('the folder is lost');

  it('renews its heartbeat until it stops', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const folder = await makeFolder();
    const heartbeat = startHeartbeat(folder, lost);
    await ageFolder(folder, 60_000);
    vi.advanceTimersByTime(5_000);
    await vi.waitFor(async () => {
      const { mtimeMs } = await stat(path.join(folder, 'owner.json'));
      expect(Date.now() - mtimeMs).toBeLessThan(30_000);
    });
    heartbeat.stop();
    expect(vi.getTimerCount()).toBe(0);
    expect(heartbeat.lost.aborted).toBe(false);
  });

  it('notices at its next heartbeat that another process has taken the folder', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const folder = await makeFolder();
    const heartbeat = startHeartbeat(folder, lost);
    await takeAndRemove(folder);
    vi.advanceTimersByTime(5_000);
    await vi.waitFor(() => expect(heartbeat.lost.reason).toEqual(lost()));
    await expect(heartbeat.assertHeld()).rejects.toThrow('the folder is lost');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('finds out before it publishes, without waiting for a heartbeat', async () => {
    const folder = await makeFolder();
    const heartbeat = startHeartbeat(folder, lost);
    await heartbeat.assertHeld();
    await rename(folder, `${folder}.taken`);
    await expect(heartbeat.assertHeld()).rejects.toThrow('the folder is lost');
  });
});
