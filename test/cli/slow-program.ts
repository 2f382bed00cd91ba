/**
 * The program in a process of its own, over a handler that renders until it is told to stop (`obedient`), for ever
 * (`deaf`), or with a thread inside a system call that does not return (`stuck`): for tests of signals. They build it
 * first: what compiles TypeScript on the fly is a process of its own, which a Ctrl-C of the terminal would end too.
 */
import { execFileSync } from 'node:child_process';
import { open } from 'node:fs/promises';
import { main } from '../../src/cli/main.ts';
import { createTaskEngine } from '../../src/task/engine/task-engine.ts';
import type { TaskHandler } from '../../src/task/engine/task-handler.ts';
import { createFileTaskStore } from '../../src/task/files/tasks/file-task-store.ts';
import type { Backend } from '../../src/wiring/backend.ts';

const mode = process.argv[2];
process.argv.splice(2, 1);

const handler: TaskHandler = async (_task, { signal, reportProgress }) => {
  if (mode === 'stuck') {
    execFileSync('mkfifo', ['pipe']);
    void open('pipe', 'r');
  }
  reportProgress({ percent: 10, stage: 'render', etaSeconds: null });
  const keepAlive = setInterval(() => {}, 1000);
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      if (mode !== 'obedient') {
        process.stderr.write('the handler was asked to stop\n');
        return;
      }
      clearInterval(keepAlive);
      reject(signal.reason);
    });
  });
};

await main({
  openBackend: async ({ home }, { logger }) => {
    const store = createFileTaskStore({ home });
    return {
      engine: createTaskEngine({ store, handler, logger }),
      store,
      tasksAtOnce: 1,
      templateIds: async () => ['classic'],
      describe: async () => {
        throw new Error('not asked for here');
      },
      close: async () => {},
    } as unknown as Backend;
  },
});
