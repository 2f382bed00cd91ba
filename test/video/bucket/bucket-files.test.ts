/**
 * Result files in a bucket: each attempt has its own prefix, the outcome decides which stay, and clients get only what
 * is public.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bucket } from '../../../src/video/bucket/bucket.ts';
import { createBucketFiles } from '../../../src/video/bucket/bucket-files.ts';
import { nameFiles, newNameSecret } from '../../../src/video/plan/name-files.ts';
import { createFileStorage, type FileStorage } from '../../../src/video/publish/file-storage.ts';
import { serviceOpener } from '../../api/server/running-service.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { type Gateway, openGateway } from './faulty-gateway.ts';
import { describeWithBucket } from './test-bucket.ts';

const [NAME = ''] = nameFiles(['june'], newNameSecret());
const FILM = Buffer.from(Array.from({ length: 50_000 }, (_, n) => n % 251));
const NAMES = [`${NAME}.mp4`, `${NAME}.jpg`, 'report.html', 'report.json'];
const owned = async () => {};
const lost = async () => {
  throw new Error('another process has taken the task');
};

describeWithBucket('result files in a bucket', (server) => {
  const openService = serviceOpener();
  let tasks = 0;
  let owner: { organizationId: string; taskId: string };
  let home: string;
  let gateway: Gateway;
  let bucket: Bucket;
  let files: FileStorage;
  beforeEach(async () => {
    tasks += 1;
    owner = { organizationId: 'org_a', taskId: `01934a5e-7c3b-7d2e-9f10-${String(tasks).padStart(12, '0')}` };
    home = temporaryFolder();
    gateway = await openGateway(() => server.env.AWS_ENDPOINT_URL_S3!);
    bucket = server.open({ env: { AWS_ENDPOINT_URL_S3: gateway.url } });
    files = createBucketFiles(bucket, createFileStorage(home));
  });
  afterEach(() => gateway.close());

  async function stage(fence: number, assertOwned = owned, signal?: AbortSignal) {
    const folder = await files.openAttempt(owner, fence, assertOwned, signal);
    for (const name of NAMES) await writeFile(folder.stagedPath(name), FILM);
    return folder;
  }

  async function publish(fence: number): Promise<string> {
    const folder = await stage(fence);
    await folder.publish(NAMES);
    await folder.close();
    return `${owner.organizationId}/${owner.taskId}/${fence}/${NAME}.mp4`;
  }

  const stored = async () =>
    (await server.open().list('files/'))
      .filter((key) => key.includes(owner.taskId))
      .map((key) => key.slice(12 + 37));
  const reportOf = (fence: number) => path.join(files.folderOf(owner), String(fence), 'report.json');

  describe('an attempt', () => {
    it('publishes under its own prefix, the report last, and leaves nothing on the disk', async () => {
      await publish(1);
      expect(await stored()).toEqual([`1/${NAME}.jpg`, `1/${NAME}.mp4`, '1/report.json'].sort());
      expect(gateway.seen.at(-1)).toContain('/1/report.json');
      expect(gateway.seen).toHaveLength(3);
      expect(await readdir(path.join(home, 'files'))).toEqual(['.staging']);
      expect(await readdir(path.join(home, 'files', '.staging'))).toEqual([]);
    });

    it('tries again while the bucket is away, busy or damages bytes', async () => {
      const answers = ['error', 'busy', 'drop', 'pass'] as const;
      let count = 0;
      gateway.behave(() => answers[Math.min(count++, 3)]!);
      const folder = await stage(1);
      await folder.publish([NAMES[0]!]);
      await folder.close();
      expect(await stored()).toEqual([`1/${NAME}.mp4`]);
      expect(count).toBe(4);
    });

    it('is not taken in by a proxy that answers for the bucket: nothing is published that is not there', async () => {
      let count = 0;
      gateway.behave(() => (count++ < 2 ? 'page' : 'pass'));
      const folder = await stage(1);
      await folder.publish([NAMES[0]!]);
      await folder.close();
      expect(await stored()).toEqual([`1/${NAME}.mp4`]);
      // The upload, the question whether it is there, and the upload again.
      expect(gateway.seen.map((line) => line.split(' ')[0])).toEqual(['PUT', 'HEAD', 'PUT']);
    });

    it('asks the bucket for a file whose answer does not name it', async () => {
      gateway.behave(() => 'no-etag');
      const folder = await stage(1);
      await folder.publish([NAMES[0]!]);
      await folder.close();
      expect(gateway.seen.map((line) => line.split(' ')[0])).toEqual(['PUT', 'HEAD']);
    });

    it('removes what it has stored when another process has the task, or when it is stopped', async () => {
      const late = await stage(1, lost);
      await expect(late.publish(NAMES)).rejects.toThrow('another process');
      await late.close();
      expect(await stored()).toEqual([]);
      const stop = new AbortController();
      gateway.behave(({ url }) => {
        if (!url?.includes('.jpg')) return 'pass';
        stop.abort(new Error('stopped'));
        return 'hang';
      });
      const stopped = await stage(3, owned, stop.signal);
      await expect(stopped.publish(NAMES)).rejects.toThrow('stopped');
      await stopped.close();
      expect(await stored()).toEqual([]);
    });

    it('fails as a fault of the machine at once when the bucket refuses it', async () => {
      const env = { AWS_SECRET_ACCESS_KEY: 'wrong' };
      files = createBucketFiles(server.open({ env }), createFileStorage(home));
      const folder = await stage(1);
      await expect(folder.publish(NAMES)).rejects.toMatchObject({ code: 'storage_unavailable' });
      await folder.close();
    });
  });

  describe('the end of a task', () => {
    it('removes the files of every attempt but the one of its outcome', async () => {
      for (const fence of [1, 3, 5, 9]) await publish(fence);
      await files.removeUnused({ ...owner, fence: 6, report: reportOf(5) });
      expect((await stored()).map((key) => key[0])).toEqual(['5', '5', '5', '9', '9', '9']);
      await files.removeUnused({ ...owner, fence: 10, report: null });
      expect(await stored()).toEqual([]);
    });

    it('costs no request when its first attempt succeeded', async () => {
      await publish(1);
      const before = gateway.seen.length;
      await files.removeUnused({ ...owner, fence: 2, report: reportOf(1) });
      expect(gateway.seen.slice(before)).toEqual([]);
      expect(await stored()).toHaveLength(3);
    });

    it('removes all files with the task, and fails while it cannot', async () => {
      await publish(1);
      gateway.behave(() => 'error');
      await expect(files.remove(owner)).rejects.toMatchObject({ code: 'storage_unavailable' });
      gateway.behave(() => 'pass');
      await files.remove(owner);
      expect(await stored()).toEqual([]);
    });
  });

  for (const proxiesFiles of [false, true]) {
    describe(proxiesFiles ? 'a server that sends them itself' : 'a server that redirects', () => {
      it('gives whole files and ranges to everyone who has the address', async () => {
        const name = await publish(1);
        const { service } = await openService({ files, proxiesFiles });
        const film = `${await service.start()}/files/${name}`;
        const first = await fetch(film, { redirect: 'manual' });
        expect(first.status).toBe(proxiesFiles ? 200 : 302);
        expect(first.headers.get('x-robots-tag')).toBe('noindex');
        await first.arrayBuffer();
        const whole = await fetch(film);
        expect(whole.headers.get('content-type')).toBe('video/mp4');
        expect(Buffer.from(await whole.arrayBuffer())).toEqual(FILM);
        const part = await fetch(film, { headers: { range: 'bytes=100-199' } });
        expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 100-199/50000']);
        expect(Buffer.from(await part.arrayBuffer())).toEqual(FILM.subarray(100, 200));
        const head = await fetch(film, { method: 'HEAD' });
        expect([head.status, head.headers.get('content-length')]).toEqual([200, '50000']);
        expect((await fetch(film, { headers: { range: 'bytes=90000-' } })).status).toBe(416);
        const etag = whole.headers.get('etag')!;
        const again = await fetch(film, { headers: { 'if-none-match': etag } });
        expect(again.status).toBe(304);
      });

      it('gives nothing else: no reports, other depths, other names or tricks', async () => {
        const name = await publish(1);
        const { service } = await openService({ files, proxiesFiles });
        const url = await service.start();
        const folder = path.posix.dirname(name);
        const before = gateway.seen.length;
        for (const trick of [
          `${folder}/report.json`,
          `${folder}/`,
          `${folder}/../1/${NAME}.mp4`.replaceAll('../', '..%2f'),
          `${name}?X-Amz-Signature=x`.replace('.mp4', '.mp4%3f'),
          `${name}/`,
          `${owner.organizationId}/${owner.taskId}/0/${NAME}.mp4`,
          `../cache/segments/${NAME}.mp4`.replace('../', '..%2f'),
        ]) {
          const answer = await fetch(`${url}/files/${trick}`, { redirect: 'manual' });
          expect([trick, answer.status]).toEqual([trick, 404]);
        }
        expect(gateway.seen.slice(before)).toEqual([]);
        const other = name.replace(owner.taskId, '01934a5e-7c3b-7d2e-9f10-999999999999');
        expect((await fetch(`${url}/files/${other}`)).status).toBe(404);
      });

      it('still serves what was stored on the disk before', async () => {
        const folder = path.join(files.folderOf(owner), '1');
        await mkdir(folder, { recursive: true });
        await writeFile(path.join(folder, `${NAME}.mp4`), FILM);
        const { service } = await openService({ files, proxiesFiles });
        const name = `${owner.organizationId}/${owner.taskId}/1/${NAME}.mp4`;
        const answer = await fetch(`${await service.start()}/files/${name}`, { redirect: 'manual' });
        expect(answer.status).toBe(200);
        expect(Buffer.from(await answer.arrayBuffer())).toEqual(FILM);
      });
    });
  }

  it('redirects to a URL that opens this file alone, and expires after 15 minutes', async () => {
    const name = await publish(1);
    const { service } = await openService({ files });
    const film = `${await service.start()}/files/${name}`;
    const answer = await fetch(film, { redirect: 'manual' });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const signed = new URL(answer.headers.get('location')!);
    expect(signed.searchParams.get('X-Amz-Expires')).toBe('900');
    expect((await fetch(`${signed}`.replace(`${NAME}.mp4`, 'report.json'))).status).toBe(403);
    const page = await fetch(new URL('/', film));
    expect(page.headers.get('content-security-policy')).toContain(`media-src 'self' ${gateway.url}`);
  });

  it('answers 503 when the bucket is away, and says what digest a file has', async () => {
    const name = await publish(1);
    const { service, log } = await openService({ files, proxiesFiles: true });
    const film = `${await service.start()}/files/${name}`;
    const digest = createHash('sha256').update(FILM).digest('base64');
    expect((await fetch(film)).headers.get('repr-digest')).toBe(`sha-256=:${digest}:`);
    gateway.behave(() => 'drop');
    const away = await fetch(film);
    expect([
      away.status,
      away.headers.get('retry-after'),
      ((await away.json()) as { code: string }).code,
    ]).toEqual([503, '5', 'unavailable']);
    gateway.behave(() => 'error');
    expect((await fetch(film)).status).toBe(503);
    gateway.behave(() => 'cut');
    await expect(fetch(film).then((cut) => cut.arrayBuffer())).rejects.toThrow();
    expect(JSON.stringify(log)).not.toMatch(/X-Amz|Signature/);
  });
});
