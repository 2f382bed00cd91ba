/** Metrics of the bucket: its requests, and what the cache of all workers finds there. */
import { Counter, Histogram, type Registry } from 'prom-client';
import type { BucketRequest } from '../../../video/bucket/observe-request.ts';

/** Adds the metrics to the registry. @returns What counts one request. */
export function addBucketMetrics(registry: Registry): (request: BucketRequest) => void {
  const registers = [registry];
  const requests = new Histogram({
    name: 'listing_video_bucket_request_duration_seconds',
    help: 'Requests to the bucket by kind and outcome, and how long they took. Downloads of clients by signed URLs are not among them.',
    labelNames: ['kind', 'outcome'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  });
  const bytes = new Counter({
    name: 'listing_video_bucket_bytes_total',
    help: 'Bytes sent to the bucket as objects, and received from it.',
    labelNames: ['direction'],
    registers,
  });
  const lookups = new Counter({
    name: 'listing_video_shared_cache_lookups_total',
    help: 'Entries that the cache of this disk lacked and the bucket had (hit), had not (miss), or could not be asked for (failed).',
    labelNames: ['result'],
    registers,
  });
  for (const direction of ['sent', 'received']) bytes.inc({ direction }, 0);
  for (const result of Object.values(LOOKUP_RESULTS)) lookups.inc({ result }, 0);
  return ({ kind, area, outcome, durationSec, sentBytes, receivedBytes }) => {
    requests.observe({ kind, outcome }, durationSec);
    bytes.inc({ direction: 'sent' }, sentBytes);
    bytes.inc({ direction: 'received' }, receivedBytes);
    if (kind === 'get' && area === 'cache') lookups.inc({ result: LOOKUP_RESULTS[outcome] });
  };
}

const LOOKUP_RESULTS = { succeeded: 'hit', missing: 'miss', failed: 'failed' } as const;
