/**
 * The API under load, through the real `listing-video serve`: how many tasks a second are accepted durably, how fast
 * they are listed, how long a request waits while a video renders on the same CPUs, whether memory stays, and how soon
 * SIGTERM ends it. The load is made in this process, so it competes for the same CPUs.
 */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { atLeast, atMost, type BenchRow, noBar } from './bench-row.ts';
import { benchBodies } from './body-bench.ts';
import { type LoadRequest, type LoadResult, load } from './request-load.ts';
import { type ServeProcess, startServe } from './serve-process.ts';

const MIB = 1024 * 1024;

/**
 * Every figure with its bar, or one of them by name: `accept`, `render`, `memory`, `shutdown`, `bodies`.
 *
 * @param requests - Over which memory is watched.
 */
export async function benchApi({
  only,
  requests,
}: {
  readonly only: string | undefined;
  readonly requests: number;
}): Promise<BenchRow[]> {
  const parts: Record<string, (assets: AssetServer) => Promise<BenchRow[]>> = {
    accept: benchAccepting,
    render: benchWhileRendering,
    memory: (server) => benchMemory(server, requests),
    shutdown: benchShutdown,
    bodies: benchBodies,
  };
  const assets = await startAssetServer();
  const rows: BenchRow[] = [];
  try {
    for (const [name, bench] of Object.entries(parts)) {
      if (only === undefined || only === name) rows.push(...(await bench(assets)));
    }
  } finally {
    assets.close();
  }
  return rows;
}

/** POST of 100 assets each, made durable; then pages of 100. The one worker is kept waiting for a photo meanwhile. */
async function benchAccepting(assets: AssetServer): Promise<BenchRow[]> {
  return withServe(['--concurrency', '1', '--queue-limit', '1000000'], async (serve) => {
    await keepWorkerWaiting(serve, assets);
    const body = JSON.stringify(
      toListing(Array.from({ length: 100 }, (_, index) => `${assets.url}/hold/${index}.jpg`)),
    );
    const post = (): LoadRequest => ({ method: 'POST', path: '/v1/tasks', body, status: 202 });
    await load(serve.url, post, { connections: 16, count: 500 });
    const accepted = await withCpu(serve, () => load(serve.url, post, { connections: 16, count: 2_000 }));
    const list = (): LoadRequest => ({ method: 'GET', path: '/v1/tasks?limit=100', status: 200 });
    await load(serve.url, list, { connections: 16, count: 500 });
    const listed = await withCpu(serve, () => load(serve.url, list, { connections: 16, count: 2_000 }));
    return [
      atLeast('POST of 100 assets', accepted.perSec, 100, 'a second'),
      noBar('  the server alone', accepted.cpuMsPerRequest, 'CPU ms each'),
      atLeast('list of 100', listed.perSec, 1_500, 'a second'),
      noBar('  the server alone', listed.cpuMsPerRequest, 'CPU ms each'),
    ];
  });
}

/** A mix of requests at a steady rate, from the moment a video is being rendered until it is done, or 1,500 of them. */
async function benchWhileRendering(assets: AssetServer): Promise<BenchRow[]> {
  return withServe(['--concurrency', '1'], async (serve) => {
    const small = JSON.stringify(
      toListing(Array.from({ length: 100 }, (_, index) => `${assets.url}/hold/${index}.jpg`)),
    );
    const photos = assets.photoNames.map((name) => `${assets.url}/photos/${name}`);
    const id = await submit(serve, toListing(photos));
    await untilTask(serve, id, ({ progress }) => progress.stage === 'render');
    // Tasks to be listed; they wait behind the one that renders.
    await load(serve.url, () => ({ method: 'POST', path: '/v1/tasks', body: small, status: 202 }), {
      connections: 2,
      count: 100,
    });
    let hasEnded = false;
    const watch = untilTask(serve, id, ({ state }) => state !== 'RUNNING', 500).then(() => {
      hasEnded = true;
    });
    const mix: LoadRequest[] = [
      { method: 'GET', path: '/v1/tasks?limit=100', status: 200 },
      { method: 'GET', path: `/v1/tasks/${id}`, status: 200 },
      { method: 'POST', path: '/v1/tasks', body: small, status: 202 },
      { method: 'GET', path: '/v1/organization', status: 200 },
    ];
    const result = await load(serve.url, (index) => mix[index % mix.length]!, {
      connections: 8,
      count: 1_500,
      perSec: 50,
      isOver: () => hasEnded,
    });
    void watch.catch(() => {});
    return [
      noBar('mixed requests at 50 a second while rendering: count', result.count),
      noBar('  p50', result.p50Ms, 'ms'),
      atMost('  p99', result.p99Ms, 100, 'ms'),
      noBar('  max', result.maxMs, 'ms'),
    ];
  });
}

/** Resident memory after each fifth of the requests, which are of every kind. */
async function benchMemory(assets: AssetServer, requests: number): Promise<BenchRow[]> {
  return withServe(['--concurrency', '1', '--queue-limit', '1000000'], async (serve) => {
    await keepWorkerWaiting(serve, assets);
    const body = JSON.stringify(
      toListing(Array.from({ length: 100 }, (_, index) => `${assets.url}/hold/${index}.jpg`)),
    );
    const id = await submit(serve, JSON.parse(body));
    const wrong = JSON.stringify({ id: 'x', assets: Array.from({ length: 100 }, () => ({ url: 'no' })) });
    const mix: LoadRequest[] = [
      { method: 'GET', path: '/v1/tasks?limit=20', status: 200 },
      { method: 'GET', path: `/v1/tasks/${id}`, status: 200 },
      { method: 'POST', path: '/v1/tasks', body: wrong, status: 422 },
      { method: 'POST', path: '/v1/tasks', body: '{', status: 400 },
      { method: 'GET', path: '/v1/nothing', status: 404 },
      { method: 'GET', path: '/v1/organization', status: 200 },
      { method: 'GET', path: '/', status: 200 },
      { method: 'GET', path: '/metrics', status: 200 },
    ];
    const run = async (count: number, atMiB: number[]) => {
      await load(serve.url, (index) => mix[index % mix.length]!, { connections: 16, count });
      atMiB.push(Math.round((await serve.residentBytes()) / MIB));
    };
    const atMiB: number[] = [];
    for (let step = 0; step < 5; step++) await run(requests / 5, atMiB);
    return [
      noBar(`memory after a fifth of ${requests} requests`, atMiB[0]!, 'MiB'),
      atMost('  growth until the last', atMiB.at(-1)! - atMiB[0]!, 16, 'MiB'),
    ];
  });
}

/**
 * SIGTERM with 50 idle keep-alive connections, alone and with a request whose body is still on its way for a second.
 */
async function benchShutdown(): Promise<BenchRow[]> {
  const idle = await withServe([], async (serve) => {
    await openIdle(serve, 50);
    return serve.stop();
  });
  const inFlightMs = 1_000;
  const busy = await withServe([], async (serve) => {
    await openIdle(serve, 50);
    const { port } = new URL(serve.url);
    const body = JSON.stringify(toListing(Array.from({ length: 5 }, () => 'http://127.0.0.1:1/x.jpg')));
    const socket = connect(Number(port), '127.0.0.1');
    const answer = readAll(socket);
    socket.write(
      `POST /v1/tasks HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 20)}`,
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    const stopped = serve.stop();
    await new Promise((resolve) => setTimeout(resolve, inFlightMs));
    socket.write(body.slice(20));
    return { ...(await stopped), answer: (await answer).split('\r\n')[0] };
  });
  if (!/ 202 /.test(busy.answer ?? '')) throw new Error(`the request in flight got ${busy.answer}`);
  return [
    atMost('SIGTERM with 50 idle connections', idle.ms, 500, 'ms'),
    atMost(`  and a request in flight for ${inFlightMs} ms`, busy.ms, inFlightMs + 500, 'ms'),
  ];
}

/** Adds the server's own CPU time for a request, which says the same on a busy machine as on an idle one. */
async function withCpu(
  serve: ServeProcess,
  run: () => Promise<LoadResult>,
): Promise<LoadResult & { readonly cpuMsPerRequest: number }> {
  const before = await serve.cpuSec();
  const result = await run();
  const cpuMs = ((await serve.cpuSec()) - before) * 1000;
  return { ...result, cpuMsPerRequest: Math.round((cpuMs / result.count) * 100) / 100 };
}

async function withServe<T>(args: readonly string[], use: (serve: ServeProcess) => Promise<T>): Promise<T> {
  const serve = await startServe(args);
  try {
    return await use(serve);
  } finally {
    await serve.dispose();
  }
}

interface AssetServer {
  readonly url: string;
  readonly photoNames: readonly string[];
  close(): void;
}

const PHOTOS = ['01-front', '03-entry', '04-living-room', '06-kitchen', '08-dining', '09-primary-bedroom'];

/** Serves the fixture photos, and below `/hold/` nothing at all: whoever asks there waits until they give up. */
async function startAssetServer(): Promise<AssetServer> {
  const folder = fileURLToPath(new URL('../../fixtures/photos/', import.meta.url));
  const files = new Map(PHOTOS.map((name) => [`/photos/${name}.jpg`, readFileSync(`${folder}${name}.jpg`)]));
  const server: Server = createServer((request, response) => {
    const file = files.get(request.url ?? '');
    if (file !== undefined) response.setHeader('content-type', 'image/jpeg').end(file);
    else if (!request.url?.startsWith('/hold/')) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    photoNames: PHOTOS.map((name) => `${name}.jpg`),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function toListing(urls: readonly string[]) {
  return {
    id: 'bench',
    address: { street: '128 Harbor Pine Lane', city: 'Portland', state: 'OR' },
    assets: urls.map((url) => ({ url })),
    agents: [{ id: 'june', first_name: 'June', last_name: 'Takemori' }],
  };
}

/** Gives the worker a task that waits for photos, so that the figures are those of the API alone. */
async function keepWorkerWaiting(serve: ServeProcess, assets: AssetServer): Promise<void> {
  const id = await submit(
    serve,
    toListing(Array.from({ length: 100 }, (_, index) => `${assets.url}/hold/${index}.jpg`)),
  );
  await untilTask(serve, id, ({ state }) => state === 'RUNNING');
}

async function submit(serve: ServeProcess, listing: object): Promise<string> {
  const response = await fetch(`${serve.url}/v1/tasks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(listing),
  });
  if (response.status !== 202) throw new Error(`POST: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { id: string }).id;
}

interface BenchTask {
  readonly state: string;
  readonly failure_message?: string;
  readonly progress: { readonly stage: string | null };
}

async function untilTask(
  serve: ServeProcess,
  id: string,
  isReached: (task: BenchTask) => boolean,
  everyMs = 100,
): Promise<void> {
  for (;;) {
    const response = await fetch(`${serve.url}/v1/tasks/${id}`, {
      headers: { 'service-beta': 'task-progress' },
    });
    const task = (await response.json()) as BenchTask;
    if (isReached(task)) return;
    if (task.state === 'FAILED') throw new Error(`the task failed: ${task.failure_message}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

/** Connections that have been answered once and now wait for nothing. */
async function openIdle(serve: ServeProcess, count: number): Promise<void> {
  const { port } = new URL(serve.url);
  await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => {});
      socket.write(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
      await new Promise((resolve) => socket.once('data', resolve));
    }),
  );
}

function readAll(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => resolve(text));
    socket.on('close', () => resolve(text));
  });
}
