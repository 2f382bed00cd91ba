/** The API inside another program: access, mounting, files and tasks. */
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CreateAppOptions, createApp } from '../../src/library/create-app.ts';
import { createFileAccountStore } from '../../src/task/files/accounts/create-account-store.ts';
import { createFileTaskStore } from '../../src/task/files/tasks/file-task-store.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import { aListing } from '../listing/a-listing.ts';

async function newHome(): Promise<string> {
  const home = temporaryFolder();
  return home;
}

async function open(options: Partial<CreateAppOptions> = {}) {
  const home = options.home ?? (await newHome());
  const api = await createApp({
    publicUrl: 'http://127.0.0.1',
    access: 'loopback',
    grace: '0s',
    ...options,
    home,
  });
  onTestFinished(() => api.stop());
  return { home, ...api };
}

/** Answers on a free port until the test ends. */
async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A result as a task would leave it. Returns its path below `/files`. */
async function writeResult(home: string): Promise<string> {
  const place = path.join('org_default', '01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00');
  await mkdir(path.join(home, 'files', place), { recursive: true });
  const file = path.join(place, `${'A'.repeat(22)}.mp4`);
  await writeFile(path.join(home, 'files', file), '0123456789');
  return file;
}

describe('access', () => {
  it('needs a key by default; without a key nothing is opened', async () => {
    const home = await newHome();
    await expect(createApp({ home, publicUrl: 'https://v.example' })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(home),
    });
    const accounts = createFileAccountStore({ home, tasks: createFileTaskStore({ home }) });
    const { key } = await accounts.createKey({ organizationId: 'org_default' });
    await accounts.close();
    const { app } = await open({ home, access: 'keys' });
    expect((await app.request('/v1/tasks')).status).toBe(401);
    const answer = await app.request('/v1/tasks', { headers: { authorization: `Bearer ${key}` } });
    expect(await answer.json()).toEqual({ data: [], has_more: false });
  });

  it('is for this machine alone in development, under its own name', async () => {
    const { app } = await open({ access: 'loopback' });
    expect((await app.request('http://127.0.0.1/v1/tasks')).status).toBe(200);
    const foreign = await app.request('http://evil.example/v1/tasks', { headers: { host: 'evil.example' } });
    expect(foreign.status).toBe(403);
  });

  it('is not development under a public URL that others can reach', async () => {
    const publicUrl = 'https://v.example';
    await expect(createApp({ home: await newHome(), access: 'loopback', publicUrl })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(publicUrl),
    });
  });

  it('is for everyone with `anonymous`', async () => {
    const { app } = await open({ access: 'anonymous' });
    expect((await app.request('http://v.example/v1/tasks', { headers: { host: 'v.example' } })).status).toBe(
      200,
    );
  });
});

it.each([
  { publicUrl: 'v.example' },
  { keep: 'for ever' },
  { allowAssetsFrom: ['10.0.0.0/99'] },
  { concurrency: 0 },
  { organizationWaiting: 0 },
  { timeLimit: '0s' },
] as Partial<CreateAppOptions>[])('%j is refused by its name', async (options) => {
  const home = await newHome();
  const [name] = Object.keys(options);
  await expect(createApp({ publicUrl: 'http://localhost', home, ...options })).rejects.toMatchObject({
    code: 'setting_invalid',
    message: expect.stringMatching(new RegExp(`^${name}: expected`)),
  });
});

describe('the files', () => {
  it('are answered by the listener, with ranges', async () => {
    const { home, listener } = await open();
    const url = `${await listen(listener)}/files/${await writeResult(home)}`;
    const answer = await fetch(url, { headers: { range: 'bytes=2-4' } });
    expect([answer.status, await answer.text()]).toEqual([206, '234']);
    expect((await fetch(`${url}x`)).status).toBe(404);
  });

  it('and by the app of a build that is loaded after the listener of the caller was made', async () => {
    getRequestListener(() => new Response());
    const build: { createApp: typeof createApp } = await import(
      new URL('../../dist/index.js', import.meta.url).href
    );
    const home = await newHome();
    const api = await build.createApp({ publicUrl: 'http://127.0.0.1', access: 'anonymous', home });
    onTestFinished(() => api.stop());
    const url = await listen(getRequestListener(api.app.fetch));
    const answer = await fetch(`${url}/files/${await writeResult(home)}`, {
      headers: { range: 'bytes=2-4' },
    });
    expect([answer.status, await answer.text()]).toEqual([206, '234']);
  });

  it('and by the app, mounted below another one of the same server', async () => {
    const { home, app } = await open();
    const whole = new Hono().get('/', (c) => c.text('mine')).mount('/videos', app.fetch);
    const url = await listen(getRequestListener(whole.fetch));
    expect(await (await fetch(url)).text()).toBe('mine');
    expect((await fetch(`${url}/videos/v1/tasks`)).status).toBe(200);
    const answer = await fetch(`${url}/videos/files/${await writeResult(home)}`, {
      headers: { range: 'bytes=2-4' },
    });
    expect([answer.status, await answer.text()]).toEqual([206, '234']);
    expect((await fetch(`${url}/videos/nothing`)).status).toBe(404);
  });

  it('are not found where there is no request of Node', async () => {
    const { home, app } = await open();
    expect((await app.request(`/files/${await writeResult(home)}`)).status).toBe(404);
  });
});

it('runs tasks once started, and refuses after its stop', async () => {
  const { app, start, stop } = await open();
  const assets = Array.from({ length: 5 }, (_, index) => ({ url: `http://127.0.0.1:1/${index}.jpg` }));
  const posted = await app.request('/v1/tasks', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...aListing(), assets }),
  });
  const { id } = (await posted.json()) as { id: string };
  start();
  for (;;) {
    const task = (await (await app.request(`/v1/tasks/${id}`)).json()) as { state: string };
    if (task.state === 'FAILED') break;
    expect(['PENDING', 'RUNNING']).toContain(task.state);
    // The process of the task needs the CPU.
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await stop();
  expect((await app.request('/v1/tasks')).status).toBe(503);
});
