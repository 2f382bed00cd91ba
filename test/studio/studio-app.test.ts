/** The studio's HTTP API: who can use it, and what it answers. */
import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { MadeVideo } from '../../src/studio/editor/protocol.ts';
import { loadStudioKey } from '../../src/studio/server/studio-key.ts';
import { presetId } from '../../src/video/photos/preset-id.ts';
import type { ReportVideo } from '../../src/video/publish/report.ts';
import type { VideoTaskPayload } from '../../src/video/video-task.ts';
import { agent, folderOf, listing } from '../cli/listing-files.ts';
import { aReport } from '../video/a-report.ts';
import { aStudio, KEY } from './a-studio.ts';
import { EMPTY } from './photo-stage.ts';

describe('the studio answers nobody but the browser that opened its address', () => {
  it('exchanges the token for a cookie that scripts and other sites cannot use', async () => {
    const { request, guard } = await aStudio();
    const opened = await request('GET', `/?token=${guard.token}`, undefined, { cookie: null });
    expect(opened.status).toBe(303);
    expect(opened.headers.get('location')).toBe('/');
    expect(opened.headers.get('set-cookie')).toMatch(
      /^studio-4321=[\w-]{32}; HttpOnly; SameSite=Strict; Path=\/$/,
    );
    expect(opened.headers.get('set-cookie')).not.toContain(guard.token);
  });

  it.each([
    ['without a cookie', 'GET', { cookie: null }],
    ['with another cookie', 'GET', { cookie: 'studio-4321=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' }],
    ['with the cookie of another port', 'GET', { cookie: 'studio-4322=x' }],
    ['under a name that leads to this machine (DNS rebinding)', 'GET', { host: 'rebind.example:4321' }],
    ['under a name that begins like this machine', 'GET', { host: '127.0.0.1.example:4321' }],
    ['under another port', 'GET', { host: '127.0.0.1:80' }],
    ['without a name', 'GET', { host: null }],
    ['of another website', 'POST', { origin: 'https://evil.example' }],
    ['of another port of this machine', 'POST', { origin: 'http://127.0.0.1:9999' }],
    ['of a sandboxed frame', 'POST', { origin: 'null' }],
    ['without an origin', 'POST', { origin: null }],
    ['that an image of another website makes', 'GET', { 'sec-fetch-site': 'cross-site' }],
    ['that a page on another port makes', 'GET', { 'sec-fetch-site': 'same-site' }],
  ] satisfies [string, string, Record<string, string | null>][])(
    'refuses a request %s',
    async (_, method, headers) => {
      const { request } = await aStudio();
      const answer = await request(method, method === 'GET' ? '/api/state' : '/api/undo', undefined, headers);
      expect(answer.status).toBe(403);
      expect(await answer.json()).toEqual({ code: 'forbidden', message: expect.any(String) });
    },
  );

  it('refuses the token under another name, and a wrong token', async () => {
    const { request, guard } = await aStudio();
    const headers = { cookie: null, host: 'rebind.example:4321' };
    expect((await request('GET', `/?token=${guard.token}`, undefined, headers)).status).toBe(403);
    expect((await request('GET', '/?token=wrong', undefined, { cookie: null })).status).toBe(403);
    expect((await request('POST', `/?token=${guard.token}`, undefined, { cookie: null })).status).toBe(403);
  });

  it('says in a page what to do, to a browser that comes without the token', async () => {
    const { request } = await aStudio();
    const browser = { cookie: null, accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    for (const place of ['/', '/?token=old']) {
      const answer = await request('GET', place, undefined, browser);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
      expect(answer.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-/,
      );
      expect(await answer.text()).toContain(
        'Open the address that <code>listing-video studio</code> printed',
      );
    }
    const { headers } = await request('GET', '/api/state', undefined, browser);
    expect(headers.get('content-type')).toBe('application/json');
  });

  it('admits the address that is opened for a person once', async () => {
    const { request, guard } = await aStudio();
    const ticket = guard.issueTicket();
    const open = () => request('GET', `/?token=${ticket}`, undefined, { cookie: null });
    expect([(await open()).status, (await open()).status]).toEqual([303, 403]);
  });

  it('lets a page in again that an earlier studio of the listing let in, and no other', async () => {
    const { request, guard } = await aStudio();
    const first = { cookie: null };
    const known = await (await request('GET', '/api/session')).json();
    const given = await request('GET', '/api/session', undefined, first);
    const { challenge, ...rest } = (await given.json()) as { challenge: string };
    expect([known, rest]).toEqual([{ challenge, key: KEY.toString('base64url') }, {}]);
    const prove = (key: Buffer, address: string, headers: Record<string, string | null> = first) => {
      const proof = createHmac('sha256', key).update(`${challenge} ${address}`).digest('base64url');
      return request('POST', '/api/session', { proof }, headers);
    };
    const back = await prove(KEY, '127.0.0.1:4321');
    expect([back.status, back.headers.get('set-cookie')]).toEqual([200, guard.cookie]);
    // Another program at another address of this machine asked the page for the proof.
    const wrong = [
      prove(KEY, '127.0.0.1:4322'),
      prove(Buffer.alloc(32, 8), '127.0.0.1:4321'),
      prove(KEY, '127.0.0.1:4321', { cookie: null, origin: 'https://evil.example' }),
      prove(KEY, '127.0.0.1:4321', { cookie: null, host: 'rebind.example:4321' }),
    ];
    expect((await Promise.all(wrong)).map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect((await request('POST', '/api/session', { proof: 7 }, first)).status).toBe(400);
  });

  it('keeps the key of the listing where only this user reads it, and never one that others could read', async () => {
    const { home } = await aStudio();
    const file = path.join(home, 'studio', 'a.key');
    const load = () => loadStudioKey(file, (error) => expect(error).toBeNull());
    const key = await load();
    expect([key.length, (await stat(file)).mode & 0o777]).toEqual([32, 0o600]);
    expect(Buffer.from(await load())).toEqual(Buffer.from(key));
    await chmod(file, 0o644);
    expect(Buffer.from(await load())).not.toEqual(Buffer.from(key));
    await writeFile(file, 'cut');
    expect((await load()).length).toBe(32);
  });

  it('says the same under each name of loopback', async () => {
    const { request } = await aStudio();
    for (const host of ['localhost:4321', '[::1]:4321', 'LOCALHOST:4321'])
      expect((await request('POST', '/api/undo', undefined, { host, origin: `http://${host}` })).status).toBe(
        200,
      );
  });

  it('lets no site embed or load anything, and no cache keep the state', async () => {
    const { request } = await aStudio();
    const { headers } = await request('GET', '/api/state');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});

it('knows a page from its events to its goodbye, and ends neither a render nor unsaved work', async () => {
  const { request, pages, studio, engine, folder } = await aStudio();
  const onEnd = vi.fn();
  const arrive = vi.spyOn(pages, 'arrive').mockReturnValue(onEnd);
  const leave = vi.spyOn(pages, 'leave');
  const events = await request('GET', '/api/events?page=p1');
  await events.body!.cancel();
  expect((await request('POST', '/api/goodbye?page=p1')).status).toBe(200);
  expect([arrive.mock.calls, onEnd.mock.calls, leave.mock.calls]).toEqual([[['p1']], [[]], [['p1']]]);

  expect(studio.isBusy).toBe(false);
  await request('POST', '/api/renders', {});
  expect(studio.isBusy).toBe(true);
  await engine.finish([]);
  await expect.poll(() => studio.isBusy).toBe(false);
  await rm(folder, { recursive: true });
  await request('POST', '/api/edits', {
    revision: 0,
    label: 'Bedrooms',
    patch: [{ op: 'add', path: '/bedrooms', value: 7 }],
  });
  expect(studio.isBusy).toBe(true);
});

describe('the state', () => {
  it('has the listing with what is wrong at each field', async () => {
    const { request, state } = await aStudio({
      ...listing(),
      bedroms: 3,
      bathrooms: '2.5',
      interior_square_footage: 'big',
      agents: [
        { id: 'ann', first_name: '', last_name: '', phones: [{ number: '123' }, { number: '5035550142' }] },
      ],
    });
    expect(await state(request('GET', '/api/state'))).toMatchObject({
      revision: 0,
      listing: { bedroms: 3 },
      violations: [
        {
          path: ['bathrooms'],
          message: 'Count full bathrooms only: half bathrooms have their own field.',
        },
        { path: ['interior_square_footage'], message: 'Enter a number such as 2,840.' },
      ],
      warnings: [
        { path: ['bedroms'], message: expect.stringContaining('did you mean "bedrooms"') },
        { path: ['agents', 0, 'first_name'] },
        { path: ['agents', 0, 'phones', 0, 'number'] },
      ],
      phones: [{ path: ['agents', 0, 'phones', 1, 'number'], text: '(503) 555-0142' }],
      undo: null,
      render: null,
    });
  });

  it('says once what concerns one field of several agents, or both videos of one', async () => {
    const agents = [{ id: 'ann', first_name: 'Ann', last_name: '', phones: [{ number: '12' }] }];
    const { studio, stage } = await aStudio({ ...listing(), agents });
    const of = (
      agent_id: string,
      path: string[] | null,
      ratio: '1920:1080' | '1080:1920',
      message = 'not shown',
    ) => ({ agent_id, path, ratio, message });
    const phone = '“12” is not a US phone number: the video leaves it out';
    stage.state = {
      ...stage.state,
      warnings: [
        of('ann', ['assets'], '1920:1080'),
        of('ann', ['assets'], '1080:1920'),
        of('bob', ['assets'], '1920:1080'),
        of('ann', null, '1920:1080', 'one is shown'),
        of('ann', null, '1080:1920', 'one is shown'),
        of('bob', null, '1920:1080', 'too long'),
        of('ann', null, '1920:1080', 'too long'),
        of('ann', null, '1920:1080', phone),
      ],
    };
    expect(studio.state.warnings.map((warning) => Object.values(warning))).toEqual([
      [null, null, ['agents', 0, 'phones', 0, 'number'], phone],
      [null, ['assets'], null, 'not shown'],
      ['ann', null, null, 'one is shown'],
      [null, null, '1920:1080', 'too long'],
    ]);
  });

  it('comes as events: the whole first, then the fields that changed', async () => {
    const { request, edit, stage } = await aStudio();
    const answer = await request('GET', '/api/events');
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    const reader = answer.body!.getReader();
    const next = async () => {
      const { value } = await reader.read();
      return JSON.parse(/^event: state\ndata: (.*)\n\n$/.exec(Buffer.from(value!).toString())![1]!);
    };
    expect(Object.keys(await next())).toContain('templates');
    await edit('Bedrooms', { op: 'add', path: '/bedrooms', value: 3 });
    expect(Object.keys(await next()).sort()).toEqual(['listing', 'revision', 'undo']);
    stage.state = { ...stage.state, planning: true };
    stage.onChange();
    expect(await next()).toEqual({ planning: true });
    // A page that does not read gets everything in one event.
    stage.state = { ...stage.state, planning: false };
    stage.onChange();
    await setImmediate();
    stage.state = { ...stage.state, plan_problem: 'no photos' };
    stage.onChange();
    await setImmediate();
    expect(await next()).toEqual({ planning: false, plan_problem: 'no photos' });
    await reader.cancel();
  });
});

describe('edits', () => {
  it('are saved, planned, undone and redone', async () => {
    const { folder, edit, request, state, stage } = await aStudio();
    const saved = async () => JSON.parse(await readFile(path.join(folder, 'listing.json'), 'utf8')).bedrooms;
    expect(await state(edit('Bedrooms', { op: 'add', path: '/bedrooms', value: 3 }))).toMatchObject({
      revision: 1,
      undo: 'Bedrooms',
      save: { state: 'saved' },
    });
    expect(await saved()).toBe(3);
    expect(stage.updates.at(-1)).toMatchObject({ bedrooms: 3 });
    expect(await state(request('POST', '/api/undo'))).toMatchObject({ undo: null, redo: 'Bedrooms' });
    expect(await saved()).toBeUndefined();
    await request('POST', '/api/redo');
    expect(await saved()).toBe(3);
  });

  it('that do not apply any more get 409 and the state', async () => {
    const { edit, state } = await aStudio();
    const answer = await edit('Caption', { op: 'replace', path: '/assets/99/caption', value: 'x' });
    expect(answer.status).toBe(409);
    expect(await state(answer)).toMatchObject({ revision: 0, undo: null });
  });

  it.each([
    ['no JSON', '{', 400],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400],
    ['nested without end', '['.repeat(100_000), 400],
    ['no object', 'null', 400],
    ['no patch', '{"revision":0,"label":"x","patch":{}}', 400],
    ['an unknown operation', '{"revision":0,"label":"x","patch":[{"op":"eval","path":"/id"}]}', 400],
    ['a path that is no text', '{"revision":0,"label":"x","patch":[{"op":"remove","path":1}]}', 400],
    ['no label', '{"revision":0,"label":"","patch":[]}', 400],
  ])('with a body that is %s are refused', async (_, body, status) => {
    const { request, faults } = await aStudio();
    const answer = await request('POST', '/api/edits', body, { 'content-type': 'application/json' });
    expect(answer.status).toBe(status);
    expect(faults).toEqual([]);
  });

  it('in a form of another kind, or larger than 4 MiB, are refused', async () => {
    const { request } = await aStudio();
    expect((await request('POST', '/api/edits', '{}', { 'content-type': 'text/plain' })).status).toBe(400);
    const large = `{"label":"${'x'.repeat(5_000_000)}"}`;
    const answer = await request('POST', '/api/edits', large, { 'content-type': 'application/json' });
    expect(await answer.json()).toMatchObject({ code: 'body_too_large' });
  });
});

describe('a photo that is left out', () => {
  it('can be brought back with its caption, also in the next studio of the same file', async () => {
    const document = listing();
    const assets = document.assets.map((asset, index) =>
      index === 2 ? { ...asset, caption: 'Pool' } : asset,
    );
    const { edit, state, home, folder } = await aStudio({ ...document, assets });
    const left = await state(edit('Leave out photo', { op: 'remove', path: '/assets/2' }));
    const asset = { url: assets[2]!.url, caption: 'Pool' };
    expect(left.left_out).toEqual([{ url: asset.url, digest: null, problem: null, asset }]);

    const file = path.join(folder, 'listing.json');
    const again = await aStudio(undefined, { home, listingFile: file });
    expect(again.studio.state.left_out).toMatchObject([{ asset }]);
    const back = await again.state(again.edit('Bring back', { op: 'add', path: '/assets/-', value: asset }));
    expect(back.left_out).toEqual([]);
    expect(await readFile(file, 'utf8')).not.toContain('left_out');
  });
});

describe('a caption of one agent', () => {
  it('comes back with its photo', async () => {
    const data = { template_data: { caption_03: 'Pool' } };
    const agents = [
      { id: 'ann', first_name: 'Ann', last_name: '' },
      { id: 'bob', first_name: 'Bob', last_name: '', video_options: data },
    ];
    const { edit, state } = await aStudio({ ...listing(), agents });
    const left = await state(edit('Leave out photo', { op: 'remove', path: '/assets/2' }));
    expect(left.left_out).toMatchObject([{ asset: { caption: 'Pool' } }]);
  });
});

describe('a file that is dropped in', () => {
  const add = (
    studio: Awaited<ReturnType<typeof aStudio>>,
    name: string,
    content = 'bytes',
    purpose = 'photo',
  ) =>
    studio.request(
      'POST',
      `/api/files?name=${encodeURIComponent(name)}&for=${purpose}`,
      Buffer.from(content),
    );

  it('is copied next to the listing, never over another file', async () => {
    const studio = await aStudio();
    expect(await (await add(studio, 'kitchen.jpg', 'one of them')).json()).toEqual({ url: 'kitchen.jpg' });
    expect(await (await add(studio, 'kitchen.jpg', 'another one')).json()).toEqual({ url: 'kitchen-2.jpg' });
    expect(await (await add(studio, 'kitchen.jpg', 'one of them')).json()).toEqual({ url: 'kitchen.jpg' });
    expect(await (await add(studio, 'song.mp3', 'la la la', 'music')).json()).toEqual({ url: './song.mp3' });
    expect(await readFile(path.join(studio.folder, 'kitchen-2.jpg'), 'utf8')).toBe('another one');
  });

  it.each([
    '../outside.jpg',
    '..\\outside.jpg',
    '/etc/outside.jpg',
    'listing.json',
    '.bashrc',
    'CON.jpg',
    'a\0b.jpg',
    `${'x'.repeat(300)}.jpg`,
    '-rf.jpg',
    'https:evil.jpg',
    '',
    '💥.jpg',
  ])('called %j gets a safe name in that folder', async (name) => {
    const studio = await aStudio();
    const before = await readFile(path.join(studio.folder, 'listing.json'), 'utf8');
    const { url } = (await (await add(studio, name)).json()) as { url: string };
    expect(url).toMatch(/^[^./\\:][^/\\:\0]{0,150}\.jpg$/);
    expect((await readdir(studio.folder)).sort()).toEqual(['listing.json', url].sort());
    expect(await readFile(path.join(studio.folder, 'listing.json'), 'utf8')).toBe(before);
  });

  it('does not follow a symbolic link that lies under its name', async () => {
    const studio = await aStudio();
    const elsewhere = await folderOf({ 'secret.txt': 'secret' });
    await symlink(path.join(elsewhere, 'secret.txt'), path.join(studio.folder, 'kitchen.jpg'));
    await symlink(path.join(elsewhere, 'new.txt'), path.join(studio.folder, 'hall.jpg'));
    expect(await (await add(studio, 'kitchen.jpg')).json()).toEqual({ url: 'kitchen-2.jpg' });
    expect(await (await add(studio, 'hall.jpg')).json()).toEqual({ url: 'hall-2.jpg' });
    expect(await readFile(path.join(elsewhere, 'secret.txt'), 'utf8')).toBe('secret');
    expect(await readdir(elsewhere)).toEqual(['secret.txt']);
  });

  it.runIf(process.platform !== 'win32')('does not wait for a pipe that has its name', async () => {
    const studio = await aStudio();
    execFileSync('mkfifo', [path.join(studio.folder, 'kitchen.jpg')]);
    expect(await (await add(studio, 'kitchen.jpg')).json()).toEqual({ url: 'kitchen-2.jpg' });
  });

  it('that cannot be used is refused in words, and no purpose at all', async () => {
    const studio = await aStudio();
    const answer = await add(studio, 'a.jpg', 'x');
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ message: 'it cannot be used: not an image' });
    expect((await add(studio, 'a.jpg', 'bytes', 'virus')).status).toBe(400);
    const large = new Uint8Array(33 * 1024 * 1024);
    expect((await studio.request('POST', '/api/files?name=a.jpg&for=photo', large)).status).toBe(400);
  });
});

describe('pictures and audio', () => {
  it('come from the stage', async () => {
    const { request } = await aStudio();
    const text = async (place: string) => (await request('GET', place)).text();
    expect(await text('/api/thumbnails/d1')).toBe('thumbnail');
    expect(await text('/api/frames/plan-1/3?width=960')).toBe('frame 3 960 jpeg');
    expect(await text('/api/frames/plan-1/3?format=png')).toBe('frame 3 null png');
    expect(await text('/api/templates/classic/still?ratio=1080:1920')).toBe('still 1080:1920');
    const frame = await request('GET', '/api/frames/plan-1/3?width=960');
    expect(frame.headers.get('cache-control')).toContain('immutable');
  });

  it.each([
    ['/api/frames/plan-2/0', 404],
    ['/api/frames/plan-1/10', 404],
    ['/api/frames/plan-1/-1', 400],
    ['/api/frames/plan-1/1e3', 400],
    ['/api/frames/plan-1/0?width=99999', 400],
    ['/api/thumbnails/..%2F..%2Fetc%2Fpasswd', 404],
    ['/api/templates/nope/still?ratio=1920:1080', 404],
    ['/api/templates/classic/still?ratio=16:9', 400],
    ['/api/results/..%2Flisting.json', 404],
    ['/api/music/none', 404],
    ['/api/nothing', 404],
  ])('that are not there: %s is %i', async (place, status) => {
    const { request, faults } = await aStudio();
    expect((await request('GET', place)).status).toBe(status);
    expect(faults).toEqual([]);
  });

  it.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=4-2', 416, '', 'bytes */10'],
    ['bytes=0-1,4-5', 200, '0123456789', undefined],
  ])('answer the range %s', async (range, status, body, contentRange) => {
    const { download } = await aStudio();
    const answer = await download('/api/audio/plan-1', { range });
    expect([answer.status, answer.body, answer.headers['content-range']]).toEqual([
      status,
      body,
      contentRange,
    ]);
  });
});

/** A video of the folder. */
const made = (name: string, entry: Partial<ReportVideo> = {}): Partial<ReportVideo> => {
  const file = (extension: string) => ({
    file: `${name}.${extension}`,
    size_bytes: 10,
    sha256: 'ab'.repeat(32),
  });
  return { video: file('mp4'), poster: file('jpg'), agent_id: name, ...entry };
};

describe('a render', () => {
  it('is the task that create makes, in the same folder; one at a time, and it can be cancelled', async () => {
    const { request, state, engine, folder } = await aStudio(listing('L 1'));
    const ratios = ['1920:1080', '1080:1920'];
    const begun = await state(request('POST', '/api/renders', { ratios }));
    expect(begun.render).toMatchObject({ state: 'running', request: { ratios } });
    expect(begun.results).toMatchObject({ folder: expect.stringContaining('/videos/L-1~'), videos: [] });
    expect(engine.payloads[0]).toMatchObject({
      listing: { id: 'L 1' },
      listingFile: path.join(folder, 'listing.json'),
      baseDir: folder,
      outputDir: begun.results.folder,
      options: { quality: 'standard', alsoRatio: '1080:1920' },
    });
    expect((await request('POST', '/api/renders', {})).status).toBe(409);
    expect(await state(request('DELETE', '/api/renders/current'))).toMatchObject({
      render: { state: 'cancelled' },
      results: { videos: [] },
    });
    expect((await request('POST', '/api/renders', { agents: ['nobody'] })).status).toBe(422);
  });

  it('does not begin while a field is wrong', async () => {
    const { request } = await aStudio({ ...listing(), bedrooms: -1 });
    const answer = await request('POST', '/api/renders', {});
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({
      message: 'the listing is not complete: one field must be changed first',
    });
  });

  it('for places asks for what create --for does, and their files say how they fit, also after a restart', async () => {
    const tall = { ...agent('bob'), video_options: { ratio: '1080:1920' as const } };
    const first = await aStudio(listing('L-1', [agent('ann'), tall]));
    const { request, state, engine, studio } = first;
    const chosen = await state(request('POST', '/api/places', { places: ['tiktok', 'youtube', 'tiktok'] }));
    expect(chosen.places).toEqual(['youtube', 'tiktok']);
    for (const places of ['youtube', ['myspace'], [7]])
      expect((await request('POST', '/api/places', { places })).status).toBe(400);

    const destinations = ['youtube', 'tiktok'] as const;
    const fits = { fits: true, reasons: [] };
    const short = { fits: false, reasons: ['44 s, at most 30 s'] };
    const files = [
      made('ann-youtube', {
        agent_id: 'ann',
        named_for: 'youtube',
        destinations: [{ name: 'youtube', ...fits }],
      }),
      made('bob-google-business', {
        agent_id: 'bob',
        named_for: 'google-business',
        destinations: [{ name: 'google-business', ...short }],
      }),
      // Reports are edited by hand.
      made('ann', { destinations: [{ name: 'myspace' }, null] as never }),
    ];
    await request('POST', '/api/renders', { destinations });
    await engine.finish(files);
    await studio.renders.stop();
    await request('POST', '/api/renders', { destinations: ['mls'], ratios: ['1080:1920', '1920:1080'] });
    await engine.finish(files);
    await studio.renders.stop();
    expect((engine.payloads as VideoTaskPayload[]).map(({ options }) => options)).toEqual([
      { quality: 'standard', minAssets: 1, force: false, destinations },
      {
        ...{ quality: 'standard', minAssets: 1, force: false, destinations: ['mls'], alsoUnbranded: true },
        ...{ ratio: '1080:1920', alsoRatio: '1920:1080' },
      },
    ]);
    await studio.close();

    const same = { home: first.home, listingFile: path.join(first.folder, 'listing.json') };
    const again = await aStudio(undefined, { ...same, out: path.join(first.folder, 'videos') });
    expect(again.studio.state.places).toEqual(destinations);
    const shown = (video: MadeVideo) => [video.name, video.is_named_for_places, video.fits, video.changes];
    expect(again.studio.state.results.videos.map(shown)).toEqual([
      ['ann-youtube.mp4', true, 'fits YouTube', []],
      ['ann.mp4', false, '', []],
      ['bob-google-business.mp4', true, 'not Google Business: 44 s, at most 30 s', []],
    ]);
    const data = { template_id: 'classic', template_data: { video_title: 'A garden home' } };
    await again.edit('Title', { op: 'add', path: '/agents/0/video_options', value: data });
    expect(again.studio.state.results.videos[0]!.changes).toEqual(['title']);
  });

  it('that was interrupted is offered again by the next studio, with the shapes that were chosen', async () => {
    const first = await aStudio();
    await first.request('POST', '/api/shapes', { shapes: 'both' });
    expect((await first.request('POST', '/api/shapes', { shapes: '16:9' })).status).toBe(400);
    const asked = { agents: ['ann'], ratios: ['1080:1920'] };
    await first.request('POST', '/api/renders', asked);
    await first.engine.report({ percent: 10, stage: 'render', etaSeconds: null });

    const same = { home: first.home, listingFile: path.join(first.folder, 'listing.json') };
    const killed = await aStudio(undefined, same);
    expect(killed.studio.state).toMatchObject({
      shapes: 'both',
      render: { state: 'interrupted', request: asked },
    });
    const { render } = await killed.state(killed.request('DELETE', '/api/renders/current'));
    expect(render).toBeNull();
    await killed.studio.close();
    expect((await aStudio(undefined, same)).studio.state.render).toBeNull();
  });

  it('that ended is not offered again', async () => {
    const first = await aStudio();
    const same = { home: first.home, listingFile: path.join(first.folder, 'listing.json') };
    await first.request('POST', '/api/renders', {});
    await first.engine.finish([made('ann')]);
    await first.request('DELETE', '/api/renders/current');
    await first.studio.close();
    expect((await aStudio(undefined, same)).studio.state.render).toBeNull();
  });
});

describe('the videos of the folder', () => {
  it('have addresses that play, and nothing else of the folder has one', async () => {
    const { request, download, state, engine, studio } = await aStudio();
    await request('POST', '/api/renders', {});
    await engine.finish([made('ann', { preview: { file: '../out.gif', size_bytes: 1, sha256: '' } })]);
    await studio.renders.stop();
    const { render, results } = await state(request('GET', '/api/state'));
    expect(render).toMatchObject({ state: 'done' });
    const [video] = results.videos;
    expect(video).toMatchObject({
      agent_id: 'ann',
      name: 'ann.mp4',
      path: path.join(results.folder!, 'ann.mp4'),
      url: '/api/results/ann.mp4?v=abababababab',
      poster: { url: '/api/results/ann.jpg?v=abababababab' },
      bytes: 10,
      made_at: expect.stringContaining('2026-11-20'),
      changes: [],
    });
    await writeFile(path.join(results.folder!, 'secret.txt'), 'secret');
    const part = await download(video!.url, { range: 'bytes=0-3' });
    expect([part.status, part.headers['content-type'], part.body]).toEqual([206, 'video/mp4', '0123']);
    // Downloads of several listings lie in one folder.
    expect(video!.download_name).toBe(`${path.basename(results.folder!)}-ann.mp4`);
    expect(part.headers['content-disposition']).toBe(
      `inline; filename*=UTF-8''${encodeURIComponent(video!.download_name)}`,
    );
    for (const name of ['secret.txt', 'ann.jpg', '..%2Fout.gif', '..%2F..%2Flisting.json'])
      expect((await request('GET', `/api/results/${name}`)).status).toBe(404);
  });

  it('are known to the next studio, with what the listing says in another way since', async () => {
    const first = await aStudio();
    await first.request('POST', '/api/renders', {});
    await first.engine.finish([
      made('ann'),
      made('ann-1080x1920', { agent_id: 'ann', ratio: '1080:1920', made_of: undefined as never }),
      made('unbranded', { agent_id: undefined as never }),
      made('zoe'),
    ]);
    await first.studio.close();

    const listingFile = path.join(first.folder, 'listing.json');
    const shown: string[] = [];
    const { edit, state, request, engine } = await aStudio(undefined, {
      home: first.home,
      out: path.join(first.folder, 'videos'),
      listingFile,
      showFile: (file) => shown.push(file),
    });
    const { results } = await state(
      edit(
        'Facts',
        { op: 'add', path: '/bedrooms', value: 9 },
        { op: 'add', path: '/agents/0/phones', value: [{ number: '5035550142' }] },
      ),
    );
    expect(results.videos.map((video) => [video.name, video.changes, video.has_agent_left])).toEqual([
      ['ann.mp4', ['bedrooms', 'phone of Ann Lee'], false],
      ['ann-1080x1920.mp4', null, false],
      ['unbranded.mp4', ['bedrooms'], false],
      ['zoe.mp4', [], true],
    ]);

    expect((await request('POST', '/api/results/zoe.mp4/show')).status).toBe(200);
    expect((await request('POST', '/api/results/listing.json/show')).status).toBe(404);
    expect(shown).toEqual([path.join(results.folder!, 'zoe.mp4')]);

    await request('POST', '/api/renders', {});
    expect(engine.payloads).toMatchObject([{ options: { alsoUnbranded: true } }]);
  });

  it('are out of date when a file has other contents under its name, as soon as the stage has read it', async () => {
    const agents = [{ ...agent('ann'), picture: 'ann.jpg' }];
    const { request, studio, stage, engine } = await aStudio(listing('L-1', agents));
    const files = (digest: string | null, planning = false) => ({
      ...EMPTY,
      planning,
      images: [{ url: 'ann.jpg', digest, problem: null }],
    });
    engine.files = { photos: [], images: new Map([['ann.jpg', 'd1']]) };
    await request('POST', '/api/renders', {});
    await engine.finish([made('ann')]);
    await studio.renders.stop();
    const changes = [files('d1'), files(null, true), files('d2')].map((state) => {
      stage.state = state;
      return studio.state.results.videos[0]!.changes;
    });
    expect(changes).toEqual([[], [], ['portrait of Ann Lee']]);
  });

  it('get a preview again where they have one, and no twin when one agent is chosen', async () => {
    const { request, engine, studio } = await aStudio(listing('L-1', [agent('ann'), agent('bob')]));
    await request('POST', '/api/renders', {});
    const preview = { file: 'ann.gif', size_bytes: 1, sha256: 'c'.repeat(64) };
    await engine.finish([made('ann', { preview }), made('unbranded', { agent_id: undefined as never })]);
    await studio.renders.stop();
    await request('POST', '/api/renders', { agents: ['ann'] });
    const { listing: sent, options, otherAgents } = engine.payloads[1] as VideoTaskPayload;
    expect(otherAgents).toEqual(['bob']);
    expect(sent.agents).toMatchObject([{ id: 'ann', video_options: { create_preview: true } }]);
    expect(options.alsoUnbranded).toBeUndefined();
  });

  it('with a template that the command line chose are made again with it, unless another agent or shape is chosen', async () => {
    const { request, edit, state, engine, stage, studio } = await aStudio(
      listing('L-1', [agent('ann'), agent('bob')]),
    );
    stage.state = { ...EMPTY, templates: ['classic', 'modern'].map((id) => ({ id }) as never) };
    await request('POST', '/api/renders', {});
    const tall = { ratio: '1080:1920', template_id: 'modern' } as const;
    await engine.finish([
      made('ann-modern', { agent_id: 'ann', template_id: 'modern' }),
      made('ann'),
      made('bob'),
      made('bob-1080x1920-modern', { agent_id: 'bob', ...tall }),
      made('bob-gone', { agent_id: 'bob', template_id: 'gone' }),
      made('bob-tiktok-modern', { agent_id: 'bob', template_id: 'modern', named_for: 'tiktok' }),
    ]);
    await studio.renders.stop();
    const isChosen = ({ name, has_chosen_template: is }: MadeVideo) => [name, is];
    expect(studio.state.results.videos.map(isChosen)).toEqual([
      ['ann.mp4', false],
      ['ann-modern.mp4', true],
      ['bob.mp4', false],
      ['bob-gone.mp4', true],
      ['bob-tiktok-modern.mp4', true],
      ['bob-1080x1920-modern.mp4', true],
    ]);

    await request('POST', '/api/renders', {});
    await engine.report({ percent: 60, stage: 'render', etaSeconds: 9 });
    expect(studio.state.render).toMatchObject({ percent: 20, eta_seconds: null });
    await engine.finish([made('ann'), made('ann-modern', { agent_id: 'ann', template_id: 'modern' })]);
    await engine.succeed('');
    await engine.report({ percent: 50, stage: 'render', etaSeconds: 9 });
    expect(studio.state.render).toMatchObject({ percent: 83, eta_seconds: 9 });
    await engine.succeed('');
    await studio.renders.stop();
    const asked = () =>
      (engine.payloads.splice(0) as VideoTaskPayload[]).map(({ listing: { agents }, options }) => [
        agents.map(({ id }) => id).join(),
        options.templateId,
        options.ratio,
      ]);
    expect(asked().slice(1)).toEqual([
      ['ann', 'modern', undefined],
      ['bob', 'modern', '1080:1920'],
      ['ann,bob', undefined, undefined],
    ]);

    await request('POST', '/api/shapes', { shapes: 'own' });
    await request('POST', '/api/renders', { agents: ['bob'] });
    await engine.succeed('');
    await studio.renders.stop();
    expect(asked()).toEqual([['bob', undefined, undefined]]);

    // Another template in the listing makes old what it replaces, and no other.
    const { results } = await state(
      edit('Template', { op: 'add', path: '/agents/0/video_options', value: { template_id: 'luxury' } }),
    );
    expect(results.videos.map(({ name, changes }) => [name, changes])).toEqual([
      ['ann.mp4', ['template']],
      ['ann-modern.mp4', []],
    ]);
  });

  it('are those of another program, too, and none of another listing', async () => {
    const { studio, folder } = await aStudio();
    const out = path.join(folder, 'videos', String(studio.state.listing.id));
    await mkdir(out, { recursive: true });
    const write = (id: string) =>
      writeFile(
        path.join(out, 'report.json'),
        JSON.stringify(aReport({ listing: { id, file: null, address: null } })),
      );
    await writeFile(path.join(out, 'a.mp4'), 'a');
    await write('another');
    await studio.made.check(studio.editor.document);
    expect(studio.state.results.videos).toEqual([]);
    await write(String(studio.state.listing.id));
    await studio.made.check(studio.editor.document);
    expect(studio.state.results.videos).toMatchObject([{ name: 'a.mp4' }]);
  });
});

describe('folder and files are named for people', () => {
  const unnamed = (folder: string) => ({
    ...listing(),
    id: presetId(null, folder),
    address: { street: '4417 Alder Creek Road' },
    agents: [{ id: 'agent-1', first_name: 'June', last_name: 'Takemori' }],
  });

  it('while nobody typed an id, and keep their videos when the address changes', async () => {
    const { folder, studio, request, state, edit, engine } = await aStudio();
    const names = async () => (await readdir(studio.state.results.folder!)).sort();
    const render = async () => {
      const begun = await state(request('POST', '/api/renders', {}));
      return [begun.listing.id, (begun.listing.agents as { id: string }[])[0]!.id];
    };
    const { address, ...without } = unnamed(folder);
    await edit('All', { op: 'replace', path: '', value: without });
    await edit('Address', { op: 'add', path: '/address', value: address });
    expect(studio.state).toMatchObject({ listing: { id: '4417-alder-creek-road' }, undo: 'Address' });
    expect(await render()).toEqual(['4417-alder-creek-road', 'june-takemori']);
    await engine.finish([made('june-takemori')]);
    await studio.renders.stop();

    await edit(
      'Corrections',
      { op: 'replace', path: '/address/street', value: '4419 Alder Creek Road' },
      { op: 'replace', path: '/agents/0/last_name', value: 'Takemori Ng' },
    );
    expect(studio.state.results.videos).toMatchObject([{ name: 'june-takemori.mp4' }]);
    expect(await render()).toEqual(['4419-alder-creek-road', 'june-takemori-ng']);
    expect(await readdir(path.join(folder, 'videos'))).toEqual(['4419-alder-creek-road']);
    expect(await names()).toEqual(['june-takemori-ng.mp4', 'report.html', 'report.json']);
    expect(studio.state.results.videos).toMatchObject([
      { agent_id: 'june-takemori-ng', has_agent_left: false, changes: ['address', "agent's name"] },
    ]);
    await studio.renders.cancel();

    await edit('Id', { op: 'replace', path: '/id', value: 'mine' });
    expect(await render()).toEqual(['mine', 'june-takemori-ng']);
  });

  it('beside those of another listing with this address', async () => {
    const { folder, request, state, edit } = await aStudio();
    await mkdir(path.join(folder, 'videos', '4417-alder-creek-road'), { recursive: true });
    const { address, ...without } = unnamed(folder);
    await edit('All', { op: 'replace', path: '', value: without });
    await edit('Address', { op: 'add', path: '/address', value: address });
    const { listing: named } = await state(request('POST', '/api/renders', { agents: ['agent-1'] }));
    expect(named.id).toBe('4417-alder-creek-road-2');
  });
});

it('a page of another origin learns nothing from a preflight', async () => {
  const { request } = await aStudio();
  const answer = await request('OPTIONS', '/api/edits', undefined, { origin: 'https://evil.example' });
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null]);
});
