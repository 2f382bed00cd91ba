/** The studio's HTTP API as a hono app: the checks of every request, then the routes of protocol.ts. Has no socket. */
import { type Context, Hono } from 'hono';
import pLimit from 'p-limit';
import { readBytes } from '../../api/server/requests/read-body.ts';
import { MAX_LISTING_VALUES, parseListingText } from '../../listing/json/parse-json.ts';
import type { AspectRatio } from '../../listing/listing.ts';
import { ERROR_TABLE, ListingVideoError } from '../../platform/errors.ts';
import { answerPrivatePage } from './private-page.ts';
import type { Problem, StudioState } from './protocol.ts';
import {
  type ProblemCode,
  RefusedRequest,
  readConflictAnswer,
  readEdit,
  readPlaces,
  readProof,
  readPurpose,
  readRatio,
  readRender,
  readShapes,
} from './read-request.ts';
import { headersOf, type MediaHeaders, type Sockets, sendMedia } from './send-media.ts';
import { stateEvents } from './state-events.ts';
import type { Studio } from './studio.ts';
import type { StudioGuard } from './studio-guard.ts';
import type { StudioPage } from './studio-page.ts';

export interface StudioAppOptions {
  readonly studio: Studio;
  readonly guard: StudioGuard;
  readonly page: StudioPage;
  /** Called with what no code expected. */
  readonly onFault: (error: unknown) => void;
}

interface StudioEnv {
  Bindings: Sockets;
}
type StudioContext = Context<StudioEnv>;

const MIB = 1024 * 1024;
const MAX_JSON_BYTES = 4 * MIB;
/** Of photos. Their own limit has words of its own. */
const MAX_IMAGE_BYTES = 32 * MIB;
const MAX_MUSIC_BYTES = 200 * MIB;
/** Files that are received and checked at once: a person can drop a hundred. */
const MAX_FILES_AT_ONCE = 2;

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
};
const DATA_HEADERS = { ...HEADERS, 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" };
const IMMUTABLE = 'private, max-age=31536000, immutable';

export function createStudioApp({ studio, guard, page, onFault }: StudioAppOptions): Hono<StudioEnv> {
  const app = new Hono<StudioEnv>();
  const answerState = (): Response => json(studio.state);

  app.use(async (context, next) => {
    const { req } = context;
    const signs = { method: req.method, path: req.path, headers: req.raw.headers };
    const wrongHost = guard.refuseHost(signs.headers, req.url);
    if (wrongHost !== null) return refuse('forbidden', wrongHost);
    const token = req.method === 'GET' && req.path === '/' ? req.query('token') : undefined;
    if (token !== undefined && guard.admits(token)) {
      const headers = {
        ...DATA_HEADERS,
        location: '/',
        'set-cookie': guard.cookie,
        'cache-control': 'no-store',
      };
      return new Response(null, { status: 303, headers });
    }
    const refusal = guard.refuse(signs);
    if (refusal !== null) {
      const isPage = req.path === '/' && /\btext\/html\b/i.test(req.header('accept') ?? '');
      return isPage ? answerPrivatePage(HEADERS) : refuse('forbidden', refusal);
    }
    await next();
    for (const [name, value] of Object.entries(HEADERS)) context.res.headers.set(name, value);
    return undefined;
  });

  app.get('/api/state', answerState);
  app.get('/api/events', () => {
    const headers = { ...DATA_HEADERS, 'content-type': 'text/event-stream', 'cache-control': 'no-store' };
    return new Response(stateEvents(studio), { headers });
  });
  app.get('/api/session', ({ req }) => json(guard.challenge(req.raw)));
  app.post('/api/session', async (context) => {
    if (!guard.admitsProof(readProof(await readJson(context))))
      return refuse('forbidden', 'this page was opened by the studio of another listing');
    const answer = json(guard.challenge(context.req.raw));
    answer.headers.set('set-cookie', guard.cookie);
    return answer;
  });
  app.post('/api/edits', async (context) => {
    const { label, patch } = readEdit(await readJson(context));
    const problem = await studio.editor.edit(label, patch);
    return problem === null ? answerState() : json(studio.state, 409);
  });
  for (const step of ['undo', 'redo'] as const)
    app.post(`/api/${step}`, async () => {
      await studio.editor[step]();
      return answerState();
    });
  app.post('/api/conflict', async (context) => {
    await studio.editor.resolveConflict(readConflictAnswer(await readJson(context)).keep);
    return answerState();
  });

  const inTurn = pLimit(MAX_FILES_AT_ONCE);
  app.post('/api/files', (context) =>
    inTurn(async () => {
      const purpose = readPurpose(context.req.query('for'));
      const limit = purpose === 'music' ? MAX_MUSIC_BYTES : MAX_IMAGE_BYTES;
      const bytes = await readBody(context, limit);
      const added = await studio.addFile({ name: context.req.query('name') ?? '', purpose, bytes });
      return 'url' in added ? json(added) : refuse('invalid_listing', added.problem);
    }),
  );

  app.get('/api/thumbnails/:digest', async ({ req }) => {
    const size = req.query('size') === 'large' ? 'large' : 'small';
    return image(await studio.stage.thumbnail(req.param('digest'), size), 'image/jpeg', IMMUTABLE);
  });
  app.get('/api/frames/:plan/:index', async ({ req }) => {
    const index = readCount(req.param('index'), 1_000_000);
    const isPng = req.query('format') === 'png';
    const width = req.query('width');
    const widthPx = width === undefined ? null : readCount(width, 3_840);
    const plan = req.param('plan');
    const { signal } = req.raw;
    const format = isPng ? 'png' : 'jpeg';
    const frame = await studio.stage.frame({ plan, index, widthPx, format, signal });
    return image(frame, isPng ? 'image/png' : 'image/jpeg', IMMUTABLE);
  });
  app.get('/api/templates/:id/still', async ({ req }) => {
    const ratio: AspectRatio = readRatio(req.query('ratio'));
    return image(await studio.stage.still(req.param('id'), ratio), 'image/jpeg', 'private, no-cache');
  });
  app.get('/api/audio/:plan', async (context) => {
    const audio = await studio.stage.audio(context.req.param('plan'));
    return media(context, audio, { 'content-type': 'audio/wav' });
  });
  app.get('/api/music/:id', async (context) => {
    const audio = await studio.stage.music(context.req.param('id'));
    return media(context, audio, { 'content-type': 'audio/wav' });
  });

  app.post('/api/renders', async (context) => {
    const request = readRender(await readJson(context));
    const refusal = await studio.render(request);
    return refusal === null ? answerState() : refuse(refusal.code, refusal.message);
  });
  app.delete('/api/renders/current', async () => {
    await studio.renders.cancel();
    return answerState();
  });
  app.get('/api/results/:name', (context) => {
    const name = context.req.param('name');
    return media(context, studio.made.locate(name), headersOf(name, studio.made.downloadName(name)));
  });
  app.post('/api/results/:name/show', ({ req }) =>
    studio.made.show(req.param('name')) ? answerState() : notFound(),
  );
  app.post('/api/shapes', async (context) => {
    studio.renders.chooseShapes(readShapes(await readJson(context)));
    return answerState();
  });

  app.post('/api/places', async (context) => {
    studio.renders.choosePlaces(readPlaces(await readJson(context)));
    return answerState();
  });

  app.get('*', ({ req }) => page(req.raw) ?? notFound());
  app.notFound(notFound);
  app.onError((error) => {
    if (error instanceof RefusedRequest) return refuse(error.code, error.message);
    // A still of a template that is gone, or that somebody is editing: the state says what is wrong with it.
    const isOfTemplate = error instanceof ListingVideoError && error.code.startsWith('template_');
    if (isOfTemplate) return refuse('not_found', error.message);
    onFault(error);
    return refuse('internal_error', 'something went wrong here: the terminal of the studio says what');
  });
  return app;
}

async function readJson(context: StudioContext): Promise<unknown> {
  // A form of another website cannot have this type.
  if (!/^application\/json\s*(;|$)/i.test(context.req.header('content-type') ?? ''))
    throw new RefusedRequest('unsupported_media_type', 'the body must be JSON');
  const bytes = await readBody(context, MAX_JSON_BYTES);
  try {
    return parseListingText(bytes, 'body', { maxValues: MAX_LISTING_VALUES }).value;
  } catch (error) {
    throw new RefusedRequest('invalid_json', error instanceof Error ? error.message : String(error));
  }
}

async function readBody({ req, env }: StudioContext, limitBytes: number): Promise<Uint8Array> {
  const source = { headers: req.raw.headers, incoming: env?.incoming, stream: () => req.raw.body };
  const place = { grow: () => true, waitForTurn: async () => {}, onGiveWay: () => {}, leave: () => {} };
  const announced = Number(req.header('content-length') ?? 0);
  const bytes = announced > limitBytes ? null : await readBytes(source, limitBytes, place);
  if (bytes === null || ('status' in bytes && bytes.body.code === 'body_too_large'))
    throw new RefusedRequest('body_too_large', `it is larger than ${limitBytes / MIB} MiB`);
  if ('status' in bytes) throw new RefusedRequest(bytes.body.code, bytes.body.message);
  return bytes;
}

function readCount(text: string, max: number): number {
  const count = /^\d{1,7}$/.test(text) ? Number(text) : -1;
  if (count < 0 || count > max)
    throw new RefusedRequest('invalid_request', `not a number up to ${max}: ${text}`);
  return count;
}

function json(value: StudioState | object, status = 200): Response {
  const headers = { ...DATA_HEADERS, 'content-type': 'application/json', 'cache-control': 'no-store' };
  return new Response(JSON.stringify(value), { status, headers });
}

function image(bytes: Uint8Array | null, contentType: string, cacheControl: string): Response {
  if (bytes === null) return notFound();
  const headers = { ...DATA_HEADERS, 'content-type': contentType, 'cache-control': cacheControl };
  return new Response(bytes as Uint8Array<ArrayBuffer>, { headers });
}

function media({ env }: StudioContext, file: string | null, headers: MediaHeaders): Response {
  const sent = file === null ? null : sendMedia(env ?? {}, file, { ...HEADERS, ...headers });
  return sent ?? notFound();
}

function notFound(): Response {
  return refuse('not_found', 'there is nothing at this path');
}

function refuse(code: ProblemCode, message: string): Response {
  const problem: Problem = { code, message };
  return json(problem, ERROR_TABLE[code].httpStatus);
}
