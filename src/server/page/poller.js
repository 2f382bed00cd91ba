/** Polls the API: often while a task is active, rarely otherwise, never in a hidden tab. */

const SOON_MS = 1_000;
const ACTIVE_MAX_MS = 8_000;
const IDLE_MAX_MS = 60_000;
const GROWTH = 1.5;

/**
 * The delay before the next request, ms. Pure.
 *
 * @param previousMs - The previous result; 0 at first.
 * @param isBusy - A shown task is active.
 * @param hasChanged - The last answer differs from the one before.
 * @param failures - Number of failed requests in a row.
 * @param retryAfterMs - Minimum delay that the service asked for, or null.
 */
export function nextDelayMs({ previousMs, isBusy, hasChanged, failures, retryAfterMs }) {
  let delayMs;
  if (failures > 0) delayMs = Math.min(IDLE_MAX_MS, SOON_MS * 2 ** failures);
  else if (isBusy)
    delayMs = hasChanged ? SOON_MS : Math.min(ACTIVE_MAX_MS, Math.max(SOON_MS, previousMs * GROWTH));
  else delayMs = Math.min(IDLE_MAX_MS, Math.max(ACTIVE_MAX_MS, previousMs * GROWTH));
  return Math.max(delayMs, retryAfterMs ?? 0);
}

/**
 * @param ask - Takes a signal; resolves to `{isBusy, hasChanged, retryAfterMs}`.
 * @param onProblem - Called for a failure, with the delay before the next request, and with null when requests work again.
 *   Return false to stop polling when a repeated request would not help.
 */
export function createPoller({ ask, onProblem }) {
  let controller = null;
  let timer = 0;
  let previousMs = 0;
  let failures = 0;
  let isRunning = false;

  async function question() {
    clearTimeout(timer);
    controller?.abort();
    controller = new AbortController();
    const { signal } = controller;
    let outcome;
    try {
      outcome = await ask(signal);
      if (signal.aborted) return;
      failures = 0;
      onProblem(null, 0);
    } catch (error) {
      if (signal.aborted) return;
      failures++;
      outcome = { isBusy: true, hasChanged: false, retryAfterMs: error.retryAfterMs ?? null };
      previousMs = nextDelayMs({ previousMs, failures, ...outcome });
      if (onProblem(error, previousMs) === false) return stop();
      return wait();
    }
    previousMs = nextDelayMs({ previousMs, failures, ...outcome });
    wait();
  }

  function wait() {
    if (isRunning && !document.hidden) timer = setTimeout(question, previousMs);
  }

  function now() {
    if (isRunning && !document.hidden) question();
  }

  /** An open request can finish. When the tab is visible again, polling starts with a new request. */
  function onVisibility() {
    if (document.hidden) clearTimeout(timer);
    else now();
  }

  function start() {
    isRunning = true;
    document.addEventListener('visibilitychange', onVisibility);
    addEventListener('online', now);
    question();
  }

  function stop() {
    isRunning = false;
    clearTimeout(timer);
    controller?.abort();
    document.removeEventListener('visibilitychange', onVisibility);
    removeEventListener('online', now);
  }

  return { start, stop, now };
}
