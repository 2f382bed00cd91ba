/**
 * A task handler whose work is done in a process of its own, so that whoever asks the server never waits for the work,
 * and nothing that happens to the work happens to the server. It runs at a lower priority, with all it starts.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ListingVideoError } from '../../errors.ts';
import { toListingVideoError } from '../engine/task-failure.ts';
import type { TaskContext, TaskHandler, TaskLogger } from '../engine/task-handler.ts';
import type { JsonValue, TaskRecord } from '../task.ts';
import type { FromTaskProcess, ToTaskProcess } from './process-protocol.ts';

export interface ProcessHandlerOptions {
  /** A plain `.js` file that leads to `serveTask`. */
  readonly entry: URL;
  /** What the handler in the process needs to know besides the task. */
  readonly orderFor: (task: TaskRecord) => Promise<JsonValue>;
  /** What it tells besides the outcome. */
  readonly onFact: (fact: JsonValue) => void;
  readonly logger: TaskLogger;
  /**
   * As `os.setPriority` has it; default 5: the server goes first, and on a busy machine the work still gets a third of what
   * others get (at 10 it gets a tenth, and a video takes minutes).
   */
  readonly priority?: number;
  /** A process that was told to stop is killed after so long. */
  readonly killAfterMs?: number;
}

/** Processes that one attempt may lose: one may be the victim of others, several fall to the task itself. */
const MAX_STARTS = 3;
const STDERR_TAIL_CHARS = 4_000;

/** Each task gets a fresh process: none grows old. */
export function createProcessHandler(options: ProcessHandlerOptions): TaskHandler {
  return async (task, context) => {
    const order = await options.orderFor(task);
    for (let start = 1; ; start++) {
      context.signal.throwIfAborted();
      const end = await runOnce(task, order, context, options);
      if (end.type === 'done') return end.outcome;
      if (end.type === 'failed') throw end.error;
      options.logger.warn('the process that did a task died', { task: task.id, start, ...end.facts });
      if (start === MAX_STARTS) throw processLost(end.facts);
    }
  };
}

type End =
  | { readonly type: 'done'; readonly outcome: JsonValue }
  | { readonly type: 'failed'; readonly error: unknown }
  | { readonly type: 'died'; readonly facts: DeathFacts };

interface DeathFacts {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stderr: string;
}

function runOnce(
  task: TaskRecord,
  order: JsonValue,
  context: TaskContext,
  { entry, onFact, priority = 5, killAfterMs = 5_000 }: ProcessHandlerOptions,
): Promise<End> {
  // Out of the terminal's reach: Ctrl-C there is the server's to deal with, which lets tasks end first.
  const child = fork(fileURLToPath(entry), [], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    detached: process.platform !== 'win32',
  });
  const send = (message: ToTaskProcess): void => {
    // A closed channel is told by 'exit'; the error here would only repeat it.
    child.send(message, () => {});
  };
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_TAIL_CHARS);
  });
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const stop = (): void => {
      send({ type: 'stop' });
      timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    };
    const end = (how: End): void => {
      context.signal.removeEventListener('abort', stop);
      resolve(how);
    };
    child.on('message', (message: FromTaskProcess) => {
      switch (message.type) {
        case 'progress':
          return context.reportProgress(message.progress);
        case 'fact':
          return onFact(message.fact);
        case 'assert-owned':
          return void context.assertOwned().then(
            () => send({ type: 'owned', isOwned: true }),
            () => send({ type: 'owned', isOwned: false }),
          );
        case 'done':
          letGo(child);
          return end(message);
        case 'failed':
          letGo(child);
          return end({ type: 'failed', error: toListingVideoError(message.failure, message.stack) });
      }
    });
    const die = (exitCode: number | null, signal: string | null): void => {
      clearTimeout(timer);
      // Told to stop, it has stopped: why is the signal's to say.
      if (context.signal.aborted) end({ type: 'failed', error: context.signal.reason });
      else end({ type: 'died', facts: { exitCode, signal, stderr } });
    };
    child.once('exit', die);
    child.on('error', (error) => {
      if (child.pid !== undefined) return;
      stderr = error.message;
      die(null, null);
    });
    context.signal.addEventListener('abort', stop, { once: true });
    send({ type: 'run', task, attempt: context.attempt, order, priority });
    if (context.signal.aborted) stop();
  });
}

/** It ends when nobody listens to it any more. */
function letGo(child: ChildProcess): void {
  if (child.connected) child.disconnect();
}

function processLost({ exitCode, signal, stderr }: DeathFacts): ListingVideoError {
  const how = signal === null ? `exit code ${exitCode}` : `signal ${signal}`;
  return new ListingVideoError(
    'internal_error',
    `the process that did the task ended ${MAX_STARTS} times (${how})`,
    {
      hint: 'It may have run out of memory.',
      context: { detail: stderr },
    },
  );
}
