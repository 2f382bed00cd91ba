/** The other end of `process-handler.ts`: does one task for the server that started this process, and ends. */

import { setPriority } from 'node:os';
import { toJson } from '../../disk/json-codec.ts';
import { ListingVideoError } from '../../errors.ts';
import { toTaskFailure } from '../engine/task-failure.ts';
import type { TaskContext } from '../engine/task-handler.ts';
import type { RunnableTask } from '../task-store.ts';
import type { FromTaskProcess, ToTaskProcess } from './process-protocol.ts';

/** What a handler in a process gets beyond the task. */
export interface TaskProcessContext<Request, Fact> extends TaskContext {
  /** From the server: see `ProcessHandlerOptions.requestFor`. */
  readonly request: Request;
  /** Reports something that is not the outcome to the server. */
  reportFact(fact: Fact): void;
}

/** Does the work of one task, as a `TaskHandler` does. */
export type TaskProcessHandler<Payload, Outcome, Request, Fact> = (
  task: RunnableTask<Payload, Outcome>,
  context: TaskProcessContext<Request, Fact>,
) => Promise<Outcome>;

/** Waits for the task, and ends the process when it is done or the server is gone. */
export function serveTask<Payload, Outcome, Request, Fact>(
  handler: TaskProcessHandler<Payload, Outcome, Request, Fact>,
): void {
  type Run = ToTaskProcess<Payload, Outcome, Request> & { type: 'run' };
  const send = (message: FromTaskProcess<Outcome, Fact>): void => {
    process.send?.(message, undefined, undefined, () => {});
  };
  const controller = new AbortController();
  let onOwned: (isOwned: boolean) => void = () => {};
  // Without the server nothing can be published, and another process will do the task.
  process.on('disconnect', () => process.exit());
  // A service manager signals every process of a service; the server decides when to stop.
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

/** Where the system does not allow it, the work competes with the server. */
function lowerPriority(priority: number): void {
  try {
    setPriority(priority);
  } catch {
    // See above.
  }
}
