/** The start page's HTTP API as a hono app: the routes of protocol.ts. Has no socket. */
import type { Hono } from 'hono';
import pLimit from 'p-limit';
import { ListingVideoError } from '../../platform/errors.ts';
import { invalid, RefusedRequest, readName, toObject } from '../editor/read-request.ts';
import { MAX_FILES_AT_ONCE, MAX_IMAGE_BYTES } from '../editor/studio-app.ts';
import {
  eventStream,
  json,
  MIB,
  media,
  notFound,
  readBody,
  readJson,
  refuse,
  type StudioEnv,
} from '../server/answers.ts';
import { createGuardedApp, type GuardedAppOptions } from '../server/guarded-app.ts';
import { stateEvents } from '../server/state-events.ts';
import { listFolders } from './list-folders.ts';
import type { OpenAnswer, OpenRequest } from './protocol.ts';
import type { Start } from './start.ts';

export interface StartAppOptions extends GuardedAppOptions {
  readonly start: Start;
  readonly homeDir: string;
}

/** A brokerage has some thousand listings. */
const MAX_IMPORT_BYTES = 64 * MIB;
const MAX_TEXT_CHARS = 200;

export function createStartApp(options: StartAppOptions): Hono<StudioEnv> {
  return createGuardedApp(options, (app) => addRoutes(app, options));
}

function addRoutes(app: Hono<StudioEnv>, { start, homeDir, pages }: StartAppOptions): void {
  app.get('/api/start', async () => json(await start.state()));
  app.get('/api/events', async ({ req }) => {
    const state = await start.state();
    return eventStream(stateEvents({ state, subscribe: () => () => {} }, pages.arrive(req.query('page'))));
  });
  app.get('/api/posters/:key', (context) =>
    media(context, start.locatePoster(context.req.param('key')), { 'content-type': 'image/jpeg' }),
  );
  app.get('/api/folders', async ({ req }) => {
    const found = await listFolders(homeDir, req.query('at') ?? '');
    return found === null ? refuse('not_found', 'this folder cannot be opened') : json(found);
  });
  app.post('/api/open', async (context) => {
    const request = readOpenRequest(await readJson(context));
    return json({ url: await inWords(start.open(request)) } satisfies OpenAnswer);
  });

  const inTurn = pLimit(MAX_FILES_AT_ONCE);
  app.post('/api/files', (context) =>
    inTurn(async () => {
      const { draft, name = '', words = '' } = context.req.query();
      const bytes = await readBody(context, MAX_IMAGE_BYTES);
      const added = await inWords(start.addPhoto(readName(draft), readText(words), name, bytes));
      return 'url' in added ? json(added) : refuse('invalid_listing', added.problem);
    }),
  );
  app.post('/api/imports', async (context) => {
    const bytes = await readBody(context, MAX_IMPORT_BYTES);
    return json(await inWords(start.import(context.req.query('name') ?? '', bytes)));
  });
  app.all('/api/*', notFound);
}

/** What the person can change is said on the page, and not logged as a fault. */
async function inWords<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ListingVideoError) || error.code === 'internal_error') throw error;
    const words = error.hint === undefined ? error.message : `${error.message}. To do: ${error.hint}`;
    throw new RefusedRequest(error.code === 'file_not_found' ? 'not_found' : 'invalid_listing', words);
  }
}

function readOpenRequest(body: unknown): OpenRequest {
  const { listing, folder, draft, sample, street } = toObject(body);
  if (sample === true) return { sample };
  if (listing !== undefined) return { listing: readName(listing) };
  const words = readText(street ?? '').trim();
  const said = words === '' ? {} : { street: words };
  if (draft !== undefined) return { draft: readName(draft), ...said };
  if (typeof folder !== 'string') throw invalid('listing, folder, draft or sample is needed');
  return { folder, ...said };
}

function readText(value: unknown): string {
  if (typeof value !== 'string' || value.length > MAX_TEXT_CHARS)
    throw invalid(`a text of at most ${MAX_TEXT_CHARS} characters is needed`);
  return value;
}
