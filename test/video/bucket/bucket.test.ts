/** The client of a bucket, against a server that checks signatures. */
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import type { Bucket, Upload } from '../../../src/video/bucket/bucket.ts';
import type { BucketRequest } from '../../../src/video/bucket/observe-request.ts';
import { describeWithBucket } from './test-bucket.ts';

const uploadOf = (key: string, content: string, headers?: Upload['headers']): Upload => ({
  key,
  sizeBytes: Buffer.byteLength(content),
  open: () => Readable.from([Buffer.from(content)]),
  ...(headers === undefined ? {} : { headers }),
});

const textOf = async (bucket: Bucket, key: string): Promise<string | null> => {
  const answer = await bucket.get(key);
  if (answer === null) return null;
  const pieces: Buffer[] = [];
  for await (const piece of answer.body) pieces.push(piece);
  return Buffer.concat(pieces).toString();
};

describeWithBucket('a bucket', (server) => {
  it('stores an object with its type and its own headers, returns it, lists it and removes it', async () => {
    const bucket = server.open();
    await bucket.put(
      uploadOf('a/1.mp4', 'film', { 'content-type': 'video/mp4', 'x-amz-meta-checksum': '4-af' }),
    );
    await bucket.put(uploadOf('ab/2.mp4', 'other'));
    const answer = await bucket.get('a/1.mp4');
    expect(answer?.headers).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': '4',
      'x-amz-meta-checksum': '4-af',
    });
    answer?.discard();
    expect(await textOf(bucket, 'a/1.mp4')).toBe('film');
    expect(await bucket.list('a/')).toEqual(['a/1.mp4']);
    expect(await bucket.list('a')).toEqual(['a/1.mp4', 'ab/2.mp4']);
    await bucket.remove('a/1.mp4');
    await bucket.remove('a/1.mp4');
    expect(await textOf(bucket, 'a/1.mp4')).toBeNull();
  });

  it('reports each request with its end, its purpose and its bytes, and nothing secret', async () => {
    const requests: BucketRequest[] = [];
    const onRequest = (request: BucketRequest) => requests.push(request);
    const bucket = server.open({ onRequest });
    await bucket.put(uploadOf('cache/audio/1', 'sound'));
    await textOf(bucket, 'cache/audio/1');
    await textOf(bucket, 'cache/audio/2');
    (await bucket.get('cache/audio/1'))?.discard();
    await bucket.list('files/org/');
    await bucket.remove('cache/audio/1');
    const wrong = server.open({ onRequest, env: { AWS_SECRET_ACCESS_KEY: 'wrong' } });
    await expect(wrong.put(uploadOf('ready', 'x'))).rejects.toThrow();
    const away = server.open({ onRequest, env: { AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1' } });
    await expect(away.get('uploads/org/1')).rejects.toThrow();
    const stopped = server.open({ onRequest });
    await expect(stopped.get('ready', { signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow();
    expect(requests.map(({ durationSec, ...request }) => Object.values(request))).toEqual([
      ['put', 'cache', 'succeeded', 5, 0],
      ['get', 'cache', 'succeeded', 0, 5],
      ['get', 'cache', 'missing', 0, expect.any(Number)],
      ['get', 'cache', 'succeeded', 0, 0],
      ['list', 'files', 'succeeded', 0, expect.any(Number)],
      ['remove', 'cache', 'succeeded', 0, 0],
      ['put', 'ready', 'failed', 0, expect.any(Number)],
      ['get', 'uploads', 'failed', 0, 0],
    ]);
    for (const { durationSec } of requests) expect(durationSec).toBeGreaterThan(0);
  });

  it('signs keys of every character', async () => {
    const bucket = server.open();
    const key = "odd/a b+c%20&=~(x)*!'$@:;,ü–🏠.txt";
    await bucket.put(uploadOf(key, 'odd'));
    expect(await textOf(bucket, key)).toBe('odd');
    const url = await bucket.signUrl({ method: 'GET', key, expirySec: 60 });
    expect(await (await fetch(url)).text()).toBe('odd');
  });

  it('refuses bytes that were damaged on their way, and keeps what was there', async () => {
    const bucket = server.open();
    await bucket.put(uploadOf('digest', 'good'));
    const md5 = '1B2M2Y8AsgTpgAmY7PhCfg==';
    await expect(bucket.put(uploadOf('digest', 'evil', { 'content-md5': md5 }))).rejects.toMatchObject({
      code: 'storage_unavailable',
      context: { reason: 'BadDigest (HTTP status 400)', may_pass: true },
    });
    expect(await textOf(bucket, 'digest')).toBe('good');
  });

  it('leaves nothing of an upload that dies half way', async () => {
    const bucket = server.open();
    const dying: Upload = {
      key: 'half',
      sizeBytes: 1_000_000,
      open: () =>
        Readable.from(
          (function* () {
            yield Buffer.alloc(300_000);
            throw Object.assign(new Error('the disk fails'), { code: 'EIO' });
          })(),
        ),
    };
    await expect(bucket.put(dying)).rejects.toThrow();
    const short: Upload = { ...uploadOf('half', 'short'), sizeBytes: 1_000 };
    await expect(bucket.put(short)).rejects.toThrow();
    expect(await textOf(bucket, 'half')).toBeNull();
  });

  it('names the cause of a refusal, and neither key nor secret nor signature', async () => {
    const wrong = { AWS_ACCESS_KEY_ID: 'AKIDWRONG', AWS_SECRET_ACCESS_KEY: 's3cr3tWRONG' };
    for (const [env, reason, hint] of [
      [wrong, 'SignatureDoesNotMatch (HTTP status 403)', 'AWS_SECRET_ACCESS_KEY'],
      [{ AWS_SECRET_ACCESS_KEY: 's3cr3tWRONG' }, 'SignatureDoesNotMatch (HTTP status 403)', 'AWS_REGION'],
      [{ AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1' }, 'connection refused', 'AWS_ENDPOINT_URL_S3'],
    ] as const) {
      const bucket = server.open({ env });
      for (const call of [
        () => bucket.put(uploadOf('x', 'x')),
        () => bucket.get('x'),
        () => bucket.remove('x'),
        () => bucket.list('x'),
      ]) {
        const error = await call().then(
          () => null,
          (cause: unknown) => cause as Error & { context: object; hint: string },
        );
        expect(error).toMatchObject({ code: 'storage_unavailable', context: { reason } });
        expect(error?.hint).toContain(hint);
        const shown = `${error?.message} ${error?.hint} ${JSON.stringify(error?.context)} ${error?.stack}`;
        expect(shown).not.toMatch(/WRONG|X-Amz|Signature=|test:tester/);
      }
    }
  });

  it('works on a machine whose clock is hours wrong', async () => {
    for (const offsetMs of [-5 * 3_600_000, 5 * 3_600_000]) {
      const nowMs = () => Date.now() + offsetMs;
      expect(await server.open({ nowMs }).list('nothing/')).toEqual([]);
      // A server that has asked the bucket for nothing yet.
      const early = await server.open({ nowMs }).signUrl({ method: 'GET', key: 'none', expirySec: 60 });
      expect((await fetch(early)).status).toBe(404);
      const bucket = server.open({ nowMs });
      await bucket.put(uploadOf('skewed', `${offsetMs}`));
      expect(await textOf(bucket, 'skewed')).toBe(`${offsetMs}`);
      const url = await bucket.signUrl({ method: 'GET', key: 'skewed', expirySec: 60 });
      expect((await fetch(url)).status).toBe(200);
    }
  });

  it('opens an object with a signed URL for a while, and nothing else', async () => {
    const bucket = server.open();
    await bucket.put(uploadOf('film', '0123456789'));
    await bucket.put(uploadOf('film2', 'other'));
    const url = await bucket.signUrl({ method: 'GET', key: 'film', expirySec: 900 });
    const part = await fetch(url, { headers: { range: 'bytes=2-4' } });
    expect([part.status, await part.text()]).toEqual([206, '234']);
    expect((await fetch(`${url}`.replace('/film?', '/film2?'))).status).toBe(403);
    expect((await fetch(`${url}`.replace('Expires=900', 'Expires=90000'))).status).toBe(403);
    expect((await fetch(url, { method: 'DELETE' })).status).toBe(403);
    let ageMs = 0;
    const old = server.open({ nowMs: () => Date.now() - ageMs });
    await old.list('nothing/');
    ageMs = 6 * 60_000;
    const expired = await old.signUrl({ method: 'GET', key: 'film', expirySec: 300 });
    expect((await fetch(expired)).status).toBe(403);
  });

  it('is unavailable while the server is stopped, and works again afterwards', async () => {
    const bucket = server.open();
    await bucket.put(uploadOf('stays', 'here'));
    await server.stop();
    await expect(bucket.get('stays')).rejects.toMatchObject({
      code: 'storage_unavailable',
      context: { may_pass: true },
    });
    await server.start();
    expect(await textOf(bucket, 'stays')).toBe('here');
  });
});
