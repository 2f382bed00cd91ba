/** The child side of `process-handler.ts`: does one task for the server that started this process, then exits. */

import { setPriority } from 'node:os';
import { toJson } from '../../disk/json-codec.ts';
import { ListingVideoError } from '../../errors.ts';
import { toTaskFailure } from '../engine/task-failure.ts';
import type { TaskContext } from '../engine/task-handler.ts';
import type { TaskFailure, TaskProgress } from '../task.ts';
import type { RunnableTask } from '../task-store.ts';

/** A message from the server to the child process. JSON. */
export type ToTaskProcess<Payload, Outcome, Request> =
  | {
      readonly type: 'run';
      readonly task: RunnableTask<Payload, Outcome>;
      readonly attempt: number;
      /** Additional input of the handler, beyond the task. */
      readonly request: Request;
      /** A priority of `os.setPriority`. */
      readonly priority: number;
    }
  | { readonly type: 'stop' }
  /** The answer to `assert-owned`. */
  | { readonly type: 'owned'; readonly isOwned: boolean };

/** A message from the child process. JSON. The child sends exactly one `done` or `failed`, unless it dies. */
export type FromTaskProcess<Outcome, Fact> =
  | { readonly type: 'progress'; readonly progress: TaskProgress }
  | { readonly type: 'assert-owned' }
  /** A fact for the server that is not part of the outcome. */
  | { readonly type: 'fact'; readonly fact: Fact }
  | { readonly type: 'done'; readonly outcome: Outcome }
  | { readonly type: 'failed'; readonly failure: TaskFailure; readonly stack: string };

/** The input of a handler in a process, in addition to the task. */
export interface TaskProcessContext<Request, Fact> extends TaskContext {
  /** The result of `ProcessHandlerOptions.requestFor` in the server. */
  readonly request: Request;
  /** Sends a fact to the server that is not part of the outcome. */
  reportFact(fact: Fact): void;
}

/** Does the work of one task, as a `TaskHandler` does. */
export type TaskProcessHandler<Payload, Outcome, Request, Fact> = (
  task: RunnableTask<Payload, Outcome>,
  context: TaskProcessContext<Request, Fact>,
) => Promise<Outcome>;

/** Waits for the task and does it. The process exits when the task is done or the server is gone. */
export function serveTask<Payload, Outcome, Request, Fact>(
  handler: TaskProcessHandler<Payload, Outcome, Request, Fact>,
): void {
  type Run = ToTaskProcess<Payload, Outcome, Request> & { type: 'run' };
  const send = (message: FromTaskProcess<Outcome, Fact>): void => {
    process.send?.(message, undefined, undefined, () => {});
  };
  const controller = new AbortController();
  let onOwned: (isOwned: boolean) => void = () => {};
  // Without the server nothing can be published, and another process takes the task.
  process.on('disconnect', () => process.exit());
  // A service manager signals every process of a service, but the server decides when to stop.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  process.on('message', (message: ToTaskProcess<Payload, Outcome, Request>) => {
    if (message.type === 'stop')
      controller.abort(new ListingVideoError('cancelled', 'stopped by the server'));
    else if (message.type === 'owned') onOwned(message.isOwned);
    else void run(message);
  });

  async function run({ task, attempt, request, priority }: Run): Promise<void> {
    lowerPriority(priority);
    try {
      const outcome = await handler(task, {
        signal: controller.signal,
        attempt,
        fence: task.fence,
        request,
        reportProgress: (progress) => send({ type: 'progress', progress }),
        reportFact: (fact) => send({ type: 'fact', fact }),
        assertOwned,
      });
      if (toJson(outcome) === undefined) throw new TypeError('the handler returned what JSON cannot hold');
      send({ type: 'done', outcome });
    } catch (error) {
      const stack = error instanceof Error ? (error.stack ?? '') : '';
      send({ type: 'failed', failure: toTaskFailure(error), stack });
    }
  }

  async function assertOwned(): Promise<void> {
    const isOwned = await new Promise<boolean>((resolve) => {
      onOwned = resolve;
      send({ type: 'assert-owned' });
    });
    if (!isOwned) throw new ListingVideoError('lease_lost', 'another process has taken the task');
  }
}

/** Lowers the priority, if the system allows it. */
function lowerPriority(priority: number): void {
  try {
    setPriority(priority);
  } catch {
    // Without permission the work runs at the priority of the server.
  }
}
