/** The schema of a database is made once, step by step, and a program works only with the version that it knows. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Database } from '../../../src/task/postgres/database.ts';
import {
  migrateDatabase,
  requireQueue,
  requireSchema,
  SCHEMA_VERSION,
} from '../../../src/task/postgres/migrate-database.ts';
import { openDatabase } from '../../../src/task/postgres/open-database.ts';
import { migrateDatabaseAt } from '../../../src/wiring/stores/open-database.ts';
import { describeWithPostgres } from './test-server.ts';

const FIRST = { name: 'first', sql: 'create table listing_video.first (n integer)' };
const SECOND = { name: 'second', sql: 'create table listing_video.second (n integer)' };
const BROKEN = { name: 'broken', sql: `${SECOND.sql}; create table listing_video.first ()` };

describeWithPostgres('migrateDatabase', (server) => {
  let database: Database;
  beforeEach(() => {
    database = openDatabase({ url: server.url });
  });
  afterEach(async () => {
    await database.query('drop schema if exists listing_video cascade');
    await database.close();
  });

  const tables = async () => {
    const rows = await database.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relnamespace = 'listing_video'::regnamespace`,
    );
    return rows.map(({ name }) => name).sort();
  };

  it('runs what is missing, and nothing the second time', async () => {
    expect(await migrateDatabase(database, [FIRST])).toEqual({ from: 0, to: 1, applied: ['first'] });
    expect(await migrateDatabase(database, [FIRST, SECOND])).toEqual({ from: 1, to: 2, applied: ['second'] });
    expect(await migrateDatabase(database, [FIRST, SECOND])).toEqual({ from: 2, to: 2, applied: [] });
    expect(await tables()).toEqual(['first', 'migrations', 'second']);
  });

  it('runs each migration once when several programs start at the same time', async () => {
    const others = [openDatabase({ url: server.url }), openDatabase({ url: server.url })];
    const reports = await Promise.all(
      [database, ...others].map((each) => migrateDatabase(each, [FIRST, SECOND])),
    );
    expect(reports.flatMap(({ applied }) => applied).sort()).toEqual(['first', 'second']);
    expect(reports.map(({ to }) => to)).toEqual([2, 2, 2]);
    await Promise.all(others.map((each) => each.close()));
  });

  it('leaves no half of a migration that fails, and keeps those before it', async () => {
    await expect(migrateDatabase(database, [FIRST, BROKEN])).rejects.toThrow('already exists');
    expect(await tables()).toEqual(['first', 'migrations']);
    expect(await migrateDatabase(database, [FIRST, SECOND])).toMatchObject({ from: 1, applied: ['second'] });
  });

  it('uses a schema that an administrator made for it', async () => {
    await database.query('create schema listing_video');
    expect(await migrateDatabase(database)).toMatchObject({ from: 0, to: SCHEMA_VERSION });
    await requireSchema(database);
  });

  it('refuses the tables of 0.2.0, and says that a new database is needed', async () => {
    await database.query('create schema listing_video');
    await database.query(`create table listing_video.migrations (version integer, name text)`);
    await database.query(`insert into listing_video.migrations values (1, 'first'), (8, 'last')`);
    const retired = { code: 'database_version', hint: expect.stringContaining('new, empty database') };
    await expect(requireSchema(database)).rejects.toMatchObject(retired);
    await expect(migrateDatabase(database)).rejects.toMatchObject(retired);
  });

  it('refuses an encoding that cannot keep every text', async () => {
    await database.query(
      `create database latin template template0 encoding 'LATIN1' lc_collate 'C' lc_ctype 'C'`,
    );
    const latin = openDatabase({ url: server.url.replace(/postgres$/, 'latin') });
    await expect(migrateDatabase(latin)).rejects.toMatchObject({
      code: 'database_version',
      message: expect.stringContaining('LATIN1'),
    });
    await latin.close();
  });

  it('lets programs work with a newer database whose steps say that they can, and no others', async () => {
    const added = { ...SECOND, oldest: 1 };
    const changed = { name: 'third', sql: 'drop table listing_video.second', oldest: 2 };
    await migrateDatabase(database, [FIRST, added]);
    expect(await requireSchema(database, 1)).toBe(2);
    // The older program finds nothing to do, and changes nothing.
    expect(await migrateDatabase(database, [FIRST])).toEqual({ from: 2, to: 2, applied: [] });
    await migrateDatabase(database, [FIRST, added, changed]);
    expect(await requireSchema(database, 2)).toBe(3);
    const tooNew = { code: 'database_version', hint: expect.stringContaining('update listing-video') };
    await expect(requireSchema(database, 1)).rejects.toMatchObject(tooNew);
    await expect(migrateDatabase(database, [FIRST])).rejects.toMatchObject(tooNew);
    expect(
      await database.query('select version, oldest_version from listing_video.migrations order by 1'),
    ).toEqual([
      { version: 1, oldestVersion: 1 },
      { version: 2, oldestVersion: 1 },
      { version: 3, oldestVersion: 2 },
    ]);
  });

  it('takes a newer queue whose own notes say that no step breaks older programs', async () => {
    await migrateDatabaseAt(server.url);
    await database.query(`insert into listing_video_queue.migrations (id, breaking) values (999, false)`);
    await requireQueue(database);
    expect((await migrateDatabaseAt(server.url)).applied).toEqual([]);
    await database.query('drop schema listing_video_queue cascade');
  });

  it('refuses a database without tables, an older one and a newer one, and says what to do', async () => {
    await expect(requireSchema(database)).rejects.toMatchObject({
      code: 'database_version',
      message: expect.stringMatching(
        /^the database 127\.0\.0\.1:\d+\/postgres has no tables of listing-video yet$/,
      ),
      hint: expect.stringContaining('listing-video database migrate'),
    });
    await migrateDatabase(database, [FIRST]);
    await expect(requireSchema(database, 2)).rejects.toMatchObject({
      code: 'database_version',
      message: expect.stringContaining('has schema version 1, this program needs 2'),
    });
    await requireSchema(database, 1);
    await migrateDatabase(database, [FIRST, SECOND]);
    const newer = {
      code: 'database_version',
      message: expect.stringContaining('has schema version 2, this program knows versions up to 1'),
      hint: expect.stringContaining('update listing-video'),
    };
    await expect(requireSchema(database, 1)).rejects.toMatchObject(newer);
    await expect(migrateDatabase(database, [FIRST])).rejects.toMatchObject(newer);
  });
});
