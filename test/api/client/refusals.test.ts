/** Error answers of a server: the error, its exit code, and the requests that were sent. */
import { renameSync } from 'node:fs';
import { access, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { agent, folderOf, listing } from '../../cli/listing-files.ts';
import { runRemote } from './run-remote.ts';
import { serveFilms } from './served-videos.ts';
import { type Reply, sendJson, startStub } from './stub-server.ts';
import { tinyVideo } from './tiny-video.ts';

// biome-ignore lint/suspicious/noExplicitAny: documents of many shapes, looked at piece by piece.
type AnyJson = any;

const TASK = '01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00';
const FILM = tinyVideo();
const KEY = '5ecre7-key-of-mine';

/** A server that does all as it should: the task is done at the first look. */
const good: Reply = ({ method, path: asked, headers }, response) => {
  if (asked.endsWith('.mp4'))
    response.writeHead(200, { 'content-length': FILM.length, etag: '"e"' }).end(FILM);
  else if (asked.endsWith('.jpg')) response.writeHead(404).end();
  else if (method === 'POST') sendJson(response, 202, { id: TASK });
  else sendJson(response, 200, taskAt(`http://${headers.host}`));
};

function taskAt(url: string, change: object = {}): AnyJson {
  return {
    id: TASK,
    state: 'SUCCEEDED',
    results: [resultAt(`${url}/files/film.mp4`, { poster_url: `${url}/files/film.jpg` })],
    dropped_assets: [],
    ...change,
  };
}

function resultAt(url: string, change: object = {}): AnyJson {
  return { agent_id: 'ann', url, created_at: '2026-11-20T14:03:07.123+00:00', metadata: {}, ...change };
}

interface Tried {
  readonly reply: Reply;
  readonly words?: readonly string[];
  readonly files?: Readonly<Record<string, unknown>>;
  /** Below the address of the server. */
  readonly prefix?: string;
}

async function create({ reply, words = [], files = { 'listing.json': listing() }, prefix = '' }: Tried) {
  const stub = await startStub(reply);
  const cwd = await folderOf(files);
  const waits: number[] = [];
  const again = () =>
    runRemote(['create', 'listing.json', '--json', ...words], {
      ...{ cwd, server: `${stub.url}${prefix}`, key: KEY },
      onWait: (ms) => waits.push(ms),
    });
  const { exitCode, stderr, stdout, json } = await again();
  const posts = () => stub.asked.filter(({ method }) => method === 'POST');
  return { stub, cwd, waits, exitCode, stderr, stdout, json: json(), again, posts };
}

describe('a refusal', () => {
  it.each<[number, AnyJson, string, number]>([
    [400, { code: 'body_too_large', message: 'too large', context: null }, 'server_refused', 2],
    [401, { code: 'unauthenticated', message: 'no such key', context: null }, 'unauthenticated', 2],
    [
      402,
      { code: 'insufficient_balance', message: 'it costs 1', context: { balance: 0, required: 1 } },
      'insufficient_balance',
      2,
    ],
    [403, { code: 'forbidden', message: 'the key may only read', context: null }, 'forbidden', 2],
    [
      404,
      { code: 'template_not_found', message: 'none', context: { template_id: 'x', available: ['classic'] } },
      'template_not_found',
      2,
    ],
    [404, { code: 'not_found', message: 'nothing here', context: null }, 'server_answer_invalid', 3],
    [404, '<html>nginx</html>', 'server_answer_invalid', 3],
    [405, { code: 'method_not_allowed', message: 'no', context: null }, 'server_answer_invalid', 3],
    [418, 'teapot', 'server_refused', 2],
    [
      500,
      { code: 'internal_error', message: 'something went wrong', context: { request_id: 'r' } },
      'internal_error',
      1,
    ],
    [500, '', 'internal_error', 1],
    [200, { id: TASK }, 'server_refused', 2],
    [202, 'not json', 'server_answer_invalid', 3],
    [202, { id: '../../etc' }, 'server_answer_invalid', 3],
    [202, { id: 7 }, 'server_answer_invalid', 3],
    [202, '[]', 'server_answer_invalid', 3],
  ])('of status %i with %j is reported once, as %s', async (status, body, code, exitCode) => {
    const tried = await create({
      reply: (_, response) => sendJson(response, status, body, { 'x-request-id': 'req-1' }),
    });
    expect([tried.exitCode, tried.json.error.code, tried.posts().length]).toEqual([exitCode, code, 1]);
    expect(tried.json.error.message).not.toBe('');
    expect(tried.stdout + tried.stderr).not.toContain(KEY);
    if (status === 402) expect(tried.json.error.context).toMatchObject({ balance: 0, required: 1 });
    if (status === 500) expect(tried.json.error.message).toContain('(request req-1)');
  });

  it('that leaves no task leaves no state, so that the next command makes a new task', async () => {
    const reply: Reply = (request, response, number) =>
      number === 1 && request.method === 'POST'
        ? sendJson(response, 402, { code: 'insufficient_balance', message: 'it costs 1', context: null })
        : good(request, response, number);
    const tried = await create({ reply });
    await expect(access(path.join(tried.cwd, 'videos', 'L-1'))).rejects.toMatchObject({ code: 'ENOENT' });
    expect((await tried.again()).exitCode).toBe(0);
    const [first, second] = tried.posts().map(({ headers }) => headers['idempotency-key']);
    expect(second).not.toBe(first);
  });

  it('of what the server finds invalid is shown where it stands, like what is found here', async () => {
    const detail = [
      {
        loc: ['body', 'agents', 0, 'first_name'],
        msg: 'Input should be a name',
        type: 'value_error',
        input: 'Ann',
      },
      { loc: 'nowhere', msg: 'no', type: 'x' },
    ];
    const reply: Reply = (_, response) => sendJson(response, 422, { detail });
    const tried = await create({ reply });
    expect([tried.exitCode, tried.json.error.code]).toEqual([2, 'invalid_listing']);
    expect(tried.json.error.context.files).toMatchObject([{ file: 'listing.json', detail: [detail[0]] }]);
    const stub = await startStub(reply);
    const shown = await runRemote(['create', 'listing.json', '--report', 'junit.xml'], {
      ...{ cwd: tried.cwd, server: stub.url, isTty: true },
      env: { NO_COLOR: '1', GITHUB_ACTIONS: 'true' },
    });
    expect(shown.stderr).toMatch(/agents\[0\]\.first_name: Input should be a name$/m);
    expect(shown.stderr).toMatch(/^ +\d+ \| +"first_name": "Ann",$/m);
    expect(shown.stderr).toMatch(/^::error file=listing\.json,line=\d+,col=\d+,/m);
    expect(await readFile(path.join(tried.cwd, 'junit.xml'), 'utf8')).toContain('Input should be a name');
  });

  it('in a batch makes that listing invalid, and the others are made', async () => {
    const { url, key } = await serveFilms();
    const stub = await startStub((request, response) => {
      const isOdd = request.method === 'POST' && JSON.parse(request.body).id === 'odd';
      const detail = [{ loc: ['body', 'id'], msg: 'Input should be even', type: 'value_error' }];
      if (isOdd) return sendJson(response, 422, { detail });
      response.writeHead(307, { location: url }).end();
    });
    const cwd = await folderOf({ 'in/1.json': listing('odd'), 'in/2.json': listing('other') });
    const tried = await runRemote(['create', 'in', '--json'], { cwd, server: stub.url, key });
    expect(tried.json().invalid).toMatchObject([
      { file: 'in/1.json', detail: [{ msg: 'Input should be even' }] },
    ]);
    expect(tried.json().errors).toMatchObject([{ listing_file: 'in/2.json' }]);
  });
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])(
    'of status %i is not followed, least of all with the key',
    async (status) => {
      const elsewhere = await startStub((_, response) => sendJson(response, 202, { id: TASK }));
      const { exitCode, json } = await create({
        reply: (_, response) => response.writeHead(status, { location: `${elsewhere.url}/v1/tasks` }).end(),
      });
      expect([exitCode, json.error.code, elsewhere.asked]).toEqual([3, 'server_answer_invalid', []]);
      expect(json.error.message).toContain(`redirects to ${elsewhere.url}/v1/tasks`);
    },
  );
});

describe('a busy or restarting server', () => {
  it.each([503, 429])(
    'of status %i is asked again when it says, with the same Idempotency-Key',
    async (status) => {
      const busy = { code: 'unavailable', message: 'the queue is full', context: null };
      const { exitCode, waits, posts, stderr } = await create({
        reply: (request, response, number) =>
          request.method === 'POST' && number < 3
            ? sendJson(response, status, busy, { 'retry-after': '7' })
            : good(request, response, number),
      });
      expect([exitCode, waits]).toEqual([0, [7_000, 7_000]]);
      expect(stderr.match(/is busy: the queue is full; trying again/g)).toHaveLength(1);
      const keys = posts().map(({ headers }) => headers['idempotency-key']);
      expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
      expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it('that requests a wait until tomorrow is given up at once', async () => {
    const { exitCode, json, posts } = await create({
      reply: (_, response) => sendJson(response, 503, { code: 'unavailable' }, { 'retry-after': '86400' }),
    });
    expect([exitCode, json.error.code, posts().length]).toEqual([3, 'unavailable', 1]);
  });

  it('that takes the listing and hangs up before it answers makes one task', async () => {
    const { exitCode, posts } = await create({
      reply: (request, response, number) =>
        request.method === 'POST' && number === 1 ? response.destroy() : good(request, response, number),
    });
    const keys = posts().map(({ headers }) => headers['idempotency-key']);
    expect([exitCode, keys.length, new Set(keys).size]).toEqual([0, 2, 1]);
  });

  it('that never answers is given up, and the next command asks for the same task', async () => {
    const tried = await create({ reply: (_, response) => response.destroy() });
    expect([tried.exitCode, tried.json.error.code]).toEqual([3, 'server_unreachable']);
    expect(tried.waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(10_000);
    tried.stub.reply = good;
    expect((await tried.again()).exitCode).toBe(0);
    expect(new Set(tried.posts().map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(await readdir(path.join(tried.cwd, 'videos', 'L-1'))).toEqual([
      'ann.mp4',
      'report.html',
      'report.json',
    ]);
  });

  it('that goes away while a task runs is waited for', async () => {
    let looks = 0;
    const { exitCode, waits, stderr } = await create({
      reply: (request, response, number) => {
        if (request.path !== `/v1/tasks/${TASK}`) return good(request, response, number);
        looks += 1;
        if (looks > 30) return good(request, response, number);
        if (looks % 2 === 0 && looks < 12) return void response.writeHead(502).end('bad gateway');
        if (looks > 1) return void response.destroy();
        const progress = { percent: 31.7, stage: 'render', eta_seconds: 20 };
        sendJson(response, 200, taskAt('', { state: 'RUNNING', results: [], progress }), {
          'retry-after': '3',
        });
      },
    });
    expect([exitCode, waits[0], waits.at(-1)]).toEqual([0, 3_000, 7_500]);
    expect(stderr.match(/trying again/g)).toHaveLength(1);
  });
});

describe('a task that does not match the request', () => {
  const told =
    (change: (url: string) => object): Reply =>
    (request, response, number) =>
      request.path === `/v1/tasks/${TASK}`
        ? sendJson(
            response,
            200,
            taskAt(`http://${request.headers.host}`, change(`http://${request.headers.host}`)),
          )
        : good(request, response, number);

  it.each<[string, Reply]>([
    ['another one', told(() => ({ id: TASK.replace('0', '1') }))],
    ['of no known state', told(() => ({ state: 'DONE' }))],
    ['without results', told(() => ({ results: [] }))],
    ['of another agent', told((url) => ({ results: [resultAt(`${url}/f.mp4`, { agent_id: 'bob' })] }))],
    ['of an agent twice', told((url) => ({ results: [resultAt(`${url}/f.mp4`), resultAt(`${url}/f.mp4`)] }))],
    ['at a file of this machine', told(() => ({ results: [resultAt('file:///etc/passwd')] }))],
    ['at a place with a password', told(() => ({ results: [resultAt('http://me:pw@127.0.0.1/f.mp4')] }))],
    [
      'made at no time',
      told((url) => ({ results: [resultAt(`${url}/f.mp4`, { created_at: '2026-99-99T00:00:00Z' })] })),
    ],
    ['with results in no list', told(() => ({ results: { length: 1 } }))],
    [
      'no JSON',
      (request, response, number) =>
        request.method === 'GET' ? response.end('<html>') : good(request, response, number),
    ],
  ])('is refused: %s', async (_, reply) => {
    const { exitCode, json, cwd } = await create({ reply });
    expect([exitCode, json.error.code]).toEqual([3, 'server_answer_invalid']);
    const names = await readdir(path.join(cwd, 'videos', 'L-1'));
    expect(names).toEqual(['.remote']);
  });

  it('whose answer has no end is cut off', async () => {
    let sent = 0;
    const { json } = await create({
      reply: (request, response, number) => {
        if (request.method === 'POST') return good(request, response, number);
        response.writeHead(200, { 'content-type': 'application/json' });
        const more = (): void => {
          while (!response.destroyed && response.write(' '.repeat(1 << 20))) sent += 1;
        };
        response.on('drain', more);
        more();
      },
    });
    expect([json.error.code, json.error.message]).toEqual([
      'server_answer_invalid',
      expect.stringContaining('larger than'),
    ]);
    expect(sent).toBeLessThan(40);
  });

  it.each([
    ['no film', Buffer.from('<html>not found</html>')],
    ['a film that is cut', FILM.subarray(0, 60)],
    ['a film of no length', tinyVideo({ seconds: 0 })],
    ['a film without pictures', tinyVideo({ frames: 0 })],
  ])('whose file is %s is refused, and downloaded again by the next command', async (_, bytes) => {
    const tried = await create({
      reply: (request, response, number) =>
        request.path.endsWith('.mp4')
          ? response.writeHead(200, { 'content-length': bytes.length, etag: '"e"' }).end(bytes)
          : good(request, response, number),
    });
    expect([tried.exitCode, tried.json.error.code]).toEqual([1, 'verification_failed']);
    tried.stub.reply = good;
    expect((await tried.again()).exitCode).toBe(0);
    expect(tried.posts()).toHaveLength(1);
  });

  it('whose files have gone says so, and --force makes a new one', async () => {
    const tried = await create({
      reply: (request, response, number) =>
        request.path.endsWith('.mp4') ? response.writeHead(404).end() : good(request, response, number),
    });
    expect([tried.exitCode, tried.json.error.message]).toEqual([3, expect.stringContaining('no longer has')]);
    expect(tried.json.error.context.hint).toContain('--force');
  });

  it('whose names are hostile stays in its folder', async () => {
    const id = '../../../../tmp/evil';
    const tried = await create({
      files: { 'listing.json': listing('../..', [agent(id)]) },
      reply: told((url) => ({ results: [resultAt(`${url}/..%2f..%2fevil.mp4`, { agent_id: id })] })),
    });
    expect(tried.exitCode).toBe(0);
    const [folder = ''] = await readdir(path.join(tried.cwd, 'videos'));
    const names = await readdir(path.join(tried.cwd, 'videos', folder));
    expect(names.map((name) => name.replace(/~[0-9a-f]+/, '~hash')).sort()).toEqual([
      'report.html',
      'report.json',
      'tmp-evil~hash.mp4',
    ]);
    expect((await readdir(tried.cwd)).sort()).toEqual(['listing.json', 'videos']);
  });
});

it('a server below a path gets its requests there', async () => {
  const { exitCode, stub } = await create({
    prefix: '/videos/api',
    reply: (request, response, number) => good(request, response, number),
  });
  expect([exitCode, stub.asked[0]?.path]).toEqual([0, '/videos/api/v1/tasks']);
  expect(stub.asked.map(({ headers }) => headers.authorization ?? null)).toEqual([
    ...[`Bearer ${KEY}`, `Bearer ${KEY}`],
    // Files are open to everyone who knows their names.
    ...[null, null],
  ]);
});

it('a bundle of --debug holds no key, also one of a flag', async () => {
  const stub = await startStub((_, response) => sendJson(response, 401, { message: `no key like ${KEY}` }));
  const cwd = await folderOf({ 'listing.json': listing() });
  const words = ['create', 'listing.json', '--debug', '--key', KEY];
  const { stderr } = await runRemote(words, { cwd, server: stub.url });
  const file = /^bundle: (.*)$/m.exec(stderr)?.[1] ?? '';
  const { unzipSync } = await import('fflate');
  const parts = Object.values(unzipSync(await readFile(file))).map((part) => Buffer.from(part).toString());
  expect(parts.join('\n')).toContain('"key": "key"');
  expect(parts.join('\n')).not.toContain(KEY);
});

it('a run that was suspended until another one took its folder publishes nothing, and says so', async () => {
  const cwd = await folderOf({ 'listing.json': listing() });
  const folder = path.join(cwd, 'videos', 'L-1');
  const { url } = await startStub((asked, response, number) => {
    if (asked.path.endsWith('.mp4'))
      renameSync(path.join(folder, '.listing-video.lock'), path.join(cwd, 'taken'));
    good(asked, response, number);
  });
  const run = await runRemote(['create', 'listing.json', '--json'], { cwd, server: url, key: KEY });
  expect([run.exitCode, run.json().error.code]).toEqual([1, 'output_locked']);
  expect((await readdir(folder)).filter((name) => name !== '.remote')).toEqual([]);
});
