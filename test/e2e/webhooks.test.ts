/**
 * `serve` with a webhook: the receiver of the guide, word for word, gets what the API answers, also after a kill -9.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnyJson, endOf, post } from '../api/server/ask-server.ts';
import { PhotoHost } from './photo-host.ts';
import { Desk, type Running } from './program.ts';

const GUIDE = fileURLToPath(new URL('../../src/cli/help/webhooks.md', import.meta.url));
const desk = new Desk('segments');
const running = new Set<Running>();
const receivers = new Set<ChildProcess>();
let port = 0;

/** The receiver of the guide as its own process. */
interface Receiver {
  /** The arguments that it logs for each message: type, id, data. */
  says(count: number): Promise<readonly (readonly [string, string, AnyJson])[]>;
  stop(): Promise<void>;
}

beforeAll(async () => {
  const [verify = '', receiver = ''] = [
    ...(await readFile(GUIDE, 'utf8')).matchAll(/^```js\n([\s\S]*?)^```$/gm),
  ].map(([, lines]) => lines!);
  expect(verify.trim().split('\n')).toHaveLength(10);
  await writeFile(path.join(desk.root, 'verify.mjs'), verify);
  await writeFile(path.join(desk.root, 'receiver.mjs'), receiver);
  port = await freePort();
});
afterAll(async () => {
  for (const program of running) program.kill('SIGKILL');
  for (const receiver of receivers) receiver.kill('SIGKILL');
  await Promise.all([...running].map(({ finished }) => finished));
  desk.close();
});

/** One that the system gives nobody meanwhile: it takes its own from 32768 on. */
async function freePort(): Promise<number> {
  for (let number = 20_000 + (process.pid % 10_000); ; number++) {
    const server = createServer().listen(number, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    server.close();
    if (isFree) return number;
  }
}

async function startReceiver(secret: string): Promise<Receiver> {
  const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret };
  const child = spawn(process.execPath, ['receiver.mjs'], {
    cwd: desk.root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  receivers.add(child);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (more) => {
    text += more;
  });
  const lines = () => text.split('\n').slice(0, -1);
  // It listens when it answers, and a request without a signature gets 400.
  for (let status = 0; status !== 400; ) {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' }).catch(() => null);
    status = answer?.status ?? 0;
  }
  return {
    says: async (count) => {
      while (lines().length < count) await once(child.stdout, 'data');
      return lines().map((line) => {
        const [type = '', id = '', ...data] = line.split(' ');
        return [type, id, JSON.parse(data.join(' '))] as const;
      });
    },
    stop: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
      receivers.delete(child);
    },
  };
}

async function serve(home = desk.home): Promise<{ program: Running; url: string }> {
  const program = desk.start(['serve', '--port', '0', '--quality', 'draft'], { home });
  running.add(program);
  void program.finished.then(() => running.delete(program));
  const [, url = ''] = await program.says(/^listening on (http:\/\/127\.0\.0\.1:\d+)$/m);
  return { program, url };
}

/** Submits a listing and returns its task once it has ended. */
const makeTask = async (url: string, listing: AnyJson): Promise<AnyJson> =>
  endOf(url, (await post(url, listing)).json.id);

async function listingWith(photos: string): Promise<AnyJson> {
  const file = await desk.writeListing('listing.json', () => undefined);
  const listing: AnyJson = JSON.parse(await readFile(file, 'utf8'));
  for (const asset of listing.assets) asset.url = `${photos}/${path.basename(asset.url)}`;
  listing.agents[0].video_options = { create_preview: true, metadata: { campaign: 'spring' } };
  return listing;
}

const cli = async (...words: string[]): Promise<AnyJson> => {
  const { exitCode, stdout } = await desk.run(['webhooks', ...words, '--json']);
  return { exitCode, ...JSON.parse(stdout) };
};

describe('the receiver of the guide', () => {
  it('gets each end of a task as the API answers it, also after a kill -9 and after a redelivery', async () => {
    const photos = await PhotoHost.open();

    const { id, secret } = await cli('create', '--url', `http://127.0.0.1:${port}/hook`);
    let receiver = await startReceiver(secret);
    expect(await cli('test', id)).toMatchObject({ exitCode: 0, delivered: true, status: 204 });
    expect(await receiver.says(1)).toEqual([['webhook.test', id, { webhook_id: id }]]);

    const first = await serve();
    const made = await makeTask(first.url, await listingWith(photos.url));
    expect(made).toMatchObject({
      state: 'SUCCEEDED',
      results: [{ agent_id: 'a', metadata: { campaign: 'spring' } }],
    });
    expect((await receiver.says(2))[1]).toEqual(['task.succeeded', made.id, made]);

    // Nobody listens, and the server dies: the next one sends. The receiver prints a message before it answers.
    await first.program.sees(/webhook delivered/);
    await receiver.stop();
    const failed = await makeTask(first.url, await listingWith('http://127.0.0.1:9'));
    expect(failed.state).toBe('FAILED');
    first.program.kill('SIGKILL');
    await first.program.finished;
    const waiting = (await cli('deliveries', id, '--state', 'waiting')).data;
    expect(waiting).toMatchObject([{ task_id: failed.id, event: 'task.failed' }]);
    receiver = await startReceiver(secret);
    const second = await serve();
    expect(await receiver.says(1)).toEqual([['task.failed', failed.id, failed]]);

    await second.program.sees(/webhook delivered/);
    const { id: again } = await cli('redeliver', waiting[0].id);
    expect((await receiver.says(2))[1]).toEqual(['task.failed', failed.id, failed]);
    second.program.kill('SIGTERM');
    const { exitCode, stderr } = await second.program.finished;
    expect(exitCode).toBe(0);
    expect(stderr).not.toMatch(/whsec_|\/hook/);
    const { data } = await cli('deliveries');
    expect(data.map((each: AnyJson) => [each.id, each.state, each.last_attempt.status])).toEqual([
      [again, 'succeeded', 204],
      [waiting[0].id, 'succeeded', 204],
      [expect.any(String), 'succeeded', 204],
    ]);
    await receiver.stop();
    photos.close();
  }, 180_000);

  it('gets each event from two servers that share a data folder', async () => {
    const home = path.join(desk.root, 'shared');
    const type = async (...words: string[]): Promise<AnyJson> =>
      JSON.parse((await desk.run(['webhooks', ...words, '--json'], { home })).stdout);
    const { secret } = await type('create', '--url', `http://127.0.0.1:${port}/`);
    const receiver = await startReceiver(secret);
    const servers = [await serve(home), await serve(home)];
    // On a loaded machine one can come again: receivers know it by its id.
    const idsOf = (events: Awaited<ReturnType<typeof receiver.says>>) =>
      [...new Set(events.map(([, id]) => id))].sort();
    const hopeless = await listingWith('http://127.0.0.1:9');
    const tasks = await Promise.all([0, 1, 2, 3].map((n) => makeTask(servers[n % 2]!.url, hopeless)));
    let got = await receiver.says(tasks.length);
    while (idsOf(got).length < tasks.length) got = await receiver.says(got.length + 1);
    for (const { program } of servers) program.kill('SIGTERM');
    for (const { program } of servers) expect((await program.finished).exitCode).toBe(0);
    expect(idsOf(got)).toEqual(tasks.map(({ id }) => id).sort());
    const { data } = await type('deliveries');
    expect(data.map((each: AnyJson) => [each.state, each.attempts])).toEqual(
      tasks.map(() => ['succeeded', 1]),
    );
    expect(idsOf(await receiver.says(0))).toEqual(idsOf(got));
    await receiver.stop();
  }, 90_000);

  it('refuses what is forged, changed or old', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const receiver = await startReceiver(secret);
    const send = async (body: string, sentBody: string, sentAt: Date, key = secret): Promise<string> => {
      const headers = {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
        'webhook-signature': `v1,AAAA ${new Webhook(key).sign('msg_1', sentAt, body)}`,
      };
      const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: sentBody });
      return `${answer.status} ${await answer.text()}`;
    };
    const body = '{"type":"task.failed","data":{"id":"1"}}';
    const now = new Date();
    expect(await send(body, body, now)).toBe('204 ');
    expect(await send(body, `${body} `, now)).toBe('400 the signature is wrong');
    expect(await send(body, body, now, 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')).toBe(
      '400 the signature is wrong',
    );
    expect(await send(body, body, new Date(now.getTime() - 600_000))).toBe('400 the message is too old');
    await receiver.stop();
  });
});

it('as soon as a key exists, a private address gets nothing', async () => {
  const home = path.join(desk.root, 'keyed');
  const type = (...words: string[]) => desk.run([...words, '--json'], { home });
  const { id } = JSON.parse((await type('webhooks', 'create', '--url', `http://127.0.0.1:${port}/`)).stdout);
  const before = JSON.parse((await type('webhooks', 'test', id)).stdout);
  expect(before).toMatchObject({ delivered: false, error: 'unreachable: connection refused' });
  await type('keys', 'create');
  const { exitCode, stdout } = await type('webhooks', 'test', id);
  expect([exitCode, JSON.parse(stdout)]).toMatchObject([
    1,
    { delivered: false, error: 'blocked_address: the host is not on the public internet' },
  ]);
  const allowed = await type('webhooks', 'test', id, '--allow-assets-from', '127.0.0.1');
  expect(JSON.parse(allowed.stdout)).toMatchObject({ error: 'unreachable: connection refused' });
}, 60_000);
