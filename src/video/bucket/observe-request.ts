/** What a request to the bucket was and how it ended, for metrics. It has no address and no key. */

export interface BucketRequest {
  readonly kind: 'put' | 'get' | 'head' | 'list' | 'remove';
  /** What it was for: the first part of the key, such as `files`, `cache` or `uploads`. */
  readonly area: string;
  /** `missing`: there is no such object. */
  readonly outcome: 'succeeded' | 'missing' | 'failed';
  readonly durationSec: number;
  /** Of objects. */
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

export type OnBucketRequest = (request: BucketRequest) => void;

export interface ObservedRequest extends Pick<BucketRequest, 'kind' | 'area'> {
  /** Of the object that it stores. */
  readonly sizeBytes: number;
}

export interface RequestObserver {
  onData(piece: Uint8Array): void;
  /** Call it at the end of the answer. The first end counts. */
  onEnd(status: number): void;
  /** Call it when there is no answer, or only a part of one. */
  onFault(): void;
}

/** @param signal - Of the caller. A request that it ends is not reported. */
export function observeRequest(
  { kind, area, sizeBytes }: ObservedRequest,
  signal: AbortSignal | undefined,
  onRequest: OnBucketRequest,
): RequestObserver {
  const beganMs = performance.now();
  let receivedBytes = 0;
  let hasEnded = false;
  const end = (outcome: BucketRequest['outcome']): void => {
    if (hasEnded || signal?.aborted) return;
    hasEnded = true;
    const durationSec = (performance.now() - beganMs) / 1000;
    const isWhole = outcome === 'succeeded';
    onRequest({ kind, area, outcome, durationSec, sentBytes: isWhole ? sizeBytes : 0, receivedBytes });
  };
  return {
    onData: (piece) => {
      receivedBytes += piece.length;
    },
    onEnd: (status) => end(toOutcome(status)),
    onFault: () => end('failed'),
  };
}

/** As far as the status tells. */
export function toOutcome(status: number): BucketRequest['outcome'] {
  if (status >= 200 && status < 300) return 'succeeded';
  return status === 404 ? 'missing' : 'failed';
}

export function areaOf(key: string): string {
  return key.split('/', 1)[0] ?? '';
}
