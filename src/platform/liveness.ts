/**
 * Signs that the work of this process goes on. A server ends a process that shows none for a minute. They concern the
 * whole process, which does one task, so the steps of the work report here instead of passing a callback through every
 * layer.
 */

let listener: () => void = () => {};

/** Interval of the signs during a step that has its own limit. */
const INTERVAL_MS = 5_000;

/** Sends all further signs to `receive`. Without a listener they cost nothing. */
export function onLiveness(receive: () => void): void {
  listener = receive;
}

/** The work goes on: a frame is rendered, a piece of a file is written. Cheap enough for every frame. */
export function reportLiveness(): void {
  listener();
}

/**
 * Waits for a step that shows nothing until it ends, such as a run of ffmpeg, and reports life meanwhile.
 *
 * @param limitMs - The step's own time limit, or a time that it never takes. Later the step counts as standing still.
 */
export async function liveWhile<T>(step: Promise<T>, limitMs: number): Promise<T> {
  reportLiveness();
  let leftMs = limitMs;
  const timer = setInterval(() => {
    leftMs -= INTERVAL_MS;
    if (leftMs >= 0) reportLiveness();
  }, INTERVAL_MS);
  timer.unref();
  try {
    return await step;
  } finally {
    clearInterval(timer);
    reportLiveness();
  }
}
