/** Waits for the end of a remote task. */
import type { RunTaskOptions } from '../task/engine/task-engine.ts';
import type { TaskChange } from './api-client.ts';
import type { ApiTask } from '../api/client/parse-answer.ts';
import type { RemoteContext } from '../api/client/remote-context.ts';
import { LONG_PATIENCE } from '../api/client/retry.ts';

/** Between two polls when the server requests no wait. */
const POLL_MS = 2_000;
/** A longer wait would make the progress look stuck. */
const MAX_POLL_MS = 10_000;
/** After so many streams without an event only polls follow: a proxy can hold events back. */
const MAX_EMPTY_STREAMS = 3;
/** Share of the progress that is the server's work; the rest is downloading. */
export const SERVER_SHARE = 0.95;

/** Follows the events of the task, or polls where there are none, until the task has ended. */
export async function waitForTask(
  id: string,
  { client, network }: RemoteContext,
  run: RunTaskOptions & { signal: AbortSignal; donePercent: number },
): Promise<ApiTask> {
  const { signal, onProgress, donePercent } = run;
  let percent = donePercent;
  let isPending = true;
  let emptyStreams = 0;
  const report = ({ state, progress }: TaskChange): void => {
    isPending = state === undefined ? isPending : state === 'PENDING';
    const { percent: done = 0, stage = null, etaSeconds = null } = progress ?? {};
    percent = Math.max(percent, donePercent + done * (SERVER_SHARE - donePercent / 100));
    onProgress?.({ percent, stage: isPending ? 'wait' : stage, etaSeconds });
  };
  for (;;) {
    const { task, retryAfterMs, hasEvents } = await client.getTask(id, { signal, patience: LONG_PATIENCE });
    if (isEnded(task)) return task;
    report(task);
    if (hasEvents && emptyStreams < MAX_EMPTY_STREAMS) {
      emptyStreams += 1;
      const onChange = (change: TaskChange): void => {
        emptyStreams = 0;
        report(change);
      };
      const ended = await client.followTask(id, onChange, { signal });
      if (ended !== null && isEnded(ended)) return ended;
    }
    const waitMs = Math.min(MAX_POLL_MS, Math.max(500, retryAfterMs ?? POLL_MS));
    await network.delay(waitMs, signal);
  }
}

function isEnded({ state }: ApiTask): boolean {
  return state === 'SUCCEEDED' || state === 'FAILED';
}
