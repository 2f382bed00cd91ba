/** A bucket in an S3 server for one test file: own folder, own port, gone in the end. */
import { afterAll, beforeAll, describe } from 'vitest';
import { type Bucket, type BucketOptions, createBucket } from '../../../src/video/bucket/bucket.ts';
import { readStoragePlace } from '../../../src/video/bucket/storage-place.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { hasSwift, LocalSwift, SWIFT_PACKAGES } from './local-swift.ts';

/** A server with the bucket `videos`. */
export interface TestBucket {
  /** The value of `--storage`. */
  readonly url: string;
  /** The variables that `--storage` reads. Set once the tests of the file run. */
  readonly env: Readonly<Record<string, string>>;
  /** A client with the right keys, or with those of `env`. It is closed in the end. */
  open(options?: BucketOptions & { readonly env?: Readonly<Record<string, string>> }): Bucket;
  start(): Promise<void>;
  /** Ends all connections at once. */
  stop(): Promise<void>;
}

/** Describes tests with a bucket. Without Swift they are skipped, and the run says so; in CI they fail. */
export function describeWithBucket(name: string, define: (bucket: TestBucket) => void): void {
  const swift = { current: null as LocalSwift | null };
  const opened: Bucket[] = [];
  const running = (): LocalSwift => {
    if (swift.current === null) throw new Error('the server is used before its tests run');
    return swift.current;
  };
  const bucket: TestBucket = {
    url: 's3://videos/some/prefix',
    get env() {
      return running().env;
    },
    open({ env = {}, nowMs, onRequest } = {}) {
      const client = createBucket(readStoragePlace(bucket.url, { ...running().env, ...env }), {
        ...(nowMs === undefined ? {} : { nowMs }),
        ...(onRequest === undefined ? {} : { onRequest }),
      });
      opened.push(client);
      return client;
    },
    start: () => running().start(),
    stop: () => running().stop(),
  };
  if (!hasSwift() && process.env.CI !== 'true') {
    process.stderr.write(
      `skipped: ${name} (needs OpenStack Swift: \`apt-get install ${SWIFT_PACKAGES}\` on Debian)\n`,
    );
    describe.skip(name, () => define(bucket));
    return;
  }
  describe(name, () => {
    beforeAll(async () => {
      swift.current = new LocalSwift(temporaryFolder());
      await swift.current.start();
      await swift.current.makeBucket(bucket.url);
    });
    afterAll(async () => {
      await Promise.all(opened.map((client) => client.close()));
      await swift.current?.stop();
    });
    define(bucket);
  });
}
