/** Tries once each request that this program makes, for `doctor`. */
import { Readable } from 'node:stream';
import type { Bucket } from './bucket.ts';
import { discardBody } from './read-answer.ts';

const CONTENT = Buffer.from('listing-video doctor writes this and removes it\n');
const LIMITS = { silenceMs: 5_000, totalMs: 10_000 };

/**
 * Writes, reads, lists and removes a small object.
 *
 * @param signal - Of the command.
 * @throws {@link ListingVideoError} `storage_unavailable` with the cause of the first request that fails.
 */
export async function checkBucket(bucket: Bucket, signal: AbortSignal): Promise<void> {
  const key = `doctor/${Math.random().toString(36).slice(2)}`;
  const options = { signal, limits: LIMITS };
  await bucket.put({ key, sizeBytes: CONTENT.length, open: () => Readable.from([CONTENT]) }, options);
  const answer = await bucket.get(key, options);
  if (answer !== null) await discardBody(answer);
  await bucket.list('doctor/');
  await bucket.remove(key, options);
}
