/** Ends a request that takes too long, or in which nothing moves. */
import type { NetworkDeps } from './guarded-connector.ts';

export interface TimeLimits {
  /** Without a byte in either direction. Also limits name look-up, connecting and the wait for a connection. */
  readonly silenceMs: number;
  /** For the whole answer with its body: silence alone would let a host send a byte now and then for ever. */
  readonly totalMs: number;
}

export interface RequestWatch {
  /** Aborted with an error of `toError` at a limit, and with the caller's reason. */
  readonly signal: AbortSignal;
  onData(): void;
  /** Call it when the request has ended. */
  stop(): void;
}

/** Starts the timers. @param toError - Of a detail such as `no data for 30 s`. */
export function watchRequest(
  { silenceMs, totalMs }: TimeLimits,
  signal: AbortSignal | undefined,
  toError: (detail: string) => Error,
  { setTimer, clearTimer }: Pick<NetworkDeps, 'setTimer' | 'clearTimer'>,
): RequestWatch {
  const controller = new AbortController();
  const endAfter = (delayMs: number, detail: string) =>
    setTimer(() => controller.abort(toError(detail)), delayMs);
  const startSilence = () => endAfter(silenceMs, `no data for ${silenceMs / 1000} s`);
  const total = endAfter(totalMs, `not finished within ${totalMs / 1000} s`);
  let silence = startSilence();
  let isStopped = false;
  return {
    signal: signal === undefined ? controller.signal : AbortSignal.any([signal, controller.signal]),
    onData: () => {
      clearTimer(silence);
      if (!isStopped) silence = startSilence();
    },
    stop: () => {
      isStopped = true;
      clearTimer(total);
      clearTimer(silence);
    },
  };
}
