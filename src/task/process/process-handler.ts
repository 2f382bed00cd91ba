/**
 * A task handler that works in a child process at a lower priority. Requests do not wait for the work, and a crash of
 * the work does not affect the server.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ListingVideoError } from '../../platform/errors.ts';
import { ProcessDeath, toListingVideoError } from '../engine/task-failure.ts';
import { BATCH_DONE, type TaskContext, type TaskHandler, type TaskLogger } from '../engine/task-handler.ts';
import type { WorkSlot } from '../engine/work-slots.ts';
import type { RunnableTask } from '../task-store.ts';
import {
  type Answer,
  type FromTaskProcess,
  type Question,
  SERVER_LOST_EXIT_CODE,
  type ToTaskProcess,
} from './serve-task.ts';

/** `Request` and `Fact` cross a process boundary, so they must be JSON. */
export interface ProcessHandlerOptions<Payload, Outcome, Request, Fact> {
  /** A plain `.js` file that calls `serveTask`. */
  readonly entry: URL;
  /** Environment of the process and of those that it starts. */
  readonly env: () => Readonly<Record<string, string | undefined>>;
  /** Makes the additional input of the handler in the process. */
  readonly requestFor: (task: RunnableTask<Payload, Outcome>) => Promise<Request>;
  /** Receives the facts that the handler reports, in addition to progress and outcome. */
  readonly onFact: (fact: Fact) => void;
  readonly logger: TaskLogger;
  /**
   * Added to the niceness of the server, 0 to 19. Default 5: the server goes first, and on a busy machine the work gets
   * a third of the CPU time of the server. At 10 it gets a tenth, and a video takes minutes.
   */
  readonly addedNiceness?: number;
  /** Time that a process has to stop before it is killed. Default 5,000. */
  readonly killAfterMs?: number;
  /**
   * The process ends when it has heard nothing of its server for this time. Default 25,000: longer than a call of the
   * store takes that gets no answer.
   */
  readonly silenceMs?: number;
}

const STDERR_TAIL_CHARS = 4_000;

/**
 * Makes a handler that starts a new process for each attempt.
 *
 * It rejects with {@link ProcessDeath} if the process died at its work, and with `unavailable` if it could not begin,
 * or ended because this server was stopped for too long: then the machine is at fault.
 */
export function createProcessHandler<Payload, Outcome, Request, Fact>(
  options: ProcessHandlerOptions<Payload, Outcome, Request, Fact>,
): TaskHandler<Payload, Outcome> {
  return async (task, context) => {
    const request = await options.requestFor(task);
    context.signal.throwIfAborted();
    return runOnce(task, request, context, options);
  };
}

function runOnce<Payload, Outcome, Request, Fact>(
  task: RunnableTask<Payload, Outcome>,
  request: Request,
  context: TaskContext,
  options: ProcessHandlerOptions<Payload, Outcome, Request, Fact>,
): Promise<Outcome | typeof BATCH_DONE> {
  const { entry, env, onFact, logger, addedNiceness = 5, killAfterMs = 5_000, silenceMs = 25_000 } = options;
  // Detached from the terminal, because the server handles Ctrl-C and lets tasks end first.
  const child = fork(fileURLToPath(entry), [], {
    execArgv: [],
    env: env(),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    detached: process.platform !== 'win32',
  });
  const send = (message: ToTaskProcess<Payload, Outcome, Request>): void => {
    // The event 'exit' reports a closed channel, so the error is ignored here.
    child.send(message, () => {});
  };
  let stderr = '';
  let hasBegun = false;
  let slot: WorkSlot | null = null;
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_TAIL_CHARS);
  });
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let isOver = false;
    const stop = (): void => {
      send({ type: 'stop' });
      timer = setTimeout(() => killGroup(child), killAfterMs);
    };
    const end = (how: () => void): void => {
      if (isOver) return;
      isOver = true;
      context.signal.removeEventListener('abort', stop);
      how();
    };
    const fail = (error: unknown, warning?: string, facts?: object): void =>
      end(() => {
        if (warning !== undefined) logger.warn(warning, { task: task.id, ...facts });
        reject(error);
      });
    const answer = async (question: Question): Promise<Answer> => {
      const { division } = context;
      switch (question.ask) {
        case 'take-slot':
          slot = await context.takeSlot();
          return slot.hasWaited;
        case 'assert-owned':
          return context.assertOwned().then(
            () => true,
            () => false,
          );
        case 'count-idle':
          return division?.countIdle() ?? 0;
        case 'divide':
          return division?.divide(question.batches) ?? false;
        case 'end-batch':
          // The engine stops an attempt that is lost. A store that is away was waited for.
          return division?.endBatch().catch(() => null) ?? null;
      }
    };
    child.on('message', (message: FromTaskProcess<Outcome, Fact>) => {
      switch (message.type) {
        case 'begun':
          hasBegun = true;
          return;
        case 'progress':
          return context.reportProgress(message.progress);
        case 'life':
          return context.reportLiveness();
        case 'question':
          // After an abort the process is stopped, and gets no slot.
          return void answer(message.question).then(
            (value) => send({ type: 'answer', to: message.question.ask, answer: value }),
            () => {},
          );
        case 'release-slot':
          return slot?.release();
        case 'fact':
          return onFact(message.fact);
        case 'batch-done':
          disconnect(child);
          return end(() => resolve(BATCH_DONE));
        case 'done':
          disconnect(child);
          return end(() => resolve(message.outcome));
        case 'failed':
          disconnect(child);
          return fail(toListingVideoError(message.failure, message.stack));
        case 'died':
          disconnect(child);
          return fail(
            new ProcessDeath('a process of the task died', message.detail),
            'a process of a task was killed',
            message.detail,
          );
      }
    });
    const die = (exitCode: number | null, signal: string | null): void => {
      clearTimeout(timer);
      const facts = { exitCode, signal, stderr };
      // The process stopped because of the signal, whose reason is the error.
      if (context.signal.aborted) fail(context.signal.reason);
      else fail(deathError(facts, hasBegun), 'the process that did a task died', facts);
    };
    child.once('exit', die);
    child.on('error', (error) => {
      if (child.pid !== undefined) return;
      stderr = error.message;
      die(null, null);
    });
    context.signal.addEventListener('abort', stop, { once: true });
    context.onHeld(() => send({ type: 'held' }));
    const batch = context.division?.batch;
    send({ type: 'run', task, attempt: context.attempt, request, addedNiceness, silenceMs, batch });
    if (context.signal.aborted) stop();
  });
}

/** Closes the channel, which makes the child exit. */
function disconnect(child: ChildProcess): void {
  if (child.connected) child.disconnect();
}

/** Kills the child with the processes that it started, such as ffmpeg. */
function killGroup(child: ChildProcess): void {
  try {
    if (process.platform !== 'win32' && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // It has just ended.
  }
}

interface DeathFacts {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stderr: string;
}

/** @param hasBegun - It received the task. */
function deathError(facts: DeathFacts, hasBegun: boolean): Error {
  const unavailable = (message: string) =>
    new ListingVideoError('unavailable', message, { context: { ...facts } });
  if (facts.exitCode === SERVER_LOST_EXIT_CODE) return unavailable('this server was stopped for too long');
  if (!hasBegun) return unavailable('the process for a task could not be started');
  return new ProcessDeath('the process that did the task died', { ...facts });
}
