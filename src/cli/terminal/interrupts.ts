/** Ctrl-C and SIGTERM: the first stops cleanly, the second stops at once. */
import type { CommandRun } from '../command-run.ts';

export const INTERRUPTED_EXIT_CODE = 130;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The part of `process` that listens. */
export interface SignalSource {
  on(signal: (typeof SIGNALS)[number], listener: () => void): unknown;
  off(signal: (typeof SIGNALS)[number], listener: () => void): unknown;
}

/**
 * @param source - The process.
 * @param stopNow - Called at the second signal; must not return in a real process.
 * @returns A signal that the first interrupt aborts, and `release`, which restores the default behavior.
 */
export function listenForInterrupts(
  source: SignalSource,
  stopNow: () => void,
): { readonly signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) stopNow();
    else controller.abort();
  };
  for (const name of SIGNALS) source.on(name, onSignal);
  return {
    signal: controller.signal,
    release: () => {
      for (const name of SIGNALS) source.off(name, onSignal);
    },
  };
}

/**
 * Logs at the first interrupt that the run stops cleanly.
 *
 * @param stopView - Removes a moving line first.
 * @returns Stops listening.
 */
export function onInterrupt(
  { signal, info }: Pick<CommandRun, 'signal' | 'info'>,
  stopView: () => void,
): () => void {
  const listener = (): void => {
    stopView();
    info('stopping cleanly; press Ctrl-C again to stop at once');
  };
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}
