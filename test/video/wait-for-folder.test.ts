/** Waiting for an output folder that another run writes. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openOutputFolder } from '../../src/video/publish/output-folder.ts';
import { openFolderWhenFree } from '../../src/video/publish/wait-for-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'wait-for-folder-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('a folder that another run holds is opened when that run ends', async () => {
  const first = await openOutputFolder(folder);
  let waits = 0;
  const onWait = (): void => {
    waits += 1;
    void first.close();
  };
  const second = await openFolderWhenFree(folder, null, { signal: new AbortController().signal, onWait });
  expect(waits).toBe(1);
  await expect(second.assertHeld()).resolves.toBeUndefined();
  await second.close();
});

it('a wait ends with its signal, and the other run keeps the folder', async () => {
  const first = await openOutputFolder(folder);
  const controller = new AbortController();
  const onWait = (): void => controller.abort(new Error('interrupted'));
  await expect(openFolderWhenFree(folder, null, { signal: controller.signal, onWait })).rejects.toThrow(
    'interrupted',
  );
  await expect(first.assertHeld()).resolves.toBeUndefined();
  await first.close();
});
