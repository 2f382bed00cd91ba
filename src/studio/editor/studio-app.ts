/** The studio's HTTP API as a hono app: the routes of protocol.ts. Has no socket. */
import type { Hono } from 'hono';
import pLimit from 'p-limit';
import type { AspectRatio } from '../../listing/listing.ts';
import {
  eventStream,
  image,
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
import { headersOf } from '../server/send-media.ts';
import { stateEvents } from '../server/state-events.ts';
import {
  RefusedRequest,
  readConflictAnswer,
  readEdit,
  readPlaces,
  readPurpose,
  readRatio,
  readRender,
  readShapes,
} from './read-request.ts';
import type { Studio } from './studio.ts';

export interface StudioAppOptions extends GuardedAppOptions {
  readonly studio: Studio;
}

/** Of photos. Their own limit has words of its own. */
export const MAX_IMAGE_BYTES = 32 * MIB;
const MAX_MUSIC_BYTES = 200 * MIB;
/** Files that are received and checked at once: a person can drop a hundred. */
export const MAX_FILES_AT_ONCE = 2;

const IMMUTABLE = 'private, max-age=31536000, immutable';

export function createStudioApp(options: StudioAppOptions): Hono<StudioEnv> {
  return createGuardedApp(options, (app) => addRoutes(app, options));
}

function addRoutes(app: Hono<StudioEnv>, { studio, pages }: StudioAppOptions): void {
  const answerState = (): Response => json(studio.state);

  app.get('/api/state', answerState);
  app.get('/api/events', ({ req }) => eventStream(stateEvents(studio, pages.arrive(req.query('page')))));
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
  app.post('/api/left-out/more', () => {
    studio.showMoreLeftOut();
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
}

function readCount(text: string, max: number): number {
  const count = /^\d{1,7}$/.test(text) ? Number(text) : -1;
  if (count < 0 || count > max)
    throw new RefusedRequest('invalid_request', `not a number up to ${max}: ${text}`);
  return count;
}
