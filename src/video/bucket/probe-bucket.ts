/** Whether the bucket can be written: for `/readyz`, and for the worker, which starts nothing while it cannot. */
import { Readable } from 'node:stream';
import { type Bucket, PROBE_KEY } from './bucket.ts';

/** Each probe is a billed request: 2,880 a day of a server that is always asked. */
const GOOD_AGE_MS = 30_000;
const BAD_AGE_MS = 2_000;
const LIMITS = { silenceMs: 4_000, totalMs: 8_000 };
const CONTENT = Buffer.from('listing-video writes this to see whether it can write\n');

export interface ProbeOptions {
  /** Milliseconds of a clock that never runs backwards. */
  readonly monotonicMs: () => number;
  /** Called when the bucket goes away, with the error, and when it is back, with null. */
  readonly onChange: (error: unknown) => void;
}

export interface BucketProbe {
  /** True if a small object can be written. It never rejects. A good result is kept for half a minute. */
  isWritable(): Promise<boolean>;
  /** Another request has failed, so a good result is kept no longer. */
  onFault(): void;
}

export function createBucketProbe(bucket: Bucket, options: ProbeOptions): BucketProbe {
  const { monotonicMs, onChange } = options;
  let last: { readonly isGood: boolean; readonly atMs: number } | null = null;
  let running: Promise<boolean> | null = null;
  let isDoubted = false;
  const probe = async (): Promise<boolean> => {
    let error: unknown = null;
    try {
      const open = () => Readable.from([CONTENT]);
      await bucket.put({ key: PROBE_KEY, sizeBytes: CONTENT.length, open }, { limits: LIMITS });
    } catch (cause) {
      error = cause;
    }
    const isGood = error === null;
    if (isGood !== (last?.isGood ?? true)) onChange(error);
    last = { isGood, atMs: monotonicMs() };
    return isGood;
  };
  return {
    isWritable() {
      const keepMs = last?.isGood && !isDoubted ? GOOD_AGE_MS : BAD_AGE_MS;
      if (last !== null && monotonicMs() - last.atMs < keepMs) return Promise.resolve(last.isGood);
      isDoubted = false;
      running ??= probe().finally(() => {
        running = null;
      });
      return running;
    },
    onFault() {
      isDoubted = true;
    },
  };
}
