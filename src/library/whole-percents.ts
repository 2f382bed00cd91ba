/** Progress for programs that print it: one call for each whole percent. */
import type { TaskProgress } from '../task/task.ts';

/** The engine reports many times in a second. */
export function wholePercents(report: (progress: TaskProgress) => void): (progress: TaskProgress) => void {
  let last = -1;
  return (progress) => {
    const percent = Math.floor(progress.percent);
    if (percent === last) return;
    last = percent;
    report({ ...progress, percent });
  };
}
