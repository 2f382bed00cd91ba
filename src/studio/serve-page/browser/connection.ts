/** The line below the head: whether the service answers the view that polls it. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { announce } from '../../components/announce.tsx';
import type { ApiProblem } from './api.ts';
import { type PollOutcome, startPolling } from './poller.ts';

/** Empty while all is well. */
export const connection = signal('');

/**
 * Polls while the component is shown.
 *
 * @param ask - Updates the component from the answer.
 * @param onProblem - Shows a problem in the component; null when requests work again. Returns false when it is final.
 */
export function usePolling(
  ask: (signal: AbortSignal) => Promise<PollOutcome>,
  onProblem: (problem: ApiProblem | null) => boolean,
): void {
  useEffect(
    () =>
      startPolling({
        ask,
        onProblem: (problem, delayMs) => report(problem, delayMs, onProblem(problem)),
      }),
    [],
  );
}

/** @returns False when a repeated request would not help. */
function report(problem: ApiProblem | null, delayMs: number, canPass: boolean): boolean {
  if (problem === null) {
    if (connection.peek() !== '') announce('The connection is back.');
    connection.value = '';
    return true;
  }
  if (problem.status === 401) {
    connection.value = 'Enter a key to continue.';
    return false;
  }
  if (!canPass || problem.status === 403 || problem.status === 422) return false;
  const what = problem.status === 0 ? 'The service cannot be reached.' : problem.message;
  connection.value = `${what} Trying again in ${Math.ceil(delayMs / 1000)} s.`;
  return true;
}
