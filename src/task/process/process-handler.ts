/**
 * A task handler that works in a child process at a lower priority: requests never wait for the work, and a crash of the
 * work leaves the server alone.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ListingVideoError } from '../../errors.ts';
import { toListingVideoError } from '../engine/task-failure.ts';
import type { TaskContext, TaskHandler, TaskLogger } from '../engine/task-handler.ts';
import type { RunnableTask } from '../task-store.ts';
import type { FromTaskProcess, ToTaskProcess } from './process-protocol.ts';

/** `Request` and `Fact` cross a process boundary: they must be JSON. */
export interface ProcessHandlerOptions<Payload, Outcome, Request, Fact> {
  /** A plain `.js` file that leads to `serveTask`. */
  readonly entry: URL;
  /** What the handler in the process needs to know beyond the task. */
  readonly requestFor: (task: RunnableTask<Payload, Outcome>) => Promise<Request>;
  /** What it reports beyond progress and outcome. */
  readonly onFact: (fact: Fact) => void;
  readonly logger: TaskLogger;
  /**
   * As `os.setPriority` has it; default 5: the server goes first, and on a busy machine the work still gets a third of what
   * others get (at 10 it gets a tenth, and a video takes minutes).
   */
  readonly priority?: number;
  /** How long a process can take to stop before it is killed. Default 5 s. */
  readonly killAfterMs?: number;
}

/** Processes that one attempt can lose: a single death can be the fault of another program, three are the task's. */
const MAX_STARTS = 3;
const STDERR_TAIL_CHARS = 4_000;

/** Each task gets a fresh process: none grows old. */
export function createProcessHandler<Payload, Outcome, Request, Fact>(
  options: ProcessHandlerOptions<Payload, Outcome, Request, Fact>,
): TaskHandler<Payload, Outcome> {
  return async (task, context) => {
    const request = await options.requestFor(task);
    for (let start = 1; ; start++) {
      context.signal.throwIfAborted();
      const end = await runOnce(task, request, context, options);
      if (end.type === 'done') return end.outcome;
      if (end.type === 'failed') throw end.error;
      options.logger.warn('the process that did a task died', { task: task.id, start, ...end.facts });
      if (start === MAX_STARTS) throw processLost(end.facts);
    }
  };
}

type End<Outcome> =
  | { readonly type: 'done'; readonly outcome: Outcome }
  | { readonly type: 'failed'; readonly error: unknown }
  | { readonly type: 'died'; readonly facts: DeathFacts };

interface DeathFacts {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stderr: string;
}

function runOnce<Payload, Outcome, Request, Fact>(
  task: RunnableTask<Payload, Outcome>,
  request: Request,
  context: TaskContext,
  {
    entry,
    onFact,
    priority = 5,
    killAfterMs = 5_000,
  }: ProcessHandlerOptions<Payload, Outcome, Request, Fact>,
): Promise<End<Outcome>> {
  // Detached from the terminal: the server handles Ctrl-C, and lets tasks end first.
  const child = fork(fileURLToPath(entry), [], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    detached: process.platform !== 'win32',
  });
  const send = (message: ToTaskProcess<Payload, Outcome, Request>): void => {
    // 'exit' reports a closed channel; the error here would only repeat it.
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
    const end = (how: End<Outcome>): void => {
      context.signal.removeEventListener('abort', stop);
      resolve(how);
    };
    child.on('message', (message: FromTaskProcess<Outcome, Fact>) => {
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
      // It stopped because of the signal, which carries the reason.
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
    send({ type: 'run', task, attempt: context.attempt, request, priority });
    if (context.signal.aborted) stop();
  });
}

/** The child ends when its channel closes. */
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
