/** `create --server` follows the events of its task, and polls where a server has none or breaks them. */
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { folderOf, listing } from '../../cli/listing-files.ts';
import { runRemote } from './run-remote.ts';
import { serveFilms } from './served-videos.ts';
import { sendJson, startStub } from './stub-server.ts';

const ID = '01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00';
const RUNNING = { id: ID, state: 'RUNNING', results: [], dropped_assets: [] };
const FAILED = { ...RUNNING, state: 'FAILED', failure_message: 'no usable assets: 5 of 5 dropped' };
const EVENTS = { 'service-beta': 'task-progress, task-details, task-events' };

function event(name: string, data: unknown): string {
  return `event: ${name}\nid: x\ndata: ${JSON.stringify(data)}\n\n`;
}

/** A server whose task has ended when it is asked the second time, or later. */
async function follow(
  stream: (response: ServerResponse, number: number) => void,
  { endsAfter = 1, betas = EVENTS }: { endsAfter?: number; betas?: Record<string, string> } = {},
) {
  const server = await startStub(({ method, path }, response, number) => {
    if (method === 'POST') sendJson(response, 202, { id: ID });
    else if (path.endsWith('/events')) stream(response, number);
    else sendJson(response, 200, number > endsAfter ? FAILED : RUNNING, betas);
  });
  const cwd = await folderOf({ 'listing.json': listing() });
  const { exitCode, stderr } = await runRemote(['create', 'listing.json'], { cwd, server: server.url });
  const asked = server.asked.slice(1).map(({ path }) => (path.endsWith('/events') ? 'events' : 'task'));
  return { exitCode, stderr, asked, server };
}

describe('create', () => {
  it('asks for the task once, and then only listens', async () => {
    const { url, key, log } = await serveFilms({});
    const cwd = await folderOf({ 'listing.json': listing() });
    const { exitCode } = await runRemote(['create', 'listing.json'], { cwd, server: url, key });
    expect(exitCode).toBe(0);
    const asked = log.filter(({ msg, method }) => msg === 'request' && method === 'GET');
    const polls = asked.filter(({ path }) => /^\/v1\/tasks\/[^/]+$/.test(path));
    // A second one, if the task ends before the first is answered, never comes.
    expect(polls).toHaveLength(1);
  });

  it('takes the end from the stream, with its key and betas', async () => {
    const { exitCode, stderr, asked, server } = await follow((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`retry: 3000\n\n:\n\n${event('state', RUNNING)}`);
      response.write(event('progress', { percent: 60, stage: 'render', eta_seconds: 3 }));
      response.end(event('end', FAILED));
    });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('5 of 5 dropped')]);
    expect(asked).toEqual(['task', 'events']);
    expect(server.asked.at(-1)!.headers).toMatchObject({
      accept: 'text/event-stream',
      'service-beta': expect.stringContaining('task-details'),
    });
  });

  it('asks a server without events', async () => {
    const { exitCode, asked } = await follow(() => undefined, {
      betas: { 'service-beta': 'task-progress' },
      endsAfter: 3,
    });
    expect([exitCode, asked]).toEqual([1, ['task', 'task', 'task', 'task']]);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['is refused', (response) => sendJson(response, 429, { code: 'rate_limited' }, { 'retry-after': '5' })],
    ['is not there', (response) => sendJson(response, 404, { code: 'not_found' })],
    ['is no stream', (response) => sendJson(response, 200, {})],
    ['breaks off', (response) => void response.destroy()],
    [
      'ends without an event',
      (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(),
    ],
    [
      'is of another task',
      (response) =>
        response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .end(event('end', { ...FAILED, id: ID.replace('0', '1') })),
    ],
    [
      'is no JSON',
      (response) =>
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end('event: end\ndata: {\n\n'),
    ],
  ])('whose stream %s asks instead, and listens no more after three', async (_, stream) => {
    const { exitCode, stderr, asked } = await follow(stream, { endsAfter: 5 });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('5 of 5 dropped')]);
    expect(asked).toEqual(['task', 'events', 'task', 'events', 'task', 'events', 'task', 'task', 'task']);
  });

  it('whose stream ends in the middle listens again', async () => {
    const { exitCode, asked } = await follow(
      (response, number) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(number < 5 ? event('state', RUNNING) : event('end', FAILED));
      },
      { endsAfter: 100 },
    );
    expect(exitCode).toBe(1);
    expect(asked).toEqual(Array(5).fill(['task', 'events']).flat());
  });
});
