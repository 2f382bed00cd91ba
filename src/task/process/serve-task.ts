/** The other end of `process-handler.ts`: does one task for the server that started this process, and ends. */
import { setPriority } from 'node:os';
import { ListingVideoError } from '../../errors.ts';
import { toJson, toTaskFailure } from '../engine/task-failure.ts';
import type { TaskContext } from '../engine/task-handler.ts';
import type { JsonValue, TaskRecord } from '../task.ts';
import type { FromTaskProcess, ToTaskProcess } from './process-protocol.ts';

/** What a handler in a process is given besides the task. */
export interface TaskProcessContext extends TaskContext {
  /** From the server: see `ProcessHandlerOptions.orderFor`. */
  readonly order: JsonValue;
  /** Tells the server something that is not the outcome. */
  tell(fact: JsonValue): void;
}

export type TaskProcessHandler = (task: TaskRecord, context: TaskProcessContext) => Promise<JsonValue>;

/** Waits for the task, and ends the process when it is done or the server is gone. */
export function serveTask(handler: TaskProcessHandler): void {
  const controller = new AbortController();
  let onOwned: (isOwned: boolean) => void = () => {};
  // Without the server nobody may publish anything, and somebody else will do the task.
  process.on('disconnect', () => process.exit());
  // A service manager signals every process of a service; when to stop is for the server to say.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  process.on('message', (message: ToTaskProcess) => {
    if (message.type === 'stop')
      controller.abort(new ListingVideoError('cancelled', 'stopped by the server'));
    else if (message.type === 'owned') onOwned(message.isOwned);
    else void run(message);
  });

  async function run({ task, attempt, order, priority }: ToTaskProcess & { type: 'run' }): Promise<void> {
    lowerPriority(priority);
    try {
      const outcome = toJson(
        await handler(task, {
          signal: controller.signal,
          attempt,
          order,
          reportProgress: (progress) => send({ type: 'progress', progress }),
          tell: (fact) => send({ type: 'fact', fact }),
          assertOwned,
        }),
      );
      if (outcome === undefined) throw new TypeError('the handler returned what JSON cannot hold');
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

function send(message: FromTaskProcess): void {
  process.send?.(message, undefined, undefined, () => {});
}

/** Where the system does not allow it, the work competes with the server. */
function lowerPriority(priority: number): void {
  try {
    setPriority(priority);
  } catch {
    // See above.
  }
}
