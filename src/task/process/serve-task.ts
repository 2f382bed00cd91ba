/** The child side of `process-handler.ts`: does one task for the server that started this process, then exits. */

import { toJson } from '../../platform/disk/json-codec.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import { ProcessDeath } from '../engine/process-death.ts';
import { toTaskFailure } from '../engine/task-failure.ts';
import type { TaskContext } from '../engine/task-handler.ts';
import { BATCH_DONE, type WorkDivision } from '../engine/work-division.ts';
import type { WorkSlot } from '../engine/work-slots.ts';
import type { JsonValue, TaskFailure, TaskProgress } from '../task.ts';
import type { RunnableTask } from '../task-store.ts';
import { lowerPriority } from './lower-priority.ts';

/** A message from the server to the child process. JSON. */
export type ToTaskProcess<Payload, Outcome, Request> =
  | {
      readonly type: 'run';
      readonly task: RunnableTask<Payload, Outcome>;
      readonly attempt: number;
      /** Additional input of the handler, beyond the task. */
      readonly request: Request;
      /** See `lowerPriority`. */
      readonly addedNiceness: number;
      /** After this time without a message the process ends. */
      readonly silenceMs: number;
      /** The batch that it is for, or null. Absent: the task cannot be divided. */
      readonly batch?: JsonValue | undefined;
    }
  | { readonly type: 'stop' }
  /** The server is there, and holds the claim as far as it knows. */
  | { readonly type: 'held' }
  /** The answer to `take-slot`. */
  | { readonly type: 'slot'; readonly hasWaited: boolean }
  /** The answer to `count-idle`, `divide` and `end-batch`. */
  | { readonly type: 'division'; readonly answer: number | boolean | null }
  /** The answer to `assert-owned`. */
  | { readonly type: 'owned'; readonly isOwned: boolean };

/** A message from the child process. JSON. The child sends exactly one `done`, `batch-done`, `failed` or `died`, unless it dies. */
export type FromTaskProcess<Outcome, Fact> =
  /** The task has arrived. */
  | { readonly type: 'begun' }
  /** The work goes on. */
  | { readonly type: 'life' }
  | { readonly type: 'take-slot' }
  | { readonly type: 'release-slot' }
  | { readonly type: 'progress'; readonly progress: TaskProgress }
  | { readonly type: 'assert-owned' }
  /** A fact for the server that is not part of the outcome. */
  | { readonly type: 'fact'; readonly fact: Fact }
  | { readonly type: 'count-idle' }
  | { readonly type: 'divide'; readonly batches: readonly JsonValue[] }
  | { readonly type: 'end-batch' }
  | { readonly type: 'batch-done' }
  | { readonly type: 'done'; readonly outcome: Outcome }
  | { readonly type: 'failed'; readonly failure: TaskFailure; readonly stack: string }
  /** A process that the work started was killed: see `ProcessDeath`. */
  | { readonly type: 'died'; readonly detail: TaskFailure['context'] };

/** Exit code of a process that heard nothing of its server: EX_TEMPFAIL of sysexits.h. */
export const SERVER_LOST_EXIT_CODE = 75;

/** `reportLife` sends at most one message in this time. */
const LIFE_INTERVAL_MS = 1_000;

/** The input of a handler in a process, in addition to the task. */
export interface TaskProcessContext<Request, Fact> extends Omit<TaskContext, 'onHeld'> {
  /** The result of `ProcessHandlerOptions.requestFor` in the server. */
  readonly request: Request;
  /** Sends a fact to the server that is not part of the outcome. */
  reportFact(fact: Fact): void;
}

/** Does the work of one task, as a `TaskHandler` does. */
export type TaskProcessHandler<Payload, Outcome, Request, Fact> = (
  task: RunnableTask<Payload, Outcome>,
  context: TaskProcessContext<Request, Fact>,
) => Promise<Outcome | typeof BATCH_DONE>;

/**
 * Waits for the task and does it. The process exits when the task is done, and when the server is gone or says nothing,
 * because another server can have the task then.
 */
export function serveTask<Payload, Outcome, Request, Fact>(
  handler: TaskProcessHandler<Payload, Outcome, Request, Fact>,
): void {
  type Run = ToTaskProcess<Payload, Outcome, Request> & { type: 'run' };
  const send = (message: FromTaskProcess<Outcome, Fact>): void => {
    process.send?.(message, undefined, undefined, () => {});
  };
  const controller = new AbortController();
  let onOwned: (isOwned: boolean) => void = () => {};
  let onSlot: (hasWaited: boolean) => void = () => {};
  let onDivision: (answer: number | boolean | null) => void = () => {};
  let heardMs = performance.now();
  let lifeMs = Number.NEGATIVE_INFINITY;
  // Without the server nothing can be published, and another process takes the task.
  process.on('disconnect', () => process.exit());
  // A service manager signals every process of a service, but the server decides when to stop.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  process.on('message', (message: ToTaskProcess<Payload, Outcome, Request>) => {
    heardMs = performance.now();
    switch (message.type) {
      case 'stop':
        return controller.abort(new ListingVideoError('cancelled', 'stopped by the server'));
      case 'owned':
        return onOwned(message.isOwned);
      case 'slot':
        return onSlot(message.hasWaited);
      case 'division':
        return onDivision(message.answer);
      case 'run':
        return void run(message);
    }
  });

  async function run({ task, attempt, request, addedNiceness, silenceMs, batch }: Run): Promise<void> {
    lowerPriority(addedNiceness);
    send({ type: 'begun' });
    endAfterSilence(silenceMs);
    try {
      const outcome = await handler(task, {
        signal: controller.signal,
        attempt,
        fence: task.fence,
        request,
        reportProgress: (progress) => send({ type: 'progress', progress }),
        reportLife,
        reportFact: (fact) => send({ type: 'fact', fact }),
        takeSlot,
        assertOwned,
        division: batch === undefined ? undefined : divisionFor(batch),
      });
      if (outcome === BATCH_DONE) return send({ type: 'batch-done' });
      if (toJson(outcome) === undefined) throw new TypeError('the handler returned what JSON cannot hold');
      send({ type: 'done', outcome });
    } catch (error) {
      if (error instanceof ProcessDeath) return send({ type: 'died', detail: error.detail });
      const stack = error instanceof Error ? (error.stack ?? '') : '';
      send({ type: 'failed', failure: toTaskFailure(error), stack });
    }
  }

  function endAfterSilence(silenceMs: number): void {
    const check = (): void => {
      if (performance.now() - heardMs >= silenceMs) process.exit(SERVER_LOST_EXIT_CODE);
    };
    setInterval(check, Math.min(1_000, silenceMs)).unref();
  }

  function reportLife(): void {
    const nowMs = performance.now();
    if (nowMs - lifeMs < LIFE_INTERVAL_MS) return;
    lifeMs = nowMs;
    send({ type: 'life' });
  }

  async function takeSlot(): Promise<WorkSlot> {
    const { signal } = controller;
    const hasWaited = await new Promise<boolean>((resolve, reject) => {
      signal.throwIfAborted();
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      onSlot = resolve;
      send({ type: 'take-slot' });
    });
    return { hasWaited, release: () => send({ type: 'release-slot' }) };
  }

  function divisionFor(batch: JsonValue): WorkDivision {
    const ask = (message: FromTaskProcess<Outcome, Fact>) =>
      new Promise<number | boolean | null>((resolve, reject) => {
        const { signal } = controller;
        signal.throwIfAborted();
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        onDivision = resolve;
        send(message);
      });
    return {
      batch,
      countIdle: async () => Number(await ask({ type: 'count-idle' })),
      divide: async (batches) => (await ask({ type: 'divide', batches })) === true,
      async endBatch() {
        const isLast = await ask({ type: 'end-batch' });
        if (isLast === null) throw new ListingVideoError('lease_lost', 'another process has taken the batch');
        return isLast === true;
      },
    };
  }

  async function assertOwned(): Promise<void> {
    const isOwned = await new Promise<boolean>((resolve) => {
      onOwned = resolve;
      send({ type: 'assert-owned' });
    });
    if (!isOwned) throw new ListingVideoError('lease_lost', 'another process has taken the task');
  }
}
