/** What a test file leaves behind is found under its name, and removed when the test runner ends, whatever ends it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { findFiles, findProcesses, findStrayProcesses, TSX_CACHE } from './find-leftovers.ts';
import { temporaryFolder } from './temporary-folder.ts';

const isLinux = process.platform === 'linux';
const REMOVER = fileURLToPath(new URL('./remove-leftovers.ts', import.meta.url));

it.runIf(isLinux)('names what is left, and removes it when the runner is gone', async () => {
  const root = realpathSync(temporaryFolder());
  const folder = path.join(root, 'cli-create.test.ts');
  mkdirSync(path.join(folder, TSX_CACHE), { recursive: true });
  writeFileSync(path.join(folder, 'left.json'), '');
  const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6); console.log("started")'], {
    env: { TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(left.stdout, 'data');
  const ended = once(left, 'exit');

  expect(findFiles(root)).toEqual([{ testFile: 'cli-create.test.ts', what: path.join(folder, 'left.json') }]);
  expect(findProcesses(root)).toEqual([
    { testFile: 'cli-create.test.ts', what: expect.stringContaining('setInterval'), pid: left.pid },
  ]);
  expect(await findStrayProcesses(root, 0)).toHaveLength(1);

  const remover = spawn(process.execPath, ['--import', 'tsx', REMOVER, root], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const removed = once(remover, 'exit');
  remover.stdin.end();
  expect(await ended).toEqual([null, 'SIGKILL']);
  await removed;
  expect(existsSync(root)).toBe(false);
});

it.runIf(isLinux)('gives a process that is about to end the time to do so', async () => {
  const root = realpathSync(temporaryFolder());
  const ending = spawn(process.execPath, ['-e', 'process.stdin.resume(); console.log("started")'], {
    env: { TMPDIR: path.join(root, 'cli-create.test.ts') },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(ending.stdout, 'data');

  const strays = findStrayProcesses(root);
  ending.stdin.end();
  expect(await strays).toEqual([]);
});
