/** Ends a request that takes too long, or in which nothing moves. */
import { BucketTimeout } from './bucket-fault.ts';

export interface TimeLimits {
  /** Without a byte in either direction. Also limits name look-up, connecting and the wait for a connection. */
  readonly silenceMs: number;
  readonly totalMs: number;
}

export interface RequestWatch {
  /** Aborted with a {@link BucketTimeout} at a limit, and with the caller's reason. */
  readonly signal: AbortSignal;
  onData(): void;
  /** Call it at the end. */
  stop(): void;
}

/** Starts the timers. */
export function watchRequest(
  { silenceMs, totalMs }: TimeLimits,
  signal: AbortSignal | undefined,
): RequestWatch {
  const controller = new AbortController();
  const end = (detail: string) => () => controller.abort(new BucketTimeout(detail));
  const total = setTimeout(end(`not finished within ${totalMs / 1000} s`), totalMs);
  const silence = setTimeout(end(`no data for ${silenceMs / 1000} s`), silenceMs);
  return {
    signal: signal === undefined ? controller.signal : AbortSignal.any([signal, controller.signal]),
    onData: () => void silence.refresh(),
    stop: () => {
      clearTimeout(total);
      clearTimeout(silence);
    },
  };
}
