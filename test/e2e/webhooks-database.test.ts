/**
 * Two `serve --database` processes: one dies while it sends a delivery, the other one sends it, and it arrives as the
 * same message.
 */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/task/postgres/open-database.ts';
import { type AnyJson, post, readTask } from '../api/server/ask-server.ts';
import { describeWithPostgres } from '../task/postgres/test-server.ts';
import { Desk, type Running } from './program.ts';

const desk = new Desk();
const running = new Set<Running>();
afterAll(async () => {
  for (const program of running) program.kill('SIGKILL');
  await Promise.all([...running].map(({ finished }) => finished));
  desk.close();
});

/** A message, and the answer that the test gives to it. */
interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly response: ServerResponse;
}

describeWithPostgres('webhooks of servers that share a database', (server) => {
  it('are sent by another server when the one that sends is killed', async () => {
    const env = () => ({ LISTING_VIDEO_DATABASE: server.url });
    const cli = async (...words: string[]): Promise<AnyJson> => {
      const { exitCode, stdout, stderr } = await desk.run([...words, '--json'], { env: env() });
      expect([words, exitCode, stderr]).toEqual([words, 0, '']);
      return JSON.parse(stdout);
    };
    const serve = async () => {
      const program = desk.start(['serve', '--port', '0', '--quality', 'draft'], { env: env() });
      running.add(program);
      const [, url = ''] = await program.says(/^listening on (http:\/\/127\.0\.0\.1:\d+)$/m);
      return { program, url };
    };
    const messages: Received[] = [];
    const receiver = createServer(async (request, response) => {
      const pieces = await request.toArray();
      messages.push({ headers: request.headers, body: Buffer.concat(pieces).toString(), response });
      receiver.emit('message');
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const receive = async (count: number): Promise<Received> => {
      while (messages.length < count) await once(receiver, 'message');
      return messages[count - 1]!;
    };

    await cli('database', 'migrate');
    const hookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const { id: webhookId, secret } = await cli('webhooks', 'create', '--url', hookUrl);
    const servers = [await serve(), await serve()];
    const listing: AnyJson = JSON.parse(
      await readFile(await desk.writeListing('l.json', () => undefined), 'utf8'),
    );
    for (const asset of listing.assets) asset.url = 'http://127.0.0.1:9/photo.jpg';
    const { id } = (await post(servers[0]!.url, listing)).json;

    // No answer: a server waits for one when it dies. The other one runs beside it and leaves the delivery alone.
    const sent = await receive(1);
    const database = openDatabase({ url: server.url });
    const [sending] = await database.query<{ pid: number }>(
      `select pid from listing_video_queue.jobs join listing_video.worker_pools on worker_pools.id = locked_by
       where task_identifier = 'send-delivery'`,
    );
    const first = servers.find(({ program }) => program.pid === sending?.pid)!;
    const second = servers.find((each) => each !== first)!;
    const task = await readTask(second.url, id);
    expect(task).toMatchObject({ id, state: 'FAILED' });
    expect(await cli('webhooks', 'deliveries')).toMatchObject({
      data: [{ task_id: id, state: 'waiting', attempts: 0 }],
    });
    first.program.kill('SIGKILL');
    await first.program.finished;
    // As if six seconds had passed.
    const ago = `clock_timestamp() - interval '7 seconds'`;
    await database.query(`update listing_video.worker_pools set beat_at = ${ago} where pid = $1`, [
      first.program.pid,
    ]);
    for (const table of ['jobs', 'job_queues'])
      await database.query(
        `update listing_video_queue._private_${table} set locked_at = ${ago} where locked_at is not null`,
      );
    await database.close();
    const again = await receive(2);
    again.response.writeHead(204).end();
    expect(again.headers['webhook-id']).toBe(sent.headers['webhook-id']);
    for (const { headers, body } of [sent, again]) {
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
        type: 'task.failed',
        data: { id },
      });
    }
    expect(JSON.parse(again.body).data).toEqual(task);
    await second.program.sees(/webhook delivered/);
    const [delivery] = (await cli('webhooks', 'deliveries', webhookId)).data;
    expect(delivery).toMatchObject({ state: 'succeeded', attempts: 1, last_attempt: { status: 204 } });

    await cli('webhooks', 'redeliver', delivery.id);
    const repeated = await receive(3);
    repeated.response.writeHead(204).end();
    expect(repeated.headers['webhook-id']).toBe(sent.headers['webhook-id']);
    await cli('webhooks', 'delete', webhookId);
    second.program.kill('SIGTERM');
    const { exitCode, stderr } = await second.program.finished;
    expect(exitCode).toBe(0);
    expect(stderr).not.toMatch(/whsec_|\/hook/);
    expect(messages).toHaveLength(3);
    receiver.close();
  }, 120_000);
});
