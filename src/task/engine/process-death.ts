/** The error of a handler whose process died while this one lived. The attempt counts, and another one can succeed. */
import type { TaskFailure } from '../task.ts';

/** Not a failure of the task yet: `requeueAfterDeath` decides. */
export class ProcessDeath extends Error {
  /** How the process died, for operators. */
  readonly detail: TaskFailure['context'];

  constructor(message: string, detail: TaskFailure['context']) {
    super(message);
    this.name = 'ProcessDeath';
    this.detail = detail;
  }
}
