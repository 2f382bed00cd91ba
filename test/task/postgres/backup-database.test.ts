/** The guide to backups of a database, followed while tasks are accepted, and restored into another database. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { DEFAULT_ORGANIZATION_ID } from '../../../src/task/accounts/account-rules.ts';
import { createTaskEngine } from '../../../src/task/engine/task-engine.ts';
import { openDatabase } from '../../../src/task/postgres/open-database.ts';
import type { JsonValue, TaskState } from '../../../src/task/task.ts';
import { migrateDatabaseAt } from '../../../src/wiring/stores/open-database.ts';
import { openDatabaseStores } from '../../../src/wiring/stores/open-database-stores.ts';
import type { Stores } from '../../../src/wiring/stores/stores.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { aListing } from '../../listing/a-listing.ts';
import { aPayload } from '../../video/a-payload.ts';
import { findPrograms } from './local-server.ts';
import { describeWithPostgres } from './test-server.ts';

const GUIDE = fileURLToPath(new URL('../../../src/cli/help/backup.md', import.meta.url));
const CREDITS = 100_000;
const LOGGER = { debug: () => {}, warn: () => {} };

describeWithPostgres('a backup of a database in use', (server) => {
  /** Runs a shell block of the guide in `folder`. */
  const follow = async (block: string, folder: string, url: string) => {
    const { hostname, port, pathname, username } = new URL(url);
    const service = { host: hostname, port, dbname: pathname.slice(1), user: username };
    const lines = Object.entries(service).map(([name, value]) => `${name}=${value}`);
    const file = path.join(folder, 'pg_service.conf');
    await writeFile(file, ['[videos-owner]', ...lines, ''].join('\n'));
    return promisify(execFile)('sh', ['-e', '-c', block], {
      cwd: folder,
      env: { PGSERVICEFILE: file, PATH: [findPrograms(), process.env.PATH].join(path.delimiter) },
    });
  };
  const accept = async ({ store, accounts }: Stores, key: string) => {
    const claim = await (await accounts()).beginIdempotent(DEFAULT_ORGANIZATION_ID, key, 'body');
    if (claim.kind !== 'new') throw new Error(claim.kind);
    const payload = aPayload(aListing()) as unknown as JsonValue;
    const task = {
      id: claim.taskId,
      origin: 'api',
      organizationId: DEFAULT_ORGANIZATION_ID,
      payload,
    } as const;
    await store.create(task);
    await claim.commit();
    return task.id;
  };

  it('has all tasks, keys, credits and jobs of one moment', async () => {
    const guide = await readFile(GUIDE, 'utf8');
    const [dump = '', restore = ''] = [...guide.matchAll(/^```sh\n(pg_.*?)^```$/gms)].map(
      ([, block]) => block!,
    );
    await migrateDatabaseAt(server.url);
    const old = await openDatabaseStores(server.url);
    await (await old.accounts()).grant(DEFAULT_ORGANIZATION_ID, CREDITS);
    const { key } = await (await old.accounts()).createKey({ organizationId: DEFAULT_ORGANIZATION_ID });
    const first = await accept(old, 'first');
    expect(await old.store.claim(first)).toMatchObject({ kind: 'claimed' });
    let isCopying = true;
    const meanwhile = (async () => {
      for (let n = 0; isCopying; n++) await accept(old, `n-${n}`);
    })();
    const folder = temporaryFolder();
    await follow(dump, folder, server.url).finally(() => {
      isCopying = false;
    });
    await meanwhile;
    await old.close();

    const database = openDatabase({ url: server.url });
    await database.query('create database restored');
    await database.close();
    const url = server.url.replace(/[^/]*$/, 'restored');
    await follow(restore, folder, url);

    const restored = await openDatabaseStores(url);
    const { store } = restored;
    const accounts = await restored.accounts();
    expect((await migrateDatabaseAt(url)).applied).toEqual([]);
    expect(await accounts.authenticate(key)).toMatchObject({ organizationId: DEFAULT_ORGANIZATION_ID });
    expect(await accounts.beginIdempotent(DEFAULT_ORGANIZATION_ID, 'first', 'body')).toEqual({
      kind: 'replay',
      taskId: first,
    });
    const count = (state: TaskState) => store.count({ state, atMost: CREDITS });
    const tasks = (await count('PENDING')) + (await count('RUNNING'));
    expect(await accounts.getOrganization(DEFAULT_ORGANIZATION_ID)).toMatchObject({
      balance: CREDITS - tasks,
    });
    // Its jobs start what waits, and what ran at the time of the dump.
    let onEnd = (): void => {};
    const engine = createTaskEngine({
      store,
      queue: await restored.openQueue!({
        logger: LOGGER,
        tasksAtOnce: 4,
        jobsAtOnce: 5,
        takesBatches: false,
        onRedelivered: () => {},
      }),
      concurrency: 4,
      handler: async () => null,
      hooks: { reserve: async () => {}, release: async () => {}, settle: async () => onEnd() },
    });
    const ended = new Promise<void>((resolve) => {
      let left = tasks;
      onEnd = () => {
        left -= 1;
        if (left === 0) resolve();
      };
    });
    engine.start();
    await ended;
    expect([await count('SUCCEEDED'), await accounts.getOrganization(DEFAULT_ORGANIZATION_ID)]).toMatchObject(
      [tasks, { balance: CREDITS - tasks }],
    );
    await engine.drain(0);
    await restored.close();
  });
});
