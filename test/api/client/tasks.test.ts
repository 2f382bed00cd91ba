/** `tasks` and `organization` with a server: the same tables and documents, and what the API does not offer. */

import { describe, expect, it } from 'vitest';
import { folderOf, listing } from '../../cli/listing-files.ts';
import { aPayload } from '../../video/a-payload.ts';
import { runRemote } from './run-remote.ts';
import { type ServedFilms, serveFilms } from './served-videos.ts';
import { sendJson, startStub } from './stub-server.ts';

// biome-ignore lint/suspicious/noExplicitAny: documents of many shapes, looked at piece by piece.
type AnyJson = any;

/** Makes tasks through the API, each to its end. */
async function make(service: ServedFilms, ...ids: readonly string[]): Promise<string[]> {
  const made: string[] = [];
  for (const id of ids) {
    const response = await fetch(`${service.url}/v1/tasks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${service.key}` },
      body: JSON.stringify(listing(id)),
    });
    const task: AnyJson = await response.json();
    made.push(task.id);
    for (;;) {
      const { state } = await service.engine.get(task.id);
      if (state === 'SUCCEEDED' || state === 'FAILED') break;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return made;
}

describe('tasks list', () => {
  it('shows the table, by state and page, and says how to go on', async () => {
    const service = await serveFilms();
    const [first, second, bad] = await make(service, 'one', 'two', 'bad');
    const all = await service.run(['tasks', 'list', '--limit', '2']);
    expect(all.exitCode).toBe(0);
    expect(all.stdout).toMatch(/^ID +STATE +AGE +LISTING +NOTE$/m);
    expect(all.stdout).toMatch(new RegExp(`^${bad} +FAILED .* no usable assets: 5 of 5 dropped$`, 'm'));
    expect(all.stdout).toMatch(new RegExp(`^${second} +SUCCEEDED .* 1 video$`, 'm'));
    expect(all.stderr).toBe(
      `more: listing-video tasks list --limit 2 --starting-after ${second} --server ${service.url}\n`,
    );
    const rest = await service.run(['tasks', 'list', '--starting-after', second!, '--json']);
    expect(rest.json()).toMatchObject({ data: [{ id: first, state: 'SUCCEEDED' }], has_more: false });
    const failed = await service.run(['tasks', 'list', '--state', 'FAILED', '--json']);
    expect(failed.json().data).toMatchObject([{ id: bad, failure_message: expect.any(String) }]);
    const lost = await service.run(['tasks', 'list', '--starting-after', 'nobody-knows-it', '--json']);
    expect([lost.exitCode, lost.json().error.code]).toEqual([2, 'task_not_found']);
  });

  it('gives the document of the API', async () => {
    const service = await serveFilms();
    await make(service, 'one');
    const { json } = await service.run(['tasks', 'list', '--json']);
    const response = await fetch(`${service.url}/v1/tasks`, {
      headers: { authorization: `Bearer ${service.key}` },
    });
    expect(json()).toEqual(await response.json());
  });
});

describe('tasks get', () => {
  it('shows one task as the API does, its results where the server has them', async () => {
    const service = await serveFilms();
    const [id = ''] = await make(service, 'one');
    const shown = await service.run(['tasks', 'get', id]);
    expect(shown.stdout).toMatch(
      new RegExp(`^result +${service.url}/files/org_default/${id}/[\\w-]{22}\\.mp4$`, 'm'),
    );
    const document = (await service.run(['tasks', 'get', id, '--json'])).json();
    expect(document).toMatchObject({ id, state: 'SUCCEEDED', results: [{ agent_id: 'ann' }] });
  });

  it.each(['nobody-knows-it', 'short', '..', '../organization', '%2e%2e', 'a b c d e f g h'])(
    'of an id that is none is exit 2: %s',
    async (id) => {
      const service = await serveFilms();
      const { exitCode, json } = await service.run(['tasks', 'get', '--json', '--', id]);
      expect([exitCode, json().error.code]).toEqual([2, 'task_not_found']);
    },
  );
});

describe('tasks watch', () => {
  it('follows one to its end, and prints where its results are', async () => {
    const service = await serveFilms();
    const [id = '', bad = ''] = await make(service, 'one', 'bad');
    const { exitCode, stdout } = await service.run(['tasks', 'watch', id]);
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/files\/.*\.mp4\n$/),
    ]);
    const failed = await service.run(['tasks', 'watch', bad, '--json']);
    expect([failed.exitCode, failed.json()]).toMatchObject([1, { id: bad, state: 'FAILED' }]);
    expect((await service.run(['tasks', 'watch'])).stderr).toBe('no pending or running tasks\n');
  });

  it('ends with Ctrl-C while the task goes on', async () => {
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const service = await serveFilms({
      handler: async () => ended.then(() => ({ results: [], dropped_assets: [], report: null })),
    });
    const { id } = await service.engine.submit({
      origin: 'api',
      organizationId: 'org_default',
      payload: aPayload(listing()),
    });
    const interrupt = new AbortController();
    const { exitCode, stderr } = await service.run(['tasks', 'watch', id], {
      interrupted: interrupt.signal,
      delay: async (_, signal) => {
        interrupt.abort();
        signal.throwIfAborted();
      },
    });
    expect([exitCode, stderr]).toEqual([
      130,
      `error: stopped watching ${id}; the task continues\n` +
        `  try: to stop the task too: listing-video tasks cancel ${id} --server ${service.url}\n`,
    ]);
    end();
  });
});

describe('tasks cancel', () => {
  it('stops a running task of the server, and says the same when it is asked again', async () => {
    let stopped = false;
    let begins = () => {};
    const begun = new Promise<void>((resolve) => {
      begins = resolve;
    });
    const service = await serveFilms({
      handler: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            stopped = true;
            reject(signal.reason);
          });
          begins();
        }),
    });
    const payload = aPayload(listing());
    const { id } = await service.engine.submit({ origin: 'api', organizationId: 'org_default', payload });
    await begun;
    const first = await service.run(['tasks', 'cancel', id]);
    expect([first.exitCode, first.stdout, first.stderr]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^${id} is (stopping|cancelled)\n$`)),
      '',
    ]);
    await expect.poll(async () => (await service.engine.get(id)).state).toBe('FAILED');
    expect(stopped).toBe(true);
    const again = await service.run(['tasks', 'cancel', id, '--json']);
    expect([again.exitCode, again.json()]).toMatchObject([
      0,
      { id, state: 'FAILED', failure_message: 'cancelled' },
    ]);
  });

  it('of a task that has ended, of no task, and with a key that only reads is refused', async () => {
    const service = await serveFilms();
    const [id = ''] = await make(service, 'one');
    const { key: reader } = await service.accounts.createKey({
      organizationId: 'org_default',
      readOnly: true,
    });
    const cancel = async (task: string, key = service.key) => {
      const { exitCode, json } = await service.run(['tasks', 'cancel', '--json', '--', task], { key });
      return [exitCode, json().error.code, json().error.message];
    };
    expect(await cancel(id)).toEqual([
      2,
      'task_state_conflict',
      expect.stringContaining('already ended: SUCCEEDED'),
    ]);
    const nobody = '01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00';
    for (const task of [nobody, '../organization', 'short'])
      expect((await cancel(task)).slice(0, 2)).toEqual([2, 'task_not_found']);
    expect((await cancel(id, reader)).slice(0, 2)).toEqual([2, 'forbidden']);
  });

  it('says so where the server does not offer it', async () => {
    const id = '01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00';
    const task = { id, state: 'RUNNING', results: [], dropped_assets: [] };
    const stub = await startStub(({ method }, response) =>
      method === 'GET'
        ? sendJson(response, 200, task)
        : sendJson(response, 404, {
            code: 'not_found',
            message: 'there is nothing at this path',
            context: null,
          }),
    );
    const context = { cwd: await folderOf(), server: stub.url };
    const { exitCode, stderr } = await runRemote(['tasks', 'cancel', id], context);
    expect([exitCode, stderr]).toEqual([
      2,
      `error: ${stub.url} cannot cancel tasks: it is of an earlier version\n` +
        `  try: on the machine of the server: listing-video tasks cancel ${id}\n`,
    ]);
  });
});

describe('organization show', () => {
  it('shows the balance of the key', async () => {
    const service = await serveFilms();
    await service.accounts.grant('org_default', 12);
    expect((await service.run(['organization', 'show'])).stdout).toBe(
      'id        org_default\nbalance   12\n',
    );
    expect((await service.run(['organization', 'show', '--json'])).json()).toEqual({
      id: 'org_default',
      balance: 12,
    });
    const other = await service.run(['organization', 'show', '--organization', 'org_0c1d2e3f40516273']);
    expect([other.exitCode, other.stderr]).toEqual([
      2,
      expect.stringContaining('shows a key only its own organization'),
    ]);
  });

  it('without the right key is exit 2', async () => {
    const { url } = await serveFilms();
    const { exitCode, json } = await runRemote(['organization', 'show', '--json'], {
      cwd: await folderOf(),
      server: url,
    });
    expect([exitCode, json().error.code]).toEqual([2, 'unauthenticated']);
  });
});

describe('a command that needs the data folder itself', () => {
  it.each([
    ['tasks retry', 'tasks retry 01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00'],
    ['tasks prune', 'tasks prune'],
    ['organization create', 'organization create'],
    ['organization list', 'organization list'],
    ['organization grant', 'organization grant 5'],
    ['keys create', 'keys create --organization org_default'],
    ['keys list', 'keys list'],
    ['keys revoke', 'keys revoke 0c1d2e3f40516273'],
  ])('is refused, and nothing is sent: %s', async (what, line) => {
    const stub = await startStub((_, response) => response.end());
    const { exitCode, stderr } = await runRemote(line.split(' '), {
      cwd: await folderOf(),
      server: stub.url,
    });
    expect([exitCode, stderr.split('\n')[0]]).toEqual([
      2,
      `error: ${what} is not available at ${stub.url}: it works only on the server's machine`,
    ]);
    expect([stderr.includes('--no-server'), stub.asked]).toEqual([true, []]);
  });

  it('is done here with --no-server', async () => {
    const { run } = await import('../../cli/run-cli.ts');
    const env = { LISTING_VIDEO_SERVER: 'http://127.0.0.1:9' };
    for (const line of ['keys list --no-server', 'organization list --no-server', 'tasks prune --no-server'])
      expect([line, (await run(line.split(' '), { cwd: await folderOf(), env })).exitCode]).toEqual([
        line,
        0,
      ]);
  });
});
