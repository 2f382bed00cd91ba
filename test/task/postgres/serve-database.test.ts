/** The server with a database: the API on its tables, in several processes, and while the database is away. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Logger } from '../../../src/api/server/watch/logger.ts';
import { machineFacts } from '../../../src/platform/settings/machine-facts.ts';
import { resolveSettings, settingValues } from '../../../src/platform/settings/resolve-settings.ts';
import { DEFAULT_ORGANIZATION_ID } from '../../../src/task/accounts/account-rules.ts';
import { createPostgresAccountStore } from '../../../src/task/postgres/accounts/postgres-account-store.ts';
import { openBackend } from '../../../src/wiring/open-backend.ts';
import { openLiveApp } from '../../../src/wiring/server/open-server-parts.ts';
import { run } from '../../cli/run-cli.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { describeWithDatabase } from './test-server.ts';

const SILENT: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const ORIGIN = 'http://127.0.0.1';

const UNREACHABLE = Array.from({ length: 5 }, (_, n) => ({ url: `http://127.0.0.1:1/${n}.jpg` }));

const listing = (id: string) => ({
  id,
  assets: Array.from({ length: 5 }, (_, n) => ({ url: `https://photos.example/${n}.jpg` })),
  agents: [{ id: 'a-1', first_name: 'Ada', last_name: 'Berg' }],
});

describeWithDatabase('serve with a database', (server) => {
  const { database } = server;
  type Live = Awaited<ReturnType<typeof openLiveApp>>;
  const opened: Live[] = [];
  let home: string;
  beforeEach(() => {
    home = temporaryFolder();
  });
  afterEach(async () => {
    for (const live of opened.splice(0)) await live.stop();
  });

  const settingsOf = (database = server.url) =>
    settingValues(
      resolveSettings({
        flags: { home, database, grace: '0s', queueLimit: '100000' },
        env: {},
        config: null,
        machine: machineFacts(),
      }),
    );
  const open = async (database?: string, logger: Logger = SILENT) => {
    const options = { tasksAtOnce: 1, piecesPerTask: 1, logger, isLocal: true, publicUrl: ORIGIN };
    const live = await openLiveApp(settingsOf(database), options);
    opened.push(live);
    await live.prepare();
    return live;
  };
  const post = (live: Live, body: object, headers: Record<string, string> = {}) =>
    live.app.request(`${ORIGIN}/v1/tasks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const get = (live: Live, path: string, headers: Record<string, string> = {}) =>
    live.app.request(`${ORIGIN}${path}`, { headers });

  it('accepts, lists, reads and cancels tasks on either of two servers, and repeats nothing', async () => {
    const [first, second] = [await open(), await open()];
    const key = { 'idempotency-key': 'k' };
    const accepted = await post(first, listing('L-1'), key);
    expect(accepted.status).toBe(202);
    const { id } = (await accepted.json()) as { id: string };
    const repeated = await post(second, listing('L-1'), key);
    expect([repeated.status, await repeated.json()]).toEqual([202, { id }]);
    expect(repeated.headers.get('idempotent-replayed')).toBe('true');
    expect((await post(second, listing('L-2'), key)).status).toBe(400);
    expect(await (await get(second, `/v1/tasks/${id}`)).json()).toMatchObject({ id, state: 'PENDING' });
    expect(await (await get(second, '/v1/tasks?state=PENDING')).json()).toMatchObject({ data: [{ id }] });
    const backend = await openBackend(settingsOf(), {
      env: {},
      signal: AbortSignal.timeout(60_000),
      logger: { debug: () => {}, warn: () => {} },
    });
    await backend.engine.cancel(id);
    await backend.close();
    expect(await (await get(first, `/v1/tasks/${id}`)).json()).toMatchObject({
      state: 'FAILED',
      failure_message: 'cancelled',
    });
  });

  it('makes one task of many requests at once with one key, sent to two servers, and answers each with it', async () => {
    const servers = [await open(), await open()];
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => post(servers[n % 2]!, listing('L-1'), { 'idempotency-key': 'k' })),
    );
    const ids = await Promise.all(
      answers.map(async (answer) => ((await answer.json()) as { id: string }).id),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(202));
    expect(new Set(ids).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.has('idempotent-replayed'))).toHaveLength(9);
    expect(await (await get(servers[0]!, '/v1/tasks')).json()).toMatchObject({ data: [{ id: ids[0] }] });
  });

  it('tells a client of one server at once what another one changes', async () => {
    const [first, second] = [await open(), await open()];
    const { id } = (await (await post(first, listing('L-1'))).json()) as { id: string };
    const answer = await get(first, `/v1/tasks/${id}/events`, { 'service-beta': 'task-events' });
    const events = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    // The other server changes the task only once the client has seen its first state.
    let text = '';
    while (!text.includes('event: state')) text += (await events.read()).value;
    const cancelled = await second.app.request(`${ORIGIN}/v1/tasks/${id}/cancel`, {
      method: 'POST',
      headers: { 'service-beta': 'task-cancel' },
    });
    expect(cancelled.status).toBe(200);
    for (let next = await events.read(); !next.done; next = await events.read()) text += next.value;
    expect(text).toMatch(/event: state.*"state":"PENDING".*event: end.*"failure_message":"cancelled"/s);
  });

  it('uses the keys and credits that the commands make in the database', async () => {
    const command = async (...words: string[]) => {
      const env = { LISTING_VIDEO_HOME: home, LISTING_VIDEO_DATABASE: server.url };
      const done = await run([...words, '--json'], { cwd: home, env, openBackend });
      expect([words, done.exitCode, done.stderr]).toEqual([words, 0, '']);
      return done.json();
    };
    await command('organization', 'grant', '1');
    const { key } = await command('keys', 'create');
    const live = await open();
    const authorization = { authorization: `Bearer ${key}` };
    expect((await get(live, '/v1/tasks')).status).toBe(401);
    const accepted = await post(live, listing('L-1'), authorization);
    expect(accepted.status).toBe(202);
    expect((await post(live, listing('L-2'), authorization)).status).toBe(402);
    expect(await command('organization', 'show')).toMatchObject({ balance: 0 });
    const { id } = (await accepted.json()) as { id: string };
    expect(await command('tasks', 'cancel', id)).toMatchObject({ state: 'FAILED' });
    expect(await (await get(live, '/v1/organization', authorization)).json()).toMatchObject({ balance: 1 });
    expect(await command('tasks', 'list')).toMatchObject({ data: [{ id, state: 'FAILED' }] });
  });

  it('takes no uploads without a bucket, since other machines could not read them', async () => {
    const live = await open();
    const headers = { 'service-beta': 'uploads', 'content-type': 'image/jpeg' };
    const answer = await live.app.request(`${ORIGIN}/v1/assets`, { method: 'POST', headers, body: 'x' });
    expect([answer.status, await answer.json()]).toMatchObject([
      404,
      { code: 'not_found', message: expect.stringContaining('--storage') },
    ]);
    expect((await get(live, '/v1/organization', headers)).headers.get('service-beta')).toBe(null);
    expect(await (await get(live, '/openapi.json')).text()).not.toContain('/v1/assets');
  });

  it('answers 503 with Retry-After while the database is away, keeps what it accepted, and works again', async () => {
    const live = await open();
    const { id } = (await (await post(live, listing('L-1'))).json()) as { id: string };
    await server.stop();
    for (const answer of [
      await post(live, listing('L-2')),
      await get(live, `/v1/tasks/${id}`),
      await get(live, '/v1/tasks'),
      await get(live, '/v1/organization'),
    ]) {
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      const body = await answer.text();
      expect(JSON.parse(body)).toMatchObject({ code: 'unavailable' });
      expect(body).not.toMatch(/postgres|127\.0\.0\.1/);
    }
    const unready = await get(live, '/readyz');
    expect([unready.status, await unready.json()]).toMatchObject([
      503,
      { context: { checks: { database: false } } },
    ]);
    await server.start();
    expect(await (await get(live, `/v1/tasks/${id}`)).json()).toMatchObject({ id, state: 'PENDING' });
    expect((await post(live, listing('L-3'))).status).toBe(202);
  });

  it('loses nothing that it accepted when the database stops under load, and every credit is right', async () => {
    const live = await open();
    const accounts = createPostgresAccountStore({ database, program: 'test' });
    await accounts.grant(DEFAULT_ORGANIZATION_ID, 10_000);
    const accepted: string[] = [];
    let refused = 0;
    let isOver = false;
    let look = () => {};
    const client = async () => {
      while (!isOver) {
        const answer = await post(live, listing('L-1'));
        const body = (await answer.json()) as { id: string; code: string };
        if (answer.status === 202) accepted.push(body.id);
        else {
          expect([answer.status, body.code, answer.headers.get('retry-after')]).toEqual([
            503,
            'unavailable',
            expect.stringMatching(/^[1-9]/),
          ]);
          refused += 1;
        }
        look();
      }
    };
    const until = (isReached: () => boolean) =>
      new Promise<void>((resolve) => {
        look = () => isReached() && resolve();
        look();
      });
    const clients = Array.from({ length: 8 }, client);
    await until(() => accepted.length >= 20);
    await server.stop();
    const before = refused;
    await until(() => refused >= before + 20);
    await server.start();
    const later = accepted.length;
    await until(() => accepted.length >= later + 20);
    isOver = true;
    await Promise.all(clients);
    const rows = await database.query<{ id: string }>('select id from listing_video.tasks');
    const stored = new Set(rows.map(({ id }) => id));
    expect(accepted.filter((id) => !stored.has(id))).toEqual([]);
    // A task whose 202 was lost with the connection is stored together with its reservation.
    const organization = await (await get(live, '/v1/organization')).json();
    expect(organization).toMatchObject({ balance: 10_000 - stored.size });
    await accounts.close();
  });

  it('runs on one server what another accepted, and has no job left', async () => {
    const [first, second] = [await open(), await open()];
    second.begin();
    const { id } = (await (await post(first, { ...listing('L-1'), assets: UNREACHABLE })).json()) as {
      id: string;
    };
    await expect
      .poll(async () => (await get(first, `/v1/tasks/${id}`)).json(), { timeout: 60_000 })
      .toMatchObject({ state: 'FAILED' });
    await expect
      .poll(() => database.query('select key from listing_video_queue.jobs'), { timeout: 10_000 })
      .toEqual([]);
  }, 90_000);

  it('says in its log and at /readyz that its user can write nothing', async () => {
    await database.query('create role reader login');
    await database.query('grant usage on schema listing_video, listing_video_queue to reader');
    await database.query('grant select on all tables in schema listing_video, listing_video_queue to reader');
    const warnings: string[] = [];
    const logger = { ...SILENT, warn: (_: unknown, message: string) => warnings.push(message) };
    const live = await open(server.url.replace('postgres@', 'reader@'), logger);
    expect(warnings).toContainEqual(expect.stringContaining('cannot be written'));
    const ready = await get(live, '/readyz');
    expect([ready.status, await ready.json()]).toMatchObject([
      503,
      { context: { checks: { database: false } } },
    ]);
    expect((await post(live, listing('L-1'))).status).toBe(503);
  });

  it('does not start without its tables or without the database', async () => {
    const options = { tasksAtOnce: 1, piecesPerTask: 1, logger: SILENT, isLocal: true, publicUrl: ORIGIN };
    await database.query('drop schema listing_video cascade');
    await expect(openLiveApp(settingsOf(), options)).rejects.toMatchObject({ code: 'database_version' });
    const away = 'postgres://ann:5ecre7@127.0.0.1:1/videos';
    await expect(openLiveApp(settingsOf(away), options)).rejects.toMatchObject({
      code: 'database_unavailable',
    });
  });
});
