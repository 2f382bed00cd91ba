/** The child side of `process-handler.ts`: does one task for the server that started this process, then exits. */
import os from 'node:os';
import { toJson } from '../../platform/disk/json-codec.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import { ProcessDeath, toTaskFailure } from '../engine/task-failure.ts';
import { BATCH_DONE, type TaskContext, type WorkDivision } from '../engine/task-handler.ts';
import type { WorkSlot } from '../engine/work-slots.ts';
import type { JsonValue, TaskFailure, TaskProgress } from '../task.ts';
import type { RunnableTask } from '../task-store.ts';

/** A message from the server to the child process. JSON. */
export type ToTaskProcess<Payload, Outcome, Request> =
  | {
      readonly type: 'run';
      readonly task: RunnableTask<Payload, Outcome>;
      readonly attempt: number;
      /** Additional input of the handler, beyond the task. */
      readonly request: Request;
      /** See {@link lowerPriority}. */
      readonly addedNiceness: number;
      /** After this time without a message the process ends. */
      readonly silenceMs: number;
      /** The batch that it is for, or null. Absent: the task cannot be divided. */
      readonly batch?: JsonValue | undefined;
    }
  | { readonly type: 'stop' }
  /** The server is there, and holds the claim as far as it knows. */
  | { readonly type: 'held' }
  | { readonly type: 'answer'; readonly to: Question['ask']; readonly answer: Answer };

/** What the child process asks its server. One question of a kind waits at a time. */
export type Question =
  /** Answer: whether it had to wait. None after an abort. */
  | { readonly ask: 'take-slot' }
  /** Answer: whether the claim holds. */
  | { readonly ask: 'assert-owned' }
  /** Answers: those of `WorkDivision`; null if the claim of the batch is lost. */
  | { readonly ask: 'count-idle' }
  | { readonly ask: 'divide'; readonly batches: readonly JsonValue[] }
  | { readonly ask: 'end-batch' };
export type Answer = number | boolean | null;

/** JSON. The child sends exactly one `done`, `batch-done`, `failed` or `died`, unless it dies. */
export type FromTaskProcess<Outcome, Fact> =
  /** The task has arrived. */
  | { readonly type: 'begun' }
  /** The work goes on. */
  | { readonly type: 'life' }
  | { readonly type: 'question'; readonly question: Question }
  | { readonly type: 'release-slot' }
  | { readonly type: 'progress'; readonly progress: TaskProgress }
  /** A fact for the server that is not part of the outcome. */
  | { readonly type: 'fact'; readonly fact: Fact }
  | { readonly type: 'batch-done' }
  | { readonly type: 'done'; readonly outcome: Outcome }
  | { readonly type: 'failed'; readonly failure: TaskFailure; readonly stack: string }
  /** A process that the work started was killed: see `ProcessDeath`. */
  | { readonly type: 'died'; readonly detail: TaskFailure['context'] };

/** Exit code of a process that heard nothing of its server: EX_TEMPFAIL of sysexits.h. */
export const SERVER_LOST_EXIT_CODE = 75;

/** `reportLiveness` sends at most one message in this time. */
const LIFE_INTERVAL_MS = 1_000;

export interface TaskProcessContext<Request, Fact> extends Omit<TaskContext, 'onHeld'> {
  /** The result of `ProcessHandlerOptions.requestFor` in the server. */
  readonly request: Request;
  /** Sends a fact to the server that is not part of the outcome. */
  reportFact(fact: Fact): void;
}

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
  const asked = new Map<Question['ask'], (answer: Answer) => void>();
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
      case 'answer':
        return asked.get(message.to)?.(message.answer);
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
        reportLiveness,
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

  function reportLiveness(): void {
    const nowMs = performance.now();
    if (nowMs - lifeMs < LIFE_INTERVAL_MS) return;
    lifeMs = nowMs;
    send({ type: 'life' });
  }

  /** @throws The signal's reason if it is aborted. */
  function ask(question: Question, signal?: AbortSignal): Promise<Answer> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      asked.set(question.ask, resolve);
      send({ type: 'question', question });
    });
  }

  async function takeSlot(): Promise<WorkSlot> {
    const hasWaited = (await ask({ ask: 'take-slot' }, controller.signal)) === true;
    return { hasWaited, release: () => send({ type: 'release-slot' }) };
  }

  function divisionFor(batch: JsonValue): WorkDivision {
    const { signal } = controller;
    return {
      batch,
      countIdle: async () => Number(await ask({ ask: 'count-idle' }, signal)),
      divide: async (batches) => (await ask({ ask: 'divide', batches }, signal)) === true,
      async endBatch() {
        const isLast = await ask({ ask: 'end-batch' }, signal);
        if (isLast === null) throw new ListingVideoError('lease_lost', 'another process has taken the batch');
        return isLast === true;
      },
    };
  }

  async function assertOwned(): Promise<void> {
    // Without the signal: what is being published is asked for to its end.
    if ((await ask({ ask: 'assert-owned' })) === true) return;
    throw new ListingVideoError('lease_lost', 'another process has taken the task');
  }
}

export type PrioritySystem = Pick<typeof os, 'getPriority' | 'setPriority'>;

const LOWEST = 19;

/**
 * Adds to the niceness that this process inherited from its server. An absolute value would put it before a server that
 * runs under `nice`. Does nothing if the system refuses: then the work runs at the priority of the server.
 *
 * @param addedNiceness - 0 to 19, as in `nice -n`.
 */
export function lowerPriority(addedNiceness: number, system: PrioritySystem = os): void {
  try {
    system.setPriority(Math.min(LOWEST, system.getPriority() + addedNiceness));
  } catch {
    // Without permission nothing changes.
  }
}
