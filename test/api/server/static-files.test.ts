/** Result files over HTTP: ranges, validators, types, and no way to anything else. */
import { createHash } from 'node:crypto';
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nameFiles, newNameSecret, UNGUESSABLE_NAME } from '../../../src/video/plan/name-files.ts';
import { type OpenedService, openService, talk } from './running-service.ts';

const TASK = '01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00';
const [NAME = '', OTHER = ''] = nameFiles(['june', 'marcus'], newNameSecret());
const FILM = Buffer.from(Array.from({ length: 5_000 }, (_, n) => n % 251));

let opened: OpenedService;
let url: string;
let film: string;

beforeAll(async () => {
  opened = await openService();
  url = await opened.service.start();
  const folder = opened.files.folderOf({ organizationId: 'org_a', taskId: TASK });
  await mkdir(path.join(folder, '7'), { recursive: true });
  for (const ending of ['mp4', 'gif', 'jpg']) await writeFile(path.join(folder, `${NAME}.${ending}`), FILM);
  const sha256 = createHash('sha256').update(FILM).digest('hex');
  const videos = [
    {
      video: { file: `${NAME}.mp4`, size_bytes: FILM.length, sha256 },
      poster: { file: `${NAME}.jpg`, size_bytes: FILM.length - 1, sha256 },
      preview: null,
    },
  ];
  await writeFile(path.join(folder, 'report.json'), JSON.stringify({ videos }));
  await writeFile(path.join(folder, 'report.html'), '<p>');
  for (const name of [`${NAME}.mp4`, 'report.json']) {
    await copyFile(path.join(folder, name), path.join(folder, '7', name));
  }
  await writeFile(path.join(folder, '.listing-video.lock'), '{}');
  await mkdir(path.join(folder, `${'F'.repeat(22)}.mp4`));
  await writeFile(path.join(opened.home, 'secret.txt'), 'secret');
  film = `${url}/files/org_a/${TASK}/${NAME}.mp4`;
});
afterAll(async () => {
  await opened.stop();
  await opened.remove();
});

const get = (headers: Record<string, string> = {}, method = 'GET') => fetch(film, { method, headers });
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe('a file', () => {
  it('is sent whole to anyone who has its address, without a key', async () => {
    await opened.accounts.createKey({ organizationId: 'org_default' });
    const response = await get();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': '5000',
      'accept-ranges': 'bytes',
      etag: expect.stringMatching(/^"[0-9a-f-]+"$/),
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      'x-robots-tag': 'noindex',
      'x-request-id': expect.any(String),
    });
    expect(await bytesOf(response)).toEqual(FILM);
  });

  it('is kept by no cache without asking, because its task can be removed at any time', async () => {
    const response = await get();
    expect(response.headers.get('cache-control')).toBe('public, no-cache');
    const etag = response.headers.get('etag')!;
    // fetch adds a Cache-Control of its own to a conditional request.
    const again = await talk(
      url,
      `GET ${new URL(film).pathname} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nIf-None-Match: ${etag}\r\n\r\n`,
    );
    expect(again).toMatch(/^HTTP\/1\.1 304 .*cache-control: public, no-cache/is);
    const other = { organizationId: 'org_a', taskId: '01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f01' };
    const folder = opened.files.folderOf(other);
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, `${OTHER}.mp4`), FILM);
    const removed = `${url}/files/org_a/${other.taskId}/${OTHER}.mp4`;
    const tag = (await fetch(removed)).headers.get('etag')!;
    await opened.files.remove(other);
    expect((await fetch(removed, { headers: { 'if-none-match': tag } })).status).toBe(404);
  });

  it('carries the digest of the whole, also with a part of it, as its report knows it', async () => {
    const digest = `sha-256=:${createHash('sha256').update(FILM).digest('base64')}:`;
    for (const [headers, status] of [
      [{}, 200],
      [{ range: 'bytes=4000-' }, 206],
    ] as const) {
      const response = await get(headers);
      expect([response.status, response.headers.get('repr-digest')]).toEqual([status, digest]);
    }
    expect((await get({}, 'HEAD')).headers.get('repr-digest')).toBe(digest);
    expect((await get({ range: 'bytes=9999-' })).headers.get('repr-digest')).toBeNull();
    // One of another size is not the file that the report is about, and of the third it says nothing.
    for (const ending of ['jpg', 'gif']) {
      const response = await fetch(film.replace(/mp4$/, ending));
      expect([response.status, response.headers.get('repr-digest')]).toEqual([200, null]);
    }
  });

  it.each([
    ['gif', 'image/gif'],
    ['jpg', 'image/jpeg'],
  ])('that ends in .%s is %s', async (ending, type) => {
    const response = await fetch(film.replace(/mp4$/, ending));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    await response.arrayBuffer();
  });

  it.each([
    ['bytes=0-1', 'bytes 0-1/5000', 0, 2],
    ['bytes=100-199', 'bytes 100-199/5000', 100, 200],
    ['bytes=4990-', 'bytes 4990-4999/5000', 4990, 5000],
    ['bytes=-10', 'bytes 4990-4999/5000', 4990, 5000],
    ['bytes=4000-9999', 'bytes 4000-4999/5000', 4000, 5000],
    // RFC 9110, 14.1.2: a suffix longer than the file is all of it. Players ask so for the index at a film's end.
    ['bytes=-5000', 'bytes 0-4999/5000', 0, 5000],
    ['bytes=-5001', 'bytes 0-4999/5000', 0, 5000],
    [`bytes=-${'9'.repeat(400)}`, 'bytes 0-4999/5000', 0, 5000],
  ])('is sent in part: %s', async (range, contentRange, from, to) => {
    const response = await get({ range });
    expect([response.status, response.headers.get('content-range')]).toEqual([206, contentRange]);
    expect(response.headers.get('content-length')).toBe(String(to - from));
    expect(await bytesOf(response)).toEqual(FILM.subarray(from, to));
  });

  it('has no part beyond its end', async () => {
    for (const range of ['bytes=5000-', 'bytes=-0']) {
      const response = await get({ range });
      expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */5000']);
      expect(await response.json()).toMatchObject({ code: 'range_not_satisfiable' });
    }
  });

  it.each(['bytes=x', 'lines=1-2', 'bytes=0-1,5-6'])(
    'is sent whole where a range makes no sense: %s',
    async (range) => {
      const response = await get({ range });
      expect([response.status, (await bytesOf(response)).length]).toEqual([200, 5000]);
    },
  );

  it('is not sent to a client that has it', async () => {
    const { headers } = await get({}, 'HEAD');
    const known: [string, string][] = [
      ['if-none-match', headers.get('etag')!],
      ['if-none-match', `"other", W/${headers.get('etag')}`],
      ['if-none-match', '*'],
      ['if-modified-since', headers.get('last-modified')!],
    ];
    for (const [name, value] of known) {
      const response = await get({ [name]: value });
      expect([name, response.status, (await bytesOf(response)).length]).toEqual([name, 304, 0]);
      expect(response.headers.get('etag')).toBe(headers.get('etag'));
    }
    expect((await get({ 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('is sent in part only while it is the same: If-Range', async () => {
    const { headers } = await get({}, 'HEAD');
    const etag = headers.get('etag')!;
    const isPart = async (validator: string) => {
      const response = await get({ range: 'bytes=0-9', 'if-range': validator });
      return [response.status, (await bytesOf(response)).length];
    };
    for (const same of [etag, headers.get('last-modified')!]) expect(await isPart(same)).toEqual([206, 10]);
    // RFC 9110, 13.1.5: compared strongly, and a date exactly.
    const others = ['"other"', `W/${etag}`, `"other", ${etag}`, 'x'].concat(
      ['1970', '2099'].map((year) => `Thu, 01 Jan ${year} 00:00:00 GMT`),
    );
    for (const other of others) expect([other, ...(await isPart(other))]).toEqual([other, 200, 5000]);
  });

  it.each([
    ['if-match', '"other"'],
    ['if-unmodified-since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ])('is refused to a client that expects another one: %s', async (name, value) => {
    const response = await get({ [name]: value });
    expect([response.status, response.headers.get('content-type')]).toEqual([412, 'application/json']);
    expect(await response.json()).toMatchObject({ code: 'precondition_failed', context: null });
    const { headers } = await get({}, 'HEAD');
    expect((await get({ 'if-match': headers.get('etag')! })).status).toBe(200);
  });

  it('is described by HEAD, in part too', async () => {
    const whole = await get({}, 'HEAD');
    expect([whole.status, whole.headers.get('content-length'), await whole.text()]).toEqual([
      200,
      '5000',
      '',
    ]);
    const part = await get({ range: 'bytes=0-9' }, 'HEAD');
    expect([part.status, part.headers.get('content-length')]).toEqual([206, '10']);
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('takes no %s', async (method) => {
    const response = await get({}, method);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(await response.json()).toMatchObject({ code: 'method_not_allowed' });
  });

  it('leaves its name out of the log', async () => {
    await (await get()).arrayBuffer();
    await expect
      .poll(() => opened.log.filter((line) => line.path?.startsWith('/files/')).length)
      .toBeGreaterThan(0);
    expect(JSON.stringify(opened.log)).not.toContain(NAME);
  });
});

it('is also sent from the folder of its attempt, with its digest', async () => {
  const response = await fetch(`${url}/files/org_a/${TASK}/7/${NAME}.mp4`);
  expect(response.status).toBe(200);
  expect(await bytesOf(response)).toEqual(FILM);
  expect(response.headers.get('repr-digest')).toMatch(/^sha-256=:/);
});

describe('nothing else', () => {
  it.each([
    '/files',
    '/files/',
    '/files/org_a',
    '/files/org_a/',
    `/files/org_a/${TASK}`,
    `/files/org_a/${TASK}/`,
    `/files/org_a/${TASK}/report.json`,
    `/files/org_a/${TASK}/report.html`,
    `/files/org_a/${TASK}/.listing-video.lock`,
    `/files/org_a/${TASK}/${'F'.repeat(22)}.mp4`,
    `/files/org_a/${TASK}/${OTHER}.mp4`,
    `/files/org_b/${TASK}/${NAME}.mp4`,
    `/files/org_a/${TASK}/${NAME}.txt`,
    `/files/org_a/${TASK}/${NAME}.mp4/`,
    `/files/org_a/${TASK}/../${TASK}/${NAME}.mp4`,
    `/files/org_a/${TASK}/%2e%2e%2f${TASK}%2f${NAME}.mp4`,
    `/files/org_a/${TASK}/7`,
    `/files/org_a/${TASK}/7/report.json`,
    `/files/org_a/${TASK}/8/${NAME}.mp4`,
    `/files/org_a/${TASK}/07/${NAME}.mp4`,
    `/files/org_a/${TASK}/../${TASK}/7/${NAME}.mp4`,
    `/files/org_a/${TASK}/7/7/${NAME}.mp4`,
    `/files/.staging/${TASK}-7-0123456789abcdef/files/${NAME}.mp4`,
    '/files/../secret.txt',
    '/files/..%2fsecret.txt',
    '/files/%2e%2e/secret.txt',
    '/files/..\\secret.txt',
    '/files/org_a/../../secret.txt',
    '/files//etc/passwd',
    '/files/%00',
    `/files/org_a/${TASK}/${NAME}.mp4%00.jpg`,
    `/files/org_a/${TASK.toUpperCase()}/${NAME}.mp4`,
    `/Files/org_a/${TASK}/${NAME}.mp4`,
  ])('is at %s', async (target) => {
    const answer = await talk(url, `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).toContain('{"code":"not_found"');
  });

  it('nobody can guess names, nor distinguish them', () => {
    const secret = newNameSecret();
    expect(nameFiles(['june', 'marcus'], secret)).toEqual(nameFiles(['june', 'marcus'], secret));
    const names = new Set([
      ...nameFiles(['june', 'marcus', 'JUNE', '\ud800', '\ud801', '../../etc'], secret),
      ...nameFiles(['june'], newNameSecret()),
    ]);
    expect(names.size).toBe(7);
    for (const name of names) expect(`${name}.mp4`).toMatch(UNGUESSABLE_NAME);
  });

  it('an organization or a task that is no name of ours gets no folder', () => {
    for (const bad of ['', '..', '../x', 'a/b', '.hidden', 'A', 'x'.repeat(65)]) {
      expect(() => opened.files.folderOf({ organizationId: bad, taskId: TASK })).toThrow(/no id/);
      expect(() => opened.files.folderOf({ organizationId: 'org_a', taskId: bad })).toThrow(/no id/);
    }
  });
});

it('development mode sends files only under a loopback name', async () => {
  const dev = await openService();
  const at = await dev.service.start();
  const ask = (host: string) =>
    talk(at, `GET /files/a/b/c HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  expect(await ask('evil.example')).toMatch(/^HTTP\/1\.1 403 /);
  expect(await ask('localhost:1')).toMatch(/^HTTP\/1\.1 404 /);
  await dev.stop();
  await dev.remove();
});

it('a link out of the folder is of nobody’s making but the operator’s', async () => {
  // Stated, not wished for: who can write into the home can do worse.
  const folder = opened.files.folderOf({ organizationId: 'org_a', taskId: TASK });
  await symlink(path.join(opened.home, 'secret.txt'), path.join(folder, `${'L'.repeat(22)}.mp4`));
  expect((await fetch(`${url}/files/org_a/${TASK}/${'L'.repeat(22)}.mp4`)).status).toBe(200);
});
