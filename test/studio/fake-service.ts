/**
 * The /v1 API out of memory, for the page's tests: tasks move when the test says so, and trouble comes on request. What
 * the true service answers is tested elsewhere; this one only has to look like it.
 */
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { validateListing } from '../../src/listing/rules/validate-listing.ts';
import { createExampleApp } from '../../src/studio/serve-page/example.ts';
import { createPageApp } from '../../src/studio/serve-page/page.ts';

export interface FakeTask {
  readonly id: string;
  state: 'PENDING' | 'RUNNING' | 'FAILED' | 'SUCCEEDED';
  failure_message?: string;
  results: readonly Record<string, unknown>[];
  dropped_assets: readonly { url: string; reason: string }[];
  progress: { percent: number; stage: string | null; eta_seconds: number | null };
  listing_id?: string;
  listing_address?: string;
  agent_names?: readonly string[];
  warnings?: readonly string[];
}

export interface FakeService {
  readonly url: string;
  /** Oldest first. */
  readonly tasks: FakeTask[];
  /** Every request to /v1, as `GET /v1/tasks?limit=20`. */
  readonly requests: string[];
  /** Every request's headers, in the same order. */
  readonly headers: Record<string, string>[];
  /** Null without metering. */
  balance: number | null;
  /** When set, the key every request must carry. */
  key: string | null;
  /** Answers the next /v1 requests, as long as it returns something. */
  trouble: ((context: Context) => Response | null) | null;
  /** Adds a task and returns it. */
  addTask(task?: Partial<Omit<FakeTask, 'id'>>): FakeTask;
  /** Lets a file be loaded. @returns Its URL. */
  addFile(name: string, bytes: Uint8Array<ArrayBuffer>, type: string): string;
  close(): Promise<void>;
}

/** Listens on a free loopback port. */
export async function startFakeService(): Promise<FakeService> {
  const tasks: FakeTask[] = [];
  const files = new Map<string, { bytes: Uint8Array<ArrayBuffer>; type: string }>();
  const byKey = new Map<string, string>();
  const app = new Hono();
  let created = 0;

  app.route('/', createPageApp({ publicUrl: () => service.url }));
  app.route('/', createExampleApp({ publicUrl: () => service.url, canFetchItself: async () => true }));

  app.use('/v1/*', async (context, next) => {
    const url = new URL(context.req.url);
    service.requests.push(`${context.req.method} ${url.pathname}${url.search}`);
    service.headers.push(context.req.header());
    const trouble = service.trouble?.(context) ?? null;
    if (trouble !== null) return trouble;
    if (service.key !== null && context.req.header('authorization') !== `Bearer ${service.key}`) {
      const message = 'this API key expired at 2026-11-01 09:30 UTC: ask the operator';
      return context.json({ code: 'unauthenticated', message, context: null }, 401, {
        'www-authenticate': 'Bearer',
      });
    }
    return next();
  });

  app.get('/v1/organization', (context) => {
    const isMetered = service.balance !== null;
    return context.json({ id: 'org', balance: service.balance ?? 0, is_metered: isMetered });
  });

  app.get('/v1/tasks', (context) => {
    const { state, starting_after: after, limit = '20' } = context.req.query();
    const newest = tasks.toReversed().filter((task) => state === undefined || task.state === state);
    const from = after === undefined ? 0 : newest.findIndex(({ id }) => id < after);
    const data = from < 0 ? [] : newest.slice(from, from + Number(limit));
    return context.json({ data, has_more: from >= 0 && from + data.length < newest.length });
  });

  app.get('/v1/tasks/:id', (context) => {
    const task = tasks.find(({ id }) => id === context.req.param('id'));
    if (task === undefined) {
      return context.json({ code: 'task_not_found', message: 'No such task.', context: null }, 404);
    }
    return context.json(task);
  });

  app.post('/v1/tasks/:id/cancel', (context) => {
    const task = tasks.find(({ id }) => id === context.req.param('id'))!;
    Object.assign(task, { state: 'FAILED', failure_message: 'cancelled' });
    return context.json(task);
  });

  app.post('/v1/tasks', async (context) => {
    const verdict = validateListing(await context.req.json(), { allowLocalFiles: false });
    if (!verdict.ok) return context.json({ detail: verdict.violations }, 422);
    const key = context.req.header('idempotency-key') ?? '';
    const known = byKey.get(key);
    if (known !== undefined) return context.json({ id: known }, 202);
    const { id, address, agents } = verdict.listing;
    const agent_names = agents.map(({ first_name, last_name }) => `${first_name} ${last_name}`);
    const listing_address = [address?.street, address?.city, address?.state].join(', ');
    const task = service.addTask({ listing_id: id, listing_address, agent_names });
    byKey.set(key, task.id);
    return context.json({ id: task.id }, 202);
  });

  app.get('/files/:name', (context) => {
    const file = files.get(context.req.param('name'));
    if (file === undefined) return context.notFound();
    const range = /^bytes=(\d+)-(\d*)$/.exec(context.req.header('range') ?? '');
    const headers = { 'content-type': file.type, 'accept-ranges': 'bytes' };
    if (range === null) return context.body(file.bytes, 200, headers);
    const start = Number(range[1]);
    const end = range[2] === '' ? file.bytes.length - 1 : Number(range[2]);
    return context.body(file.bytes.slice(start, end + 1), 206, {
      ...headers,
      'content-range': `bytes ${start}-${end}/${file.bytes.length}`,
    });
  });

  app.get('/openapi.json', (context) =>
    context.json({
      openapi: '3.1.0',
      info: { title: 'Listing Video Task Service', version: '1.3.0' },
      paths: {
        '/v1/organization': {
          get: { operationId: 'getOrganization', responses: { 200: { description: 'Yours' } } },
        },
      },
    }),
  );

  const server = await new Promise<ReturnType<typeof serve>>((resolve) => {
    const listening = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, () => resolve(listening));
  });
  const service: FakeService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tasks,
    requests: [],
    headers: [],
    balance: 500,
    key: null,
    trouble: null,
    addTask(task = {}) {
      const added: FakeTask = {
        id: taskId(created++),
        state: 'PENDING',
        results: [],
        dropped_assets: [],
        progress: { percent: 0, stage: null, eta_seconds: null },
        ...task,
      };
      tasks.push(added);
      return added;
    },
    addFile(name, bytes, type) {
      files.set(name, { bytes, type });
      return `${service.url}/files/${name}`;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
  return service;
}

/** A UUIDv7 of 20 November 2026, a minute after the one before. */
function taskId(index: number): string {
  const time = (Date.UTC(2026, 10, 20, 14, 3) + index * 60_000).toString(16).padStart(12, '0');
  const tail = (index * 2654435761 + 0x5eed).toString(16).padStart(12, '0').slice(-12);
  return `${time.slice(0, 8)}-${time.slice(8)}-7abc-8def-${tail}`;
}
