/** A bucket that is slow, but works: the process of a task shows that its work goes on, or its server would end it. */
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { onLiveness } from '../../../src/platform/liveness.ts';
import type { Bucket } from '../../../src/video/bucket/bucket.ts';
import { createBucketUploads } from '../../../src/video/bucket/bucket-uploads.ts';
import { createUploadQueue } from '../../../src/video/bucket/upload-queue.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';

let root: string;
let signs = 0;
/** Called when the bucket is asked, with what lets it answer. */
let onAsked: (answer: () => void) => void;
const bucket = {
  put: () => new Promise<void>((resolve) => onAsked(resolve)),
  get: () => new Promise((resolve) => onAsked(() => resolve({ body: Readable.from(['bytes']) }))),
} as unknown as Bucket;

beforeEach(async () => {
  root = temporaryFolder();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onLiveness(() => {
    signs += 1;
  });
});
afterEach(() => {
  onLiveness(() => {});
  vi.useRealTimers();
});

/** Signs within 50 s in which the bucket does not answer. */
async function signsDuring(begin: () => Promise<unknown>): Promise<number> {
  const asked = new Promise<() => void>((resolve) => {
    onAsked = resolve;
  });
  const work = begin();
  const answer = await asked;
  signs = 0;
  vi.advanceTimersByTime(50_000);
  const during = signs;
  answer();
  await work;
  return during;
}

it('is waited for while others need what it gets', async () => {
  const queue = createUploadQueue({ bucket, root, isOpen: () => true, onFault: () => {} });
  expect(
    await signsDuring(async () => {
      await queue.addBytes('segment', Buffer.from('bytes'));
      expect(await queue.flush()).toBe(true);
    }),
  ).toBe(10);
  await queue.close();
});

it('is waited for while it sends an upload', async () => {
  const name = { organizationId: 'org_a', id: 'upload_1' };
  const { signal } = new AbortController();
  const to = path.join(root, 'photo');
  expect(await signsDuring(() => createBucketUploads(bucket).fetch(name, to, signal))).toBe(10);
});
