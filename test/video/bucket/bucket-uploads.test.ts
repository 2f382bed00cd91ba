/** Uploads of many servers: the bytes in a bucket, the records in a database. Images are really decoded. */
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createDiskCache } from '../../../src/platform/disk/cache/disk-cache.ts';
import { createPostgresUploads } from '../../../src/task/postgres/postgres-uploads.ts';
import { createPostgresTaskStore } from '../../../src/task/postgres/tasks/postgres-task-store.ts';
import type { Bucket } from '../../../src/video/bucket/bucket.ts';
import { createBucketUploads } from '../../../src/video/bucket/bucket-uploads.ts';
import { type AddedUpload, openUploads, type Uploads } from '../../../src/video/uploads/open-uploads.ts';
import type { UploadQuota } from '../../../src/video/uploads/upload-store.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { quarters } from '../../media/assets/sample-pictures.ts';
import { describeWithDatabase } from '../../task/postgres/test-server.ts';
import { type Gateway, openGateway } from './faulty-gateway.ts';
import { describeWithBucket } from './test-bucket.ts';

const HOUR_MS = 3_600_000;
const TASK = '01934a5e-7c3b-7d2e-9f10-000000000001';
const signal = new AbortController().signal;

describeWithDatabase('uploads of many servers', ({ database }) => {
  describeWithBucket('in a bucket', (server) => {
    let bucket: Bucket;
    let gateway: Gateway;
    let jpeg: Buffer;
    let cacheDir: string;
    beforeAll(async () => {
      cacheDir = temporaryFolder();
      jpeg = await quarters().jpeg().toBuffer();
    });
    beforeEach(async () => {
      gateway = await openGateway(() => server.env.AWS_ENDPOINT_URL_S3!);
      bucket = server.open({ env: { AWS_ENDPOINT_URL_S3: gateway.url } });
      for (const key of await bucket.list('uploads/')) await bucket.remove(key);
    });
    afterEach(() => gateway.close());

    /** One of the servers, with a disk of its own, but for the cache: the photo of all tests is decoded once. */
    function open({ quota, nowMs = Date.now }: { quota?: UploadQuota; nowMs?: () => number } = {}): Uploads {
      const home = temporaryFolder();
      return openUploads({
        home,
        store: createBucketUploads(bucket, 0).keep(createPostgresUploads(database)),
        cache: createDiskCache(cacheDir, { maxBytes: 1e9 }),
        nowMs,
        decodesAtOnce: 2,
        ...(quota === undefined ? {} : { quota }),
      });
    }

    async function added(uploads: Uploads, organizationId = 'org_a'): Promise<string> {
      return idOf(await uploads.add(organizationId, jpeg));
    }

    const stored = () => server.open().list('uploads/');
    const rows = async () => (await database.query('select id from listing_video.uploads')).length;
    const never = async () => null;
    const sweep = (uploads: Uploads, hours: number) =>
      uploads.sweep({ nowMs: Date.now() + hours * HOUR_MS, isOver: never });

    it('are stored by one server, named at another, and read by a worker, all of their organization only', async () => {
      const [first, second] = [open(), open()];
      expect(await second.hasAny()).toBe(false);
      const id = await added(first);
      expect(await second.hasAny()).toBe(true);
      expect(await stored()).toEqual([`uploads/org_a/${id}`]);
      const hostile = [
        '',
        'upload_',
        `../org_a/${id}`,
        `${id}\0`,
        `upload_${'0'.repeat(32)}`,
        "' or true --",
      ];
      expect(await second.findMissing('org_a', [id, ...hostile])).toEqual(hostile);
      expect(await second.findMissing('org_b', [id])).toEqual([id]);
      const folder = temporaryFolder();
      const fetch = async (organizationId: string, to: string) => {
        const file = path.join(folder, to);
        await createBucketUploads(bucket).fetch({ organizationId, id }, file, signal);
        return readFile(file).catch(() => null);
      };
      expect((await fetch('org_a', 'ours'))?.equals(jpeg)).toBe(true);
      expect(await fetch('org_b', 'theirs')).toBe(null);
    });

    it('count against their organization over all servers, also when they come at once', async () => {
      const quota = { maxFiles: 3, maxBytes: 2.5 * jpeg.length };
      const servers = [open({ quota }), open({ quota })];
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, n) => servers[n % 2]!.add('org_a', jpeg)),
      );
      expect(answers.map(({ kind }) => kind).sort()).toEqual([
        'full',
        'full',
        'full',
        'full',
        'stored',
        'stored',
      ]);
      expect((await servers[0]!.add('org_b', jpeg)).kind).toBe('stored');
      expect((await stored()).length).toBe(3);
    });

    it('that are no photos, or of clients that left, leave nothing', async () => {
      const uploads = open();
      expect((await uploads.add('org_a', Buffer.from('no photo'))).kind).toBe('unusable');
      const unknown = await quarters(64, 48).jpeg().toBuffer();
      expect((await uploads.add('org_a', unknown, () => false)).kind).toBe('unwanted');
      expect([await stored(), await rows()]).toEqual([[], 0]);
    });

    it('are removed after a day, by any server; before it they cannot be named any more', async () => {
      const [first, second] = [open(), open()];
      const id = await added(first);
      expect(await sweep(second, 24)).toBe(0);
      expect(await open({ nowMs: () => Date.now() + 25 * HOUR_MS }).findMissing('org_a', [id])).toEqual([id]);
      expect(await sweep(second, 25)).toBe(1);
      expect([await stored(), await rows()]).toEqual([[], 0]);
    });

    it('stay until every task that uses them has succeeded or is removed', async () => {
      const uploads = open();
      const tasks = createPostgresTaskStore({ database, summarize: () => ({ label: 'L', resultCount: 1 }) });
      const id = await added(uploads);
      await uploads.hold('org_b', TASK, [id]);
      expect(await database.query('select 1 from listing_video.upload_holds')).toEqual([]);
      await uploads.hold('org_a', TASK, [id]);
      // Its task is not stored yet.
      expect(await sweep(uploads, 25)).toBe(0);
      await tasks.create({ id: TASK, origin: 'api', organizationId: 'org_a', payload: {} });
      const end = async (failed: boolean) => {
        const result = await tasks.claim(TASK);
        if (result.kind !== 'claimed') throw new Error(result.kind);
        const failure = { code: 'render_failed', message: 'x', context: {} } as const;
        const how = failed
          ? ({ kind: 'failed', failure } as const)
          : ({ kind: 'succeeded', outcome: null } as const);
        await tasks.settle(result.claim, how, null);
      };
      await end(true);
      expect(await sweep(uploads, 25)).toBe(0);
      await tasks.retry(TASK);
      await end(false);
      expect(await sweep(uploads, 25)).toBe(1);
      expect(await stored()).toEqual([]);
    });

    it('of a task that was never stored, or was removed, are free again', async () => {
      const uploads = open();
      const [released, forgotten] = [await added(uploads), await added(uploads)];
      await uploads.hold('org_a', TASK, [released]);
      await uploads.release('org_b', TASK);
      expect(await sweep(uploads, 25)).toBe(1);
      await uploads.release('org_a', TASK);
      expect(await sweep(uploads, 25)).toBe(1);
      expect([released, forgotten, ...(await stored())]).toEqual([released, forgotten]);
      const lost = await added(uploads);
      await uploads.hold('org_a', TASK, [lost]);
      await database.query(`update listing_video.upload_holds set held_at = now() - interval '2 hours'`);
      expect(await sweep(uploads, 25)).toBe(1);
    });

    it('that a killed server left half stored are removed after an hour', async () => {
      const uploads = open();
      const id = await added(uploads);
      await database.query('update listing_video.uploads set is_stored = false');
      expect(await uploads.findMissing('org_a', [id])).toEqual([id]);
      expect(await sweep(uploads, 0)).toBe(0);
      await database.query(`update listing_video.uploads set created_at = now() - interval '2 hours'`);
      expect(await sweep(uploads, 0)).toBe(1);
      expect(await stored()).toEqual([]);
    });

    it('fail with the fault of the machine while the bucket is away, and stay recorded until they are removed', async () => {
      const uploads = open();
      const id = await added(uploads);
      gateway.behave(({ method }) => (method === 'PUT' ? 'drop' : 'pass'));
      await expect(uploads.add('org_a', jpeg)).rejects.toMatchObject({ code: 'storage_unavailable' });
      expect(await rows()).toBe(1);
      gateway.behave(({ method }) => (method === 'DELETE' ? 'drop' : 'pass'));
      await expect(sweep(uploads, 25)).rejects.toMatchObject({ code: 'storage_unavailable' });
      expect([await rows(), await stored()]).toEqual([1, [`uploads/org_a/${id}`]]);
      gateway.behave(() => 'pass');
      expect(await sweep(uploads, 25)).toBe(1);
    });

    it('are fetched again after an answer that broke off', async () => {
      const id = await added(open());
      let tries = 0;
      gateway.behave(({ method }) => (method === 'GET' && ++tries === 1 ? 'cut' : 'pass'));
      const to = path.join(temporaryFolder(), 'upload');
      await mkdir(path.dirname(to), { recursive: true });
      await createBucketUploads(bucket).fetch({ organizationId: 'org_a', id }, to, signal);
      expect([tries, (await readFile(to)).equals(jpeg)]).toEqual([2, true]);
    });
  });
});

function idOf(added: AddedUpload): string {
  if (added.kind !== 'stored') throw new Error(added.kind);
  return added.id;
}
