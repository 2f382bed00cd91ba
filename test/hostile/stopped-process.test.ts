/** A process that is stopped right before its claim counts, and goes on after another one finished the task. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createFileTaskStore } from '../../src/task/files/tasks/file-task-store.ts';
import { newTaskId } from '../../src/task/new-task-id.ts';
import { buildModule } from '../build-module.ts';

async function isStopped(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
}

it.skipIf(process.platform !== 'linux')(
  'it does not put its old record over the newer one',
  async () => {
    const home = await mkdtemp(path.join(tmpdir(), 'listing-video-stopped-'));
    // Half a minute ahead, so that the lease of the stopped process is over.
    const store = createFileTaskStore({ home, nowMs: () => Date.now() + 31_000 });
    const id = newTaskId();
    await store.create({ id, origin: 'api', organizationId: 'org', payload: 'x'.repeat(20_000) });
    const program = await buildModule('test/hostile/stop-before-commit.ts');
    const child = fork(program.path, [home, id]);
    try {
      while (!(await isStopped(child.pid!))) expect(child.exitCode).toBeNull();
      const result = await store.claim(id);
      if (result.kind !== 'claimed') throw new Error(result.kind);
      const ended = await store.settle(result.claim, { kind: 'succeeded', outcome: 'newer' }, null);
      child.kill('SIGCONT');
      const [message] = await once(child, 'message');
      expect(message).toEqual({ kind: 'refused', state: 'SUCCEEDED' });
      expect(await store.get(id)).toEqual(ended);
      expect((await store.list({ limit: 5, state: 'SUCCEEDED', organizationId: 'org' })).data).toEqual([
        ended,
      ]);
    } finally {
      child.kill('SIGKILL');
      await rm(home, { recursive: true, force: true });
      await program.remove();
    }
  },
  30_000,
);
