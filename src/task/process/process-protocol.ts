/** The messages between a server and the process that does a task's work, as JSON. Types only. */
import type { TaskFailure, TaskProgress } from '../task.ts';
import type { RunnableTask } from '../task-store.ts';

/** To the process that does the work. */
export type ToTaskProcess<Payload, Outcome, Request> =
  | {
      readonly type: 'run';
      readonly task: RunnableTask<Payload, Outcome>;
      readonly attempt: number;
      /** What the handler needs to know beyond the task. */
      readonly request: Request;
      /** As `os.setPriority` has it. */
      readonly priority: number;
    }
  | { readonly type: 'stop' }
  /** The answer to `assert-owned`. */
  | { readonly type: 'owned'; readonly isOwned: boolean };

/** From it. Exactly one `done` or `failed` comes, unless it dies. */
export type FromTaskProcess<Outcome, Fact> =
  | { readonly type: 'progress'; readonly progress: TaskProgress }
  | { readonly type: 'assert-owned' }
  /** Something worth knowing that is not the outcome. */
  | { readonly type: 'fact'; readonly fact: Fact }
  | { readonly type: 'done'; readonly outcome: Outcome }
  | { readonly type: 'failed'; readonly failure: TaskFailure; readonly stack: string };
