/** Atomic writes and shared flushes. */
import fs from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { writeFileAtomically } from '../../../src/platform/disk/atomic-write.ts';
import { flushFolder, makeFolder } from '../../../src/platform/disk/folder.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
});

describe('writeFileAtomically', () => {
  it('replaces the file when it is refused nothing, and leaves it alone when it is', async () => {
    const path = join(folder, 'a.json');
    await writeFileAtomically(path, 'one', { durable: true });
    const refusing = writeFileAtomically(path, 'two', {
      durable: true,
      beforeRename: async () => {
        expect(await fs.readdir(folder)).toHaveLength(2);
        throw new Error('refused');
      },
    });
    await expect(refusing).rejects.toThrow('refused');
    expect(await fs.readFile(path, 'utf8')).toBe('one');
    expect(await fs.readdir(folder)).toEqual(['a.json']);
  });

  it('survives many writers of one file', async () => {
    const path = join(folder, 'a.json');
    const texts = Array.from({ length: 20 }, (_, n) => String(n).repeat(10_000));
    await Promise.all(texts.map((text) => writeFileAtomically(path, text, { durable: false })));
    expect(texts).toContain(await fs.readFile(path, 'utf8'));
    expect(await fs.readdir(folder)).toEqual(['a.json']);
  });
});

describe('flushFolder', () => {
  it('shares a flush among those who come while one runs, and never the one that runs', async () => {
    const opens = vi.spyOn(fs, 'open');
    const first = flushFolder(folder);
    const later = [flushFolder(folder), flushFolder(folder), flushFolder(folder)];
    await Promise.all([first, ...later]);
    expect(opens).toHaveBeenCalledTimes(process.platform === 'win32' ? 0 : 2);
    await flushFolder(folder);
    expect(opens).toHaveBeenCalledTimes(process.platform === 'win32' ? 0 : 3);
  });

  it('has nothing to do for a folder that is gone, and fails for those who waited when the disk does', async () => {
    await flushFolder(join(folder, 'gone'));
    vi.spyOn(fs, 'open').mockRejectedValue(Object.assign(new Error('broken'), { code: 'EIO' }));
    const results = await Promise.allSettled([flushFolder(folder), flushFolder(folder)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});

describe('makeFolder', () => {
  it('makes what is missing, together with others who do', async () => {
    const path = join(folder, 'a', 'b', 'c');
    await Promise.all([
      makeFolder(path, true),
      makeFolder(path, true),
      makeFolder(join(folder, 'a', 'd'), false),
    ]);
    expect((await fs.readdir(join(folder, 'a'))).sort()).toEqual(['b', 'd']);
    await makeFolder(path, true);
    await fs.writeFile(join(folder, 'file'), '');
    await expect(makeFolder(join(folder, 'file', 'x'), false)).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  it.skipIf(process.platform === 'win32')('makes it for its owner alone by default', async () => {
    const modeOf = async (path: string) => ((await fs.stat(path)).mode & 0o777).toString(8);
    await makeFolder(join(folder, 'home', 'tasks'), false);
    expect([await modeOf(join(folder, 'home')), await modeOf(join(folder, 'home', 'tasks'))]).toEqual([
      '700',
      '700',
    ]);
    await makeFolder(join(folder, 'out', 'spring'), false, 0o777);
    const usual = (0o777 & ~process.umask()).toString(8);
    expect([await modeOf(join(folder, 'out')), await modeOf(join(folder, 'out', 'spring'))]).toEqual([
      usual,
      usual,
    ]);
    // An existing folder keeps its rights.
    await makeFolder(join(folder, 'out'), false);
    expect(await modeOf(join(folder, 'out'))).toBe(usual);
  });

  it.skipIf(process.platform !== 'linux')('gives up where a parent exists but takes no folders', async () => {
    await expect(makeFolder('/proc/no-such/deep', false)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
