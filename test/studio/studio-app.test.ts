/** The studio's HTTP API: who can use it, and what it answers. */
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { folderOf, listing } from '../cli/listing-files.ts';
import { aStudio } from './a-studio.ts';

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

  it('admits the address that is opened for a person once', async () => {
    const { request, guard } = await aStudio();
    const { ticket } = guard;
    const open = () => request('GET', `/?token=${ticket}`, undefined, { cookie: null });
    expect([(await open()).status, (await open()).status]).toEqual([303, 403]);
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

describe('the state', () => {
  it('has the listing with what is wrong at each field', async () => {
    const { request, state } = await aStudio({
      ...listing(),
      bedroms: 3,
      bathrooms: 'two',
      agents: [
        { id: 'ann', first_name: '', last_name: '', phones: [{ number: '123' }, { number: '5035550142' }] },
      ],
    });
    expect(await state(request('GET', '/api/state'))).toMatchObject({
      revision: 0,
      listing: { bedroms: 3 },
      violations: [{ path: ['bathrooms'], message: 'a whole number is needed, such as 3' }],
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
    const phone = 'phone “12”: not a number that region US can read';
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
      [null, ['assets'], '1920:1080', 'not shown'],
      ['ann', ['assets'], '1080:1920', 'not shown'],
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

describe('a render', () => {
  it('is the task that create makes, in the same folder; one at a time, and it can be cancelled', async () => {
    const { request, state, engine, folder } = await aStudio(listing('L 1'));
    const begun = await state(request('POST', '/api/renders', { ratios: ['1920:1080', '1080:1920'] }));
    expect(begun.render).toMatchObject({ state: 'running', folder: expect.stringContaining('/videos/L-1~') });
    expect(engine.payloads[0]).toMatchObject({
      listing: { id: 'L 1' },
      listingFile: path.join(folder, 'listing.json'),
      baseDir: folder,
      outputDir: begun.render!.folder,
      options: { quality: 'standard', alsoRatio: '1080:1920' },
    });
    expect((await request('POST', '/api/renders', {})).status).toBe(409);
    expect(await state(request('DELETE', '/api/renders/current'))).toMatchObject({
      render: { state: 'cancelled', videos: [] },
    });
    expect((await request('POST', '/api/renders', { agents: ['nobody'] })).status).toBe(422);
  });

  it('has its videos with addresses that play, and nothing else of the folder', async () => {
    const { request, download, state, engine, studio } = await aStudio();
    await request('POST', '/api/renders', {});
    const files = (name: string) => ({ file: name, size_bytes: 10, sha256: 'ab'.repeat(32) });
    const entry = { agent_id: 'ann', ratio: '1920:1080', video: files('ann.mp4'), poster: files('ann.jpg') };
    const { outputDir } = engine.payloads[0] as { outputDir: string };
    const made = await folderOf({ 'report.json': { schema_version: 1, videos: [entry] } });
    const report = path.join(made, 'report.json');
    await engine.succeed(report);
    await studio.renders.cancel();
    const { render } = await state(request('GET', '/api/state'));
    expect(render).toMatchObject({
      state: 'done',
      folder: outputDir,
      videos: [
        {
          name: 'ann.mp4',
          url: '/api/results/ann.mp4?v=abababababab',
          poster_url: '/api/results/ann.jpg?v=abababababab',
          bytes: 10,
        },
      ],
    });
    await mkdir(outputDir, { recursive: true });
    await writeFile(path.join(outputDir, 'ann.mp4'), '0123456789');
    await writeFile(path.join(outputDir, 'secret.txt'), 'secret');
    const part = await download(render!.videos[0]!.url, { range: 'bytes=0-3' });
    expect([part.status, part.headers['content-type'], part.body]).toEqual([206, 'video/mp4', '0123']);
    expect((await request('GET', '/api/results/secret.txt')).status).toBe(404);
    expect((await request('GET', '/api/results/ann.jpg')).status).toBe(404);
  });

  it('does not begin while a field is wrong', async () => {
    const { request } = await aStudio({ ...listing(), bedrooms: -1 });
    const answer = await request('POST', '/api/renders', {});
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({
      message: 'the listing is not complete: one field must be changed first',
    });
  });
});

it('a page of another origin learns nothing from a preflight', async () => {
  const { request } = await aStudio();
  const answer = await request('OPTIONS', '/api/edits', undefined, { origin: 'https://evil.example' });
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null]);
});
