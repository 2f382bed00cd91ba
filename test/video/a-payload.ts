/** Payloads of video tasks for tests. */
import type { Listing } from '../../src/listing/listing.ts';
import type { VideoTaskPayload } from '../../src/video/video-task.ts';

/** The payload of a listing whose assets can be files below `/in`. */
export function aPayload(
  listing: Listing,
  outputDir = '/out',
  change: Partial<VideoTaskPayload> = {},
): VideoTaskPayload {
  const options = { quality: 'standard', minAssets: 1, force: false } as const;
  return { listing, listingFile: null, baseDir: '/in', outputDir, options, ...change };
}
