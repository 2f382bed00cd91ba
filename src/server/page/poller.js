/** Asks again and again: soon while something happens, rarely while nothing does, and never in a hidden tab. */

const SOON_MS = 1_000;
const ACTIVE_MAX_MS = 8_000;
const IDLE_MAX_MS = 60_000;
const GROWTH = 1.5;

/**
 * How long to wait before the next question. Pure.
 *
 * @param previousMs - What this returned the last time; 0 at first.
 * @param isBusy - Something shown is still going on.
 * @param hasChanged - The last answer differs from the one before.
 * @param failures - Questions in a row that failed.
 * @param retryAfterMs - The least the service asks us to wait, or null.
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
 * @param onProblem - Told of a failure with the delay until the next question, and with null when all is well again.
 *   Returning false ends the polling: no repetition would help.
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

  /** What is under way is left to end: a page looked at again asks anew. */
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
