/** The guide to backups, followed line by line while a real server accepts tasks, and restored into another server. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { createFileAccountStore } from '../../src/task/files/accounts/create-account-store.ts';
import { createFileTaskStore } from '../../src/task/files/tasks/file-task-store.ts';
import { post } from '../api/server/ask-server.ts';
import { type ServeProcess, startServe } from '../bench/serve-process.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import { aListing } from '../listing/a-listing.ts';

const GUIDE = fileURLToPath(new URL('../../src/cli/help/backup.md', import.meta.url));
const CREDITS = 500;

const servers: ServeProcess[] = [];
let folder = '';
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.dispose()));
});

/** The shell blocks of the guide, without the lines of listing-video. */
async function guideBlocks(home: string): Promise<string[]> {
  const guide = (await readFile(GUIDE, 'utf8')).replaceAll('/srv/listing-video', home);
  return [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) =>
    block!.replaceAll(/^listing-video .*$/gm, ''),
  );
}

async function start(home: string): Promise<ServeProcess> {
  const server = await startServe(['--home', home]);
  servers.push(server);
  return server;
}

it('a backup of a running server has all its tasks, keys and credits', async () => {
  folder = temporaryFolder();
  const home = path.join(folder, 'home');
  const accounts = createFileAccountStore({ home, tasks: createFileTaskStore({ home }) });
  await accounts.grant('org_default', CREDITS);
  const { key } = await accounts.createKey({ organizationId: 'org_default' });
  await accounts.close();
  const headers = { authorization: `Bearer ${key}` };
  // Refused addresses: every task fails soon, without the network, and its credits come back.
  const assets = Array.from({ length: 5 }, (_, n) => ({ type: 'image', url: `http://127.0.0.1:1/${n}.jpg` }));
  const listing = { ...aListing(), assets, note: 'x'.repeat(40_000) };

  const old = await start(home);
  const accept = async (): Promise<string> => (await post(old.url, listing, headers)).json.id;
  const accepted = [await accept(), await accept(), await accept(), await accept()];
  const [backup = '', restore = ''] = await guideBlocks(home);
  let isCopying = true;
  const meanwhile = (async () => {
    // Each task is a process later on: a few are enough.
    while (isCopying) await Promise.all([accept(), sleep(50)]);
  })();
  for (const line of backup.trim().split('\n')) {
    // 1: a file changed while tar read it, which the guide names.
    await promisify(execFile)('sh', ['-c', `${line} || [ $? -eq 1 ]`], { cwd: folder });
  }
  isCopying = false;
  await meanwhile;
  // The machine is lost.
  await old.dispose();
  await promisify(execFile)('sh', ['-e', '-c', restore], { cwd: folder });

  const restored = await start(path.join(folder, 'restored'));
  const get = async <T>(route: string): Promise<T> => {
    for (;;) {
      const answer = await fetch(`${restored.url}${route}`, { headers });
      if (answer.status === 200) return (await answer.json()) as T;
      // A key may ask less often than a loop can.
      expect(answer.status).toBe(429);
      await sleep(50);
    }
  };
  expect((await fetch(`${restored.url}/v1/tasks`)).status).toBe(401);
  interface Page {
    readonly data: readonly { readonly id: string; readonly state: string }[];
  }
  const { data } = await get<Page>('/v1/tasks?limit=100');
  expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(accepted));
  for (;;) {
    const waiting = await get<Page>('/v1/tasks?state=PENDING');
    const running = await get<Page>('/v1/tasks?state=RUNNING');
    if (waiting.data.length + running.data.length === 0) break;
    await sleep(100);
  }
  // What was reserved for tasks that are not in the backup comes back, too.
  for (;;) {
    const { balance } = await get<{ balance: number }>('/v1/organization');
    if (balance === CREDITS) break;
    expect(balance).toBeLessThan(CREDITS);
    await sleep(100);
  }
}, 60_000);
