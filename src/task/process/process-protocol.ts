/** What a server and the process that does a task's work say to each other, as JSON. Types only. */
import type { JsonValue, TaskFailure, TaskProgress, TaskRecord } from '../task.ts';

/** To the process that does the work. */
export type ToTaskProcess =
  | {
      readonly type: 'run';
      readonly task: TaskRecord;
      readonly attempt: number;
      /** What the handler needs to know besides the task. */
      readonly order: JsonValue;
      /** As `os.setPriority` has it. */
      readonly priority: number;
    }
  | { readonly type: 'stop' }
  /** The answer to `assert-owned`. */
  | { readonly type: 'owned'; readonly isOwned: boolean };

/** From it. Exactly one `done` or `failed` comes, unless it dies. */
export type FromTaskProcess =
  | { readonly type: 'progress'; readonly progress: TaskProgress }
  | { readonly type: 'assert-owned' }
  /** Something worth knowing that is not the outcome. */
  | { readonly type: 'fact'; readonly fact: JsonValue }
  | { readonly type: 'done'; readonly outcome: JsonValue }
  | { readonly type: 'failed'; readonly failure: TaskFailure; readonly stack: string };
