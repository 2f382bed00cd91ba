/** The cache of several workers: the disk first, the bucket second; a bucket with faults costs time at most. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDiskCache } from '../../../src/platform/disk/cache/disk-cache.ts';
import { createSharedCache, type SharedCache } from '../../../src/video/bucket/shared-cache.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { type Behaviour, type Gateway, openGateway } from './faulty-gateway.ts';
import { describeWithBucket } from './test-bucket.ts';

const SEGMENT = Buffer.from(Array.from({ length: 300_000 }, (_, n) => (n * 7) % 253));

describeWithBucket('the cache of several workers', (server) => {
  let gateway: Gateway;
  let number = 0;
  let nowMs = 0;
  let name: string;
  beforeEach(async () => {
    gateway = await openGateway(() => server.env.AWS_ENDPOINT_URL_S3!);
    number += 1;
    name = `segment${number}.mp4`;
  });
  afterEach(() => gateway.close());

  /** A machine of its own. */
  async function openWorker(maxBytes = 1e9) {
    const home = temporaryFolder();
    const work = path.join(home, 'run');
    await mkdir(work);
    const away: unknown[] = [];
    const shared: SharedCache = createSharedCache(createDiskCache(path.join(home, 'cache'), { maxBytes }), {
      bucket: server.open({ env: { AWS_ENDPOINT_URL_S3: gateway.url } }),
      root: path.join(home, 'work'),
      monotonicMs: () => nowMs,
      onAway: (error) => away.push(error),
    });
    return {
      ...shared,
      home,
      work,
      away,
      async make(kind: 'segments' | 'stills' = 'segments', content = SEGMENT) {
        const file = path.join(work, `made-${name}`);
        await writeFile(file, content);
        return shared.cache.put(kind, name, file);
      },
      pin: async () => {
        const file = await shared.cache.pin('segments', name, work);
        return file === undefined ? undefined : readFile(file);
      },
    };
  }

  it('gives one worker what another has made, and asks the bucket once', async () => {
    const first = await openWorker();
    await first.make();
    expect(await first.close()).toEqual({ uploaded: 1, left: 0 });
    expect(await readdir(path.join(first.home, 'work'))).toEqual([]);
    const second = await openWorker();
    expect(await second.pin()).toEqual(SEGMENT);
    expect(await second.cache.read('segments', name)).toEqual(SEGMENT);
    expect(await (await second.cache.hold('segments', name, temporaryFolder()))?.isIntact()).toBe(true);
    expect(await second.close()).toEqual({ uploaded: 0, left: 0 });
    expect(gateway.seen.map((line) => line.split(' ')[0])).toEqual(['PUT', 'GET']);
  });

  it('works with a disk that keeps nothing, and reads and holds what only the bucket has', async () => {
    const first = await openWorker(0);
    expect(await first.make()).toBe(false);
    await first.close();
    for (const find of [
      async ({ pin }: Awaited<ReturnType<typeof openWorker>>) => pin(),
      async ({ cache }: Awaited<ReturnType<typeof openWorker>>) => cache.read('segments', name),
      async ({ cache, work }: Awaited<ReturnType<typeof openWorker>>) => {
        const held = await cache.hold('segments', name, work);
        expect(await held?.isIntact()).toBe(true);
        return readFile(held!.path);
      },
    ]) {
      expect(await find(await openWorker(0))).toEqual(SEGMENT);
    }
  });

  it('keeps small things of little worth on the disk', async () => {
    const worker = await openWorker();
    await worker.make('stills');
    expect(await worker.cache.read('photos', 'abc.json')).toBeUndefined();
    await worker.close();
    expect(gateway.seen).toEqual([]);
  });

  it('uploads what has left the disk meanwhile', async () => {
    const worker = await openWorker(1);
    await worker.make();
    await worker.cache.trim();
    expect(await worker.close()).toEqual({ uploaded: 1, left: 0 });
    expect(await (await openWorker()).pin()).toEqual(SEGMENT);
  });

  it.each<Behaviour>(['error', 'busy', 'drop', 'hang', 'cut', 'other'])(
    'finds nothing and fails nothing while the bucket answers with "%s", and finds it afterwards',
    async (how) => {
      const maker = await openWorker();
      await maker.make();
      await maker.close();
      gateway.behave(() => how);
      const worker = await openWorker();
      expect(await worker.pin()).toBeUndefined();
      expect((await readdir(worker.work)).sort()).toEqual([]);
      const asked = gateway.seen.length;
      expect(await worker.cache.read('segments', name)).toBeUndefined();
      // Wrong bytes are no sign that the bucket is away. After all else it is left alone for half a minute.
      const isAway = how !== 'other';
      expect(gateway.seen.length - asked).toBe(isAway ? 0 : 1);
      expect(worker.away).toHaveLength(isAway ? 1 : 0);
      gateway.behave(() => 'pass');
      nowMs += 31_000;
      expect(await worker.pin()).toEqual(SEGMENT);
      await worker.close();
    },
  );

  it('keeps what it has made on the disk when the upload fails, and leaves no file behind', async () => {
    gateway.behave(() => 'error');
    const worker = await openWorker();
    expect(await worker.make()).toBe(true);
    expect(await worker.close()).toEqual({ uploaded: 0, left: 1 });
    expect(await worker.pin()).toEqual(SEGMENT);
    expect(worker.away).toHaveLength(1);
    expect(await readdir(path.join(worker.home, 'work'))).toEqual([]);
  });

  it('takes nothing from an entry that someone else has written', async () => {
    const bucket = server.open();
    const { Readable } = await import('node:stream');
    for (const suffix of [undefined, '~5-0', `~${(2 ** 40).toString(16)}-0`, 'x']) {
      await bucket.put({
        key: `cache/segments/${name}`,
        sizeBytes: 5,
        open: () => Readable.from([Buffer.from('12345')]),
        headers: suffix === undefined ? {} : { 'x-amz-meta-checksum': suffix },
      });
      expect(await (await openWorker()).pin()).toBeUndefined();
    }
  });
});
