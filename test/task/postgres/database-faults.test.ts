/** A database that is away is a fault of the machine: nothing is lost, no secret is named, and it is used again. */
import { type AddressInfo, connect, createServer } from 'node:net';
import { inspect } from 'node:util';
import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { systemProbe } from '../../../src/platform/disk/process-identity.ts';
import { isMachineFault, ListingVideoError } from '../../../src/platform/errors.ts';
import { databaseUrlKind } from '../../../src/platform/settings/value-kind.ts';
import { createWritableCheck } from '../../../src/task/postgres/check-database.ts';
import { toDatabaseError } from '../../../src/task/postgres/database-error.ts';
import { openDatabase, placeOf, toConnectionString } from '../../../src/task/postgres/open-database.ts';
import { createPostgresTaskStore } from '../../../src/task/postgres/tasks/postgres-task-store.ts';
import { claimOf, FAILURE, idAt, START_MS } from '../store-harness.ts';
import { claimInOrder } from './claim-in-order.ts';
import { describeWithDatabase } from './test-server.ts';

const AWAY = { code: 'database_unavailable' };

describeWithDatabase('a database with faults', (server) => {
  const { database } = server;

  const newTask = (number: number) => ({
    id: idAt(START_MS, number),
    origin: 'api' as const,
    organizationId: 'org',
    payload: { n: number },
  });

  it('is unavailable while it is stopped, and the same store works again afterwards', async () => {
    const store = createPostgresTaskStore({ database });
    const task = await store.create(newTask(1));
    const claim = claimOf(await store.claim(task.id));
    await server.stop();
    for (const call of [
      () => store.get(task.id),
      () => store.list({ limit: 1 }),
      () => store.create(newTask(2)),
      () => store.claimNext({ origin: 'api', trustLeases: true, only: task }),
      () => store.heartbeat(claim),
      () => store.settle(claim, { kind: 'succeeded', outcome: 1 }, null),
    ]) {
      await expect(call()).rejects.toMatchObject(AWAY);
    }
    await server.start();
    expect(await store.heartbeat(claim)).toBe('owned');
    expect(await store.settle(claim, { kind: 'succeeded', outcome: 1 }, null)).toMatchObject({
      state: 'SUCCEEDED',
    });
    await expect(store.get(newTask(2).id)).rejects.toMatchObject({ code: 'task_not_found' });
  });

  it('undoes a transaction during which it stops', async () => {
    const store = createPostgresTaskStore({ database, onChange: () => server.stop() });
    await expect(store.create(newTask(1))).rejects.toMatchObject(AWAY);
    await server.start();
    expect(await createPostgresTaskStore({ database }).list({ limit: 9 })).toMatchObject({ data: [] });
  });

  it('undoes the change of a task when its hook refuses it, and passes the refusal on', async () => {
    const refusal = new ListingVideoError('insufficient_balance', 'no credits');
    const store = createPostgresTaskStore({
      database,
      onChange: async () => {
        throw refusal;
      },
    });
    await expect(store.create(newTask(1))).rejects.toBe(refusal);
    expect(await store.list({ limit: 9 })).toMatchObject({ data: [] });
  });

  it('stores what a hook adds together with the task', async () => {
    const changes: string[] = [];
    const store = createPostgresTaskStore({
      database,
      onChange: async ({ before, after }, transaction) => {
        changes.push(`${before?.state ?? 'none'} ${after.state}`);
        const [row] = await transaction.query<{ state: string }>(
          'select state from listing_video.tasks where id = $1',
          [after.id],
        );
        expect(row).toEqual({ state: after.state });
      },
    });
    const { id } = await store.create(newTask(1));
    const claim = claimOf(await store.claim(id));
    await store.heartbeat(claim);
    await store.settle(claim, { kind: 'failed', failure: FAILURE }, null);
    await store.retry(id);
    await store.requestCancel(id);
    expect(changes).toEqual([
      'none PENDING',
      'PENDING RUNNING',
      'RUNNING FAILED',
      'FAILED PENDING',
      'PENDING FAILED',
    ]);
  });

  it('shows a damaged row as a warning, and does not let it block the other tasks', async () => {
    const store = createPostgresTaskStore({ database });
    const damaged = await store.create(newTask(1));
    const whole = await store.create(newTask(2));
    await database.query(`update listing_video.tasks set submitter = '{"pid": "x"}' where id = $1`, [
      damaged.id,
    ]);
    const corrupt = { code: 'store_corrupt', message: expect.stringContaining('"submitter"') };
    await expect(store.get(damaged.id)).rejects.toMatchObject(corrupt);
    expect(await store.list({ limit: 9 })).toMatchObject({ data: [whole], warnings: [{ id: damaged.id }] });
    const next = await claimInOrder(store, database).claimNext({ origin: 'api', trustLeases: true });
    expect(next).toMatchObject({ kind: 'claimed', claim: { id: whole.id } });
    await database.query(`update listing_video.tasks set updated_at = 'infinity' where id = $1`, [whole.id]);
    await expect(store.get(whole.id)).rejects.toMatchObject({ code: 'store_corrupt' });
  });

  it.each([
    [
      'a place in the queue that is no time',
      `setbacks = '{"takeovers": 0, "machineFaults": 0, "queuedAt": "x"}'`,
    ],
    ['a heartbeat at no time', `state = 'RUNNING', heartbeat_at = 'infinity'`],
  ])('does not let %s block the other tasks', async (_, edit) => {
    const store = createPostgresTaskStore({ database });
    const damaged = await store.create(newTask(1));
    const whole = await store.create(newTask(2));
    await database.query(`update listing_video.tasks set ${edit} where id = $1`, [damaged.id]);
    const next = () => claimInOrder(store, database).claimNext({ origin: 'api', trustLeases: true });
    const claims = [await next(), await next()].map(
      (result) => result?.kind === 'claimed' && result.claim.id,
    );
    expect(claims).toContain(whole.id);
  });

  it('does not let a fence that no number can follow block the other tasks', async () => {
    const store = createPostgresTaskStore({ database });
    const [edited, damaged, whole] = await Promise.all([1, 2, 3].map((n) => store.create(newTask(n))));
    const setFence = (id: string, fence: string) =>
      database.query(`update listing_video.tasks set fence = ${fence} where id = $1`, [id]);
    await setFence(edited!.id, '2147483647');
    await setFence(damaged!.id, '9223372036854775807');
    const next = () => claimInOrder(store, database).claimNext({ origin: 'api', trustLeases: true });
    expect(await next()).toMatchObject({ kind: 'claimed', claim: { id: edited!.id, fence: 2_147_483_648 } });
    expect(await next()).toMatchObject({ kind: 'claimed', claim: { id: whole!.id } });
    await expect(store.get(damaged!.id)).rejects.toMatchObject({
      code: 'store_corrupt',
      message: expect.stringContaining('"fence"'),
    });
  });

  it('gives out a task whose payload is lost with none, so that it ends instead of coming again', async () => {
    const store = createPostgresTaskStore({ database });
    const { id } = await store.create(newTask(1));
    await database.query('delete from listing_video.task_payloads');
    expect(await store.payload(id)).toBeNull();
    const next = await claimInOrder(store, database).claimNext({ origin: 'api', trustLeases: true });
    expect(next).toMatchObject({ kind: 'claimed', claim: { id, task: { payload: null } } });
  });

  it('ends a page of tasks with large results early, and shows every task', async () => {
    const store = createPostgresTaskStore({ database });
    const outcome = 'x'.repeat(1_500_000);
    for (let number = 1; number <= 5; number++) {
      const { id } = await store.create(newTask(number));
      const value = number === 5 ? outcome.repeat(4) : outcome;
      await store.settle(claimOf(await store.claim(id)), { kind: 'succeeded', outcome: value }, null);
    }
    const pages: number[] = [];
    let startingAfter: string | undefined;
    for (let hasMore = true; hasMore; ) {
      const page = await store.list({
        limit: 100,
        ...(startingAfter === undefined ? {} : { startingAfter }),
      });
      pages.push(page.data.length);
      ({ hasMore } = page);
      startingAfter = page.data.at(-1)?.id;
    }
    expect(pages).toEqual([1, 2, 2]);
  });

  it('measures leases with its own clock', async () => {
    const store = createPostgresTaskStore({ database, liveness: () => 'elsewhere' });
    const { id } = await store.create(newTask(1));
    expect((await store.claim(id)).kind).toBe('claimed');
    expect((await store.claim(id)).kind).toBe('refused');
    await database.query(`update listing_video.tasks set heartbeat_at = heartbeat_at - interval '31 s'`);
    const only = { id };
    expect(await store.claimNext({ origin: 'api', trustLeases: true, only })).toMatchObject({
      kind: 'claimed',
    });
  });

  it('takes a command of another machine for dead only after minutes, because the database can have been away for it', async () => {
    const other = { ...systemProbe().self, space: 'of another machine' };
    const [theirs, store] = [
      createPostgresTaskStore({ database, self: other }),
      createPostgresTaskStore({ database, liveness: () => 'elsewhere' }),
    ];
    const { id } = await theirs.create({ ...newTask(1), origin: 'cli' });
    await theirs.claim(id);
    const age = (time: string) =>
      database.query(
        `update listing_video.tasks set heartbeat_at = now() - interval '${time}' where id = $1`,
        [id],
      );
    await age('4 minutes');
    expect(await store.reclaimAbandoned()).toEqual([]);
    await age('6 minutes');
    expect(await store.reclaimAbandoned()).toMatchObject([{ id, state: 'FAILED' }]);
  });

  it('says what to give to a user without rights, and shows no value of a row in an error', async () => {
    await database.query('drop role if exists weak');
    await database.query('create role weak login');
    const weak = openDatabase({ url: server.url.replace('postgres@', 'weak@') });
    await expect(weak.query('select 1 from listing_video.tasks')).rejects.toMatchObject({
      ...AWAY,
      hint: expect.stringContaining('rights'),
    });
    await weak.close();
    const row = `('s3cret', 'x', now())`;
    const twice = `insert into listing_video.organizations (id, name, created_at) values ${row}, ${row}`;
    const error = await database.query(twice).catch((thrown: unknown) => thrown);
    expect(inspect(error)).not.toContain('s3cret');
  });

  it.each([
    ['28P01', 'refuses', 'pg_hba.conf'],
    ['3D000', 'no database', 'name'],
    ['42501', 'x', 'rights'],
    ['53300', 'no room', 'connections'],
    ['25006', 'x', 'read-only'],
    ['57014', 'x', 'busy'],
    ['55P03', 'x', 'lock'],
    ['40P01', 'x', 'again'],
  ])('says what to do about the error %s of a server', async (state, message, hint) => {
    await expect(
      database.query(`do $$ begin raise exception 'x' using errcode = '${state}'; end $$`),
    ).rejects.toMatchObject({
      ...AWAY,
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
    });
  });

  it('reads times the same way whatever the address sets', async () => {
    const { id } = await createPostgresTaskStore({ database }).create(newTask(1));
    const options = encodeURIComponent('-c datestyle=German -c timezone=Asia/Tokyo -c search_path=x');
    const german = openDatabase({ url: `${server.url}?options=${options}` });
    const read = await createPostgresTaskStore({ database: german }).get(id);
    expect(read).toEqual(await createPostgresTaskStore({ database }).get(id));
    await german.close();
  });

  it('does not wait for a rollback on a connection that gave no answer', async () => {
    let isSilent = false;
    const proxy = createServer((near) => {
      const far = connect(Number(new URL(server.url).port), '127.0.0.1');
      near.on('data', (bytes) => isSilent || far.write(bytes));
      far.on('data', (bytes) => near.write(bytes));
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const)
        one.on('error', () => {}).on('close', () => other.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as AddressInfo;
    const url = `${server.url.replace(/:\d+\/postgres$/, `:${port}/postgres`)}?query_timeout=300`;
    const silent = openDatabase({ url });
    const queries = vi.spyOn(pg.Client.prototype, 'query');
    await expect(
      silent.transaction(async (tx) => {
        isSilent = true;
        await tx.query('select 7');
      }),
    ).rejects.toMatchObject(AWAY);
    // A rollback would stand behind the statement without an answer, and wait as long again.
    expect(queries.mock.calls.at(-1)?.[0]).toMatchObject({ text: 'select 7' });
    queries.mockRestore();
    isSilent = false;
    expect(await silent.query('select 1 as n')).toEqual([{ n: 1 }]);
    await silent.close();
    await new Promise((resolve) => proxy.close(resolve));
  });

  it('is not writable while it is set to read-only, or silent', async () => {
    await createWritableCheck(database)();
    const readOnly = openDatabase({
      url: `${server.url}?options=${encodeURIComponent('-c default_transaction_read_only=on')}`,
    });
    await expect(createWritableCheck(readOnly)()).rejects.toThrow('is a standby or set to read-only');
    await readOnly.close();
    const silent = { place: 'db', query: () => new Promise<never>(() => {}) };
    await expect(createWritableCheck(silent, { patienceMs: 1 })()).rejects.toThrow(
      'the database db does not answer',
    );
  });

  it('lists the tasks behind a page that has only damaged rows', async () => {
    const store = createPostgresTaskStore({ database });
    const whole = await store.create(newTask(1));
    const damaged = [await store.create(newTask(2)), await store.create(newTask(3))].map(({ id }) => id);
    await database.query(`update listing_video.tasks set submitter = '{}' where id = any($1::uuid[])`, [
      damaged,
    ]);
    const page = await store.list({ limit: 1 });
    expect(page).toMatchObject({ data: [whole], hasMore: false });
    expect(page.warnings.map(({ id }) => id).sort()).toEqual(damaged.sort());
  });

  describe('its address', () => {
    it('is named without its secrets', async () => {
      const url = 'postgres://owner:s3cret-word@127.0.0.1:1/listing?sslmode=disable&application_name=owner';
      const away = openDatabase({ url });
      const error: ListingVideoError = await away.query('select 1').then(
        () => expect.unreachable(),
        (thrown) => thrown,
      );
      expect(error).toMatchObject({ ...AWAY, message: expect.stringContaining(placeOf(url)) });
      expect(isMachineFault(error.code)).toBe(true);
      const shown = JSON.stringify([error.message, error.hint, error.context, String(error.cause)]);
      expect(shown).not.toMatch(/s3cret|owner/);
      await away.close();
    });

    it('leads to a hint about user and name if the server refuses them', async () => {
      const unknown = openDatabase({ url: server.url.replace(/postgres$/, 'nowhere') });
      await expect(unknown.query('select 1')).rejects.toMatchObject({
        ...AWAY,
        hint: expect.stringContaining('LISTING_VIDEO_DATABASE'),
      });
      await unknown.close();
    });

    it('leads to a hint about the files that it names', async () => {
      const wrong = openDatabase({ url: `${server.url}?sslrootcert=/nonexistent/ca.pem` });
      await expect(wrong.query('select 1')).rejects.toMatchObject({
        ...AWAY,
        hint: expect.stringContaining('sslrootcert'),
      });
      await wrong.close();
    });

    it('has the modes of TLS that the manual of PostgreSQL describes', () => {
      const host = 'postgres://u@h/x';
      for (const mode of ['require', 'prefer', 'verify-ca']) {
        expect(toConnectionString(`${host}?sslmode=${mode}`)).toBe(
          `${host}?sslmode=${mode}&uselibpqcompat=true`,
        );
      }
      for (const url of [
        host,
        `${host}?sslmode=verify-full`,
        `${host}?sslmode=require&uselibpqcompat=false`,
      ]) {
        expect(toConnectionString(url)).toBe(url);
      }
    });

    it.each([
      'postgres://u:5/s3cret@host/x',
      'postgres://u:5?s3cret@host/x',
      'postgres://u:s3#cret@host/x',
      'postgres://u:s3@cret@host/x',
    ])('is not named if a sign in its password is not escaped: %s', (url) => {
      expect(placeOf(url)).toBe('in LISTING_VIDEO_DATABASE');
      expect(databaseUrlKind('<url>').parse(url, { cwd: '/' })).toBeNull();
    });

    it('can have escaped signs, and what a server needs besides', () => {
      for (const [url, place] of [
        ['postgres://u:%40%2F%3F@h:1/x?sslmode=require', 'h:1/x'],
        ['postgres://h/x', 'h/x'],
        ['postgres:///x?host=/run/postgresql', '/x'],
        ['postgres://u@[::1]:5432/x', '[::1]:5432/x'],
      ] as const) {
        expect(databaseUrlKind('<url>').parse(url, { cwd: '/' })).toBe(url);
        expect(placeOf(url)).toBe(place);
      }
    });
  });
});

it.each(['ERR_TLS_CERT_ALTNAME_INVALID', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'])(
  'a certificate that is refused with %s says what to check',
  (code) => {
    const refused = Object.assign(new Error('refused'), { code });
    expect(toDatabaseError(refused, 'db/videos')).toMatchObject({
      code: 'database_unavailable',
      hint: expect.stringContaining('sslrootcert'),
    });
  },
);
