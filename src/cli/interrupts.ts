/** Ctrl-C and SIGTERM: the first asks everything to stop cleanly, the second stops at once. */

/** Exit code of a run that was interrupted. */
export const INTERRUPTED_EXIT_CODE = 130;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The part of `process` that is needed. */
export interface SignalSource {
  on(signal: (typeof SIGNALS)[number], listener: () => void): unknown;
  off(signal: (typeof SIGNALS)[number], listener: () => void): unknown;
}

/**
 * @param source - The process.
 * @param stopNow - Called at the second signal; must not return in a real process.
 * @returns A signal that the first interrupt aborts, and `release` which gives the default behaviour back.
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
