/** What every server of the studio does with a request before its own routes, and after them. Has no socket. */
import { Hono } from 'hono';
import { ListingVideoError } from '../../platform/errors.ts';
import type { TicketAnswer } from '../editor/protocol.ts';
import { RefusedRequest, readName, readProof, toObject } from '../editor/read-request.ts';
import { DATA_HEADERS, HEADERS, json, notFound, readJson, refuse, type StudioEnv } from './answers.ts';
import type { StudioPage } from './load-page.ts';
import type { OpenPages } from './open-pages.ts';
import { answerPrivatePage } from './private-page.ts';
import { type StudioGuard, TICKET_PATH } from './studio-guard.ts';

export interface GuardedAppOptions {
  readonly guard: StudioGuard;
  readonly page: StudioPage;
  readonly pages: OpenPages;
  /** Called with what no code expected. */
  readonly onFault: (error: unknown) => void;
}

/** @param addRoutes - Only who was let in gets to them. */
export function createGuardedApp(
  { guard, page, pages, onFault }: GuardedAppOptions,
  addRoutes: (app: Hono<StudioEnv>) => void,
): Hono<StudioEnv> {
  const app = new Hono<StudioEnv>();
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

  app.get('/api/session', ({ req }) => json(guard.challenge(req.raw)));
  app.post('/api/session', async (context) => {
    if (!guard.admitsProof(readProof(await readJson(context))))
      return refuse('forbidden', 'this page was opened by the studio of another listing');
    const answer = json(guard.challenge(context.req.raw));
    answer.headers.set('set-cookie', guard.cookie);
    return answer;
  });
  app.post(TICKET_PATH, async (context) => {
    const { proof, nonce } = toObject(await readJson(context));
    if (typeof proof !== 'string' || !guard.admitsProof(proof))
      return refuse('forbidden', 'the proof is not of this studio');
    pages.expect();
    const answer = { ticket: guard.issueTicket(), proof: guard.proveTo(readName(nonce)) };
    return json(answer satisfies TicketAnswer);
  });
  app.post('/api/goodbye', ({ req }) => {
    pages.leave(req.query('page') ?? '');
    return json({});
  });

  addRoutes(app);

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
