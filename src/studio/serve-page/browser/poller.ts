/** Polls the API: often while a task is active, rarely otherwise, never in a hidden tab. */
import { ApiProblem } from './api.ts';

const SOON_MS = 1_000;
const ACTIVE_MAX_MS = 8_000;
const IDLE_MAX_MS = 60_000;
const GROWTH = 1.5;

/** What one answer says about the next request. */
export interface PollOutcome {
  /** A shown task is active. */
  readonly isBusy: boolean;
  /** The answer differs from the one before. */
  readonly hasChanged: boolean;
  /** Minimum delay that the service asked for, or null. */
  readonly retryAfterMs: number | null;
}

interface PollHistory extends PollOutcome {
  /** The previous result; 0 at first. */
  readonly previousMs: number;
  /** Number of failed requests in a row. */
  readonly failures: number;
}

/** The delay before the next request, ms. Pure. */
export function nextDelayMs({ previousMs, isBusy, hasChanged, failures, retryAfterMs }: PollHistory): number {
  let delayMs: number;
  if (failures > 0) delayMs = Math.min(IDLE_MAX_MS, SOON_MS * 2 ** failures);
  else if (isBusy)
    delayMs = hasChanged ? SOON_MS : Math.min(ACTIVE_MAX_MS, Math.max(SOON_MS, previousMs * GROWTH));
  else delayMs = Math.min(IDLE_MAX_MS, Math.max(ACTIVE_MAX_MS, previousMs * GROWTH));
  return Math.max(delayMs, retryAfterMs ?? 0);
}

export interface Polling {
  readonly ask: (signal: AbortSignal) => Promise<PollOutcome>;
  /**
   * Called for a failure, with the delay before the next request, and with null when requests work again. Returns false
   * to stop polling when a repeated request would not help.
   */
  readonly onProblem: (problem: ApiProblem | null, delayMs: number) => boolean;
}

/** Starts with a request. @returns Ends the polling. */
export function startPolling({ ask, onProblem }: Polling): () => void {
  let controller: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let previousMs = 0;
  let failures = 0;
  let isRunning = true;

  async function request(): Promise<void> {
    clearTimeout(timer);
    controller?.abort();
    controller = new AbortController();
    const { signal } = controller;
    let outcome: PollOutcome;
    try {
      outcome = await ask(signal);
      if (signal.aborted) return;
      failures = 0;
      onProblem(null, 0);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiProblem)) throw error;
      failures++;
      outcome = { isBusy: true, hasChanged: false, retryAfterMs: error.retryAfterMs };
      previousMs = nextDelayMs({ previousMs, failures, ...outcome });
      if (onProblem(error, previousMs)) wait();
      else stop();
      return;
    }
    previousMs = nextDelayMs({ previousMs, failures, ...outcome });
    wait();
  }

  function wait(): void {
    if (isRunning && !document.hidden) timer = setTimeout(request, previousMs);
  }

  function now(): void {
    if (isRunning && !document.hidden) void request();
  }

  /** An open request can finish. When the tab is visible again, polling starts with a new request. */
  function onVisibility(): void {
    if (document.hidden) clearTimeout(timer);
    else now();
  }

  function stop(): void {
    isRunning = false;
    clearTimeout(timer);
    controller?.abort();
    document.removeEventListener('visibilitychange', onVisibility);
    removeEventListener('online', now);
  }

  document.addEventListener('visibilitychange', onVisibility);
  addEventListener('online', now);
  void request();
  return stop;
}
