/**
 * Runs once the page shows the signals that were set before this call, and before the person can do anything else: what
 * is typed next must not go where the focus was, or into a selection that changes under it. Preact draws in a
 * microtask, too.
 */
export function afterRender(act: () => void): void {
  queueMicrotask(act);
}
