/** Types only: they are shipped with the library, whose users have no prom-client. */

/** One request to the bucket. */
export interface BucketRequest {
  readonly kind: 'put' | 'get' | 'list' | 'remove';
  /** What it was for: `files`, `cache`, `uploads` and so on. */
  readonly area: string;
  readonly outcome: 'succeeded' | 'missing' | 'failed';
  readonly durationSec: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}
