/** `create --server` as its own process: Ctrl-C and kill -9 while it waits, and the command that goes on. */
import { writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { sendJson, startStub } from '../api/client/stub-server.ts';
import { tinyVideo } from '../api/client/tiny-video.ts';
import { listing } from '../cli/listing-files.ts';
import { Desk } from './program.ts';

const TASK = '01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00';
const desk = new Desk();
afterAll(() => desk.close());

it('a task goes on at the server when its command is interrupted or killed, and is fetched by the next', async () => {
  const film = tinyVideo();
  let isDone = false;
  const server = await startStub(({ method, path: asked, headers }, response) => {
    if (method === 'POST') return sendJson(response, 202, { id: TASK });
    if (asked.endsWith('.jpg')) return void response.writeHead(404).end();
    if (asked.endsWith('.mp4')) {
      response.writeHead(200, { 'content-length': film.length, etag: '"e"' }).end(film);
      return;
    }
    const url = `http://${headers.host}/film.mp4`;
    const result = { agent_id: 'ann', url, created_at: '2026-11-20T14:03:07.123+00:00', metadata: {} };
    sendJson(response, 200, {
      ...{ id: TASK, state: isDone ? 'SUCCEEDED' : 'RUNNING', dropped_assets: [] },
      results: isDone ? [result] : [],
      progress: { percent: 40, stage: 'render', eta_seconds: 3 },
    });
  });
  const file = path.join(desk.root, 'remote.json');
  writeFileSync(file, JSON.stringify(listing()));
  const env = { LISTING_VIDEO_SERVER: server.url, LISTING_VIDEO_KEY: '5ecre7-key' };

  const interrupted = desk.start(['create', file], { env });
  await interrupted.sees(/38 %, rendering/);
  interrupted.kill('SIGINT');
  const first = await interrupted.finished;
  expect([first.exitCode, first.stderr]).toEqual([
    130,
    expect.stringContaining(`task ${TASK}; it continues`),
  ]);

  const killed = desk.start(['create', file], { env });
  await killed.sees(/38 %, rendering/);
  killed.kill('SIGKILL');
  await killed.finished;

  isDone = true;
  const third = await desk.run(['create', file], { env });
  expect([third.exitCode, third.stderr]).toEqual([
    0,
    expect.stringContaining('which an earlier command began'),
  ]);
  expect((await readdir(path.join(desk.out, 'L-1'))).sort()).toEqual([
    'ann.mp4',
    'report.html',
    'report.json',
  ]);
  expect(server.asked.filter(({ method }) => method === 'POST')).toHaveLength(1);
});
