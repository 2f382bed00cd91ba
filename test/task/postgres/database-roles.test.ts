/** The user that serves and renders does not own the tables: which rights it needs, and who says which one is missing. */
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Logger } from '../../../src/api/server/watch/logger.ts';
import { machineFacts } from '../../../src/platform/settings/machine-facts.ts';
import { resolveSettings, settingValues } from '../../../src/platform/settings/resolve-settings.ts';
import { checkDatabase } from '../../../src/task/postgres/check-database.ts';
import type { Database } from '../../../src/task/postgres/database.ts';
import { openDatabase } from '../../../src/task/postgres/open-database.ts';
import { openLiveApp } from '../../../src/wiring/server/open-server-parts.ts';
import { migrateDatabaseAt } from '../../../src/wiring/stores/open-database.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { describeWithPostgres } from './test-server.ts';

const ROLES = new URL('../../../.github/deploy/roles.sql', import.meta.url);
const ORIGIN = 'http://127.0.0.1';
/** Its task fails, once a worker has taken it. */
const LISTING = {
  id: 'L-1',
  assets: Array.from({ length: 5 }, (_, n) => ({ url: `http://127.0.0.1:1/${n}.jpg` })),
  agents: [{ id: 'a-1', first_name: 'Ada', last_name: 'Berg' }],
};

describeWithPostgres('a database with a user that runs and one that owns the tables', (server) => {
  let admin: Database;
  let owner: Database;
  let runner: Database;
  const urlOf = (user: string) => server.url.replace('postgres@', `${user}@`).replace(/postgres$/, 'videos');

  beforeAll(async () => {
    const root = openDatabase({ url: server.url });
    for (const statement of [
      'create role videos_owner login',
      'create role videos login',
      `create database videos owner videos_owner encoding 'UTF8' template template0`,
    ])
      await root.query(statement);
    await root.close();
    await migrateDatabaseAt(urlOf('videos_owner'));
    [admin, owner, runner] = ['postgres', 'videos_owner', 'videos'].map((user) =>
      openDatabase({ url: urlOf(user) }),
    ) as [Database, Database, Database];
  });
  afterAll(async () => {
    for (const database of [admin, owner, runner]) await database?.close();
  });

  const lives: Awaited<ReturnType<typeof openLiveApp>>[] = [];
  afterEach(async () => {
    for (const live of lives.splice(0)) await live.stop();
  });

  /** A server whose user is `videos`. */
  async function openServer() {
    const flags = { home: temporaryFolder(), database: urlOf('videos'), grace: '0s' };
    const settings = settingValues(
      resolveSettings({ flags, env: {}, config: null, machine: machineFacts() }),
    );
    const logged: string[] = [];
    const log = (facts: object, message: string) => {
      const { error } = facts as { error?: Error };
      logged.push(`${message}${error === undefined ? '' : `: ${error.message}`}`);
    };
    const logger: Logger = { debug: () => {}, info: log, warn: log, error: log };
    const options = { tasksAtOnce: 1, piecesPerTask: 1, logger, isLocal: true, publicUrl: ORIGIN };
    const live = await openLiveApp(settings, options);
    lives.push(live);
    return { live, logged, get: (path: string) => live.app.request(`${ORIGIN}${path}`) };
  }

  const grant = async () => owner.query(await readFile(ROLES, 'utf8'));

  it('is refused by doctor, by /readyz and in the log while row-level security hides the jobs', async () => {
    await grant();
    await owner.query('drop policy videos on listing_video_queue._private_jobs');
    await expect(checkDatabase(runner)).rejects.toMatchObject({
      code: 'database_unavailable',
      message: expect.stringContaining('a policy for delete on listing_video_queue._private_jobs'),
      hint: expect.stringContaining('roles.sql'),
    });
    const { logged, get } = await openServer();
    const ready = await get('/readyz');
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ context: { checks: { database: false, store: true } } });
    expect(logged.join('\n')).toMatch(
      /no task is accepted or started: .* lacks rights: a policy for delete on/,
    );
  });

  it.each([
    ['revoke insert on listing_video.tasks from videos', 'insert on listing_video.tasks'],
    ['revoke usage on sequence listing_video.turns from videos', 'usage on sequence listing_video.turns'],
    ['revoke update on sequence listing_video.turns from videos', 'update on sequence listing_video.turns'],
    ['revoke usage on schema listing_video_queue from videos', 'usage on schema listing_video_queue'],
    [
      'revoke execute on function listing_video_queue.remove_job from public, videos',
      'execute on listing_video_queue.remove_job(text)',
    ],
  ])('%s: doctor names it', async (statement, missing) => {
    await grant();
    await owner.query(statement);
    await expect(checkDatabase(runner)).rejects.toMatchObject({
      code: 'database_unavailable',
      message: expect.stringMatching(new RegExp(`lacks rights: (.*, )?${missing.replace(/[()]/g, '\\$&')}`)),
    });
  });

  it('is refused by doctor when a policy lets through less than it seems to', async () => {
    await grant();
    await owner.query('alter policy videos on listing_video_queue._private_jobs with check (false)');
    await expect(checkDatabase(runner)).rejects.toMatchObject({ code: 'database_unavailable' });
  });

  it('works with the rights of roles.sql, which can be given again and do not allow a migration', async () => {
    await grant();
    await grant();
    expect(await checkDatabase(runner)).toContain('writable');
    expect(await checkDatabase(owner)).toContain('writable');
    expect(await admin.query('select * from listing_video_queue.jobs')).toEqual([]);
    await expect(migrateDatabaseAt(urlOf('videos'))).rejects.toMatchObject({ code: 'database_unavailable' });
    const { live, get } = await openServer();
    await live.prepare();
    live.begin();
    expect((await get('/readyz')).status).toBe(200);
    const headers = { 'content-type': 'application/json' };
    const accepted = await live.app.request(`${ORIGIN}/v1/tasks`, {
      method: 'POST',
      headers,
      body: JSON.stringify(LISTING),
    });
    expect(accepted.status).toBe(202);
    const { id } = (await accepted.json()) as { id: string };
    await expect
      .poll(async () => (await get(`/v1/tasks/${id}`)).json(), { timeout: 60_000 })
      .toMatchObject({ state: 'FAILED', failure_message: expect.stringContaining('dropped') });
    await expect
      .poll(() => admin.query('select key from listing_video_queue.jobs'), { timeout: 10_000 })
      .toEqual([]);
  }, 90_000);
});
