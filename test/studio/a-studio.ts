/** A studio for tests: real document and files in a folder of its own, with a stage and an engine that draw nothing. */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { serve } from '@hono/node-server';
import { onTestFinished } from 'vitest';
import { ListingVideoError } from '../../src/platform/errors.ts';
import type { StudioState } from '../../src/studio/editor/protocol.ts';
import { Studio, type StudioOptions } from '../../src/studio/editor/studio.ts';
import { createStudioApp } from '../../src/studio/editor/studio-app.ts';
import { OpenPages } from '../../src/studio/server/open-pages.ts';
import { StudioGuard } from '../../src/studio/server/studio-guard.ts';
import type { Stage } from '../../src/video/stage/stage.ts';
import { folderOf, listing } from '../cli/listing-files.ts';
import { FakeEngine } from './fake-engine.ts';
import { EMPTY } from './photo-stage.ts';

const PORT = 4321;
export const KEY = Buffer.alloc(32, 7);
const ORIGIN = `http://127.0.0.1:${PORT}`;

/** A stage that knows one plan, `plan-1`, and one thumbnail, `d1`. */
function fakeStage(audioFile: string) {
  const bytes = (text: string) => Buffer.from(text);
  const stage = {
    state: EMPTY,
    updates: [] as unknown[],
    leftOut: undefined as unknown,
    onChange: () => {},
    update: (document: unknown, leftOut?: unknown) => {
      stage.updates.push(document);
      stage.leftOut = leftOut;
    },
    thumbnail: async (digest: string) => (digest === 'd1' ? bytes('thumbnail') : null),
    frame: async ({ plan, index, widthPx, format }: Parameters<Stage['frame']>[0]) =>
      plan === 'plan-1' && index < 10 ? bytes(`frame ${index} ${widthPx} ${format}`) : null,
    audio: async (plan: string) => (plan === 'plan-1' ? audioFile : null),
    music: async () => null,
    still: async (id: string, ratio: string) => {
      if (id !== 'classic')
        throw new ListingVideoError('template_not_found', `the template ${id} is not known`);
      return bytes(`still ${ratio}`);
    },
    settled: async () => {},
    close: async () => {},
  };
  return stage;
}

/** @param document - The listing, or its text. */
export async function aStudio(document: unknown = listing(), options: Partial<StudioOptions> = {}) {
  const folder = await folderOf({ 'listing.json': document });
  const home = await mkdtemp(path.join(os.tmpdir(), 'listing-video-home-'));
  const stage = fakeStage(path.join(home, 'audio.wav'));
  await writeFile(path.join(home, 'audio.wav'), '0123456789');
  const engine = new FakeEngine();
  const studio = await Studio.open({
    listingFile: path.join(folder, 'listing.json'),
    home,
    out: path.join(folder, 'videos'),
    openStage: async (onChange) => Object.assign(stage, { onChange }),
    engine,
    taskOptions: { quality: 'standard', minAssets: 1, force: false },
    checkFile: async (bytes) => (bytes.length > 3 ? null : 'not an image'),
    nowMs: () => 0,
    warn: () => {},
    ...options,
  });
  onTestFinished(async () => {
    await studio.close();
    await rm(home, { recursive: true, force: true });
  });
  const guard = new StudioGuard(() => PORT, KEY);
  const faults: unknown[] = [];
  const pages = new OpenPages();
  const app = createStudioApp({
    studio,
    guard,
    pages,
    page: () => null,
    onFault: (error) => faults.push(error),
  });
  const cookie = guard.cookie.split(';')[0]!;

  /** A request of the page. `headers` replace its own; null removes one. */
  const request = (
    method: string,
    place: string,
    body?: unknown,
    headers: Readonly<Record<string, string | null>> = {},
  ): Promise<Response> => {
    const isBytes = body instanceof Uint8Array || typeof body === 'string';
    const own = {
      host: `127.0.0.1:${PORT}`,
      cookie,
      ...(method === 'GET' ? {} : { origin: ORIGIN }),
      ...(body === undefined || isBytes ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    const sent = Object.entries(own).filter((pair): pair is [string, string] => pair[1] !== null);
    const content = body === undefined ? {} : { body: isBytes ? (body as string) : JSON.stringify(body) };
    return Promise.resolve(app.request(`${ORIGIN}${place}`, { method, headers: sent, ...content }));
  };
  /** A request over a socket, which files need. */
  const download = async (place: string, headers: Readonly<Record<string, string>> = {}) => {
    const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const own = { host: `127.0.0.1:${PORT}`, cookie, ...headers };
    const [answer] = (await once(get({ port, path: place, headers: own }), 'response')) as [IncomingMessage];
    const body = await text(answer);
    server.close();
    return { status: answer.statusCode, headers: answer.headers, body };
  };
  const state = async (answer: Response | Promise<Response>): Promise<StudioState> =>
    (await (await answer).json()) as StudioState;
  const edit = (label: string, ...patch: object[]) =>
    request('POST', '/api/edits', { revision: 0, label, patch });
  return { folder, home, studio, stage, engine, guard, pages, request, download, state, edit, faults };
}
