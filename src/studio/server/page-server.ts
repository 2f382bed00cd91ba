/** Serves a page of the studio: its sockets, loopback only and closed in order, and who has it open. */
import type { Hono } from 'hono';
import { createTrustedProxies } from '../../api/server/sockets/client-address.ts';
import { createHttpServer } from '../../api/server/sockets/http-server.ts';
import { toRequestListener } from '../../api/server/sockets/request-listener.ts';
import type { StudioMemory } from '../editor/studio-memory.ts';
import type { StudioEnv } from './answers.ts';
import type { GuardedAppOptions } from './guarded-app.ts';
import { loadPage, type PageFolder } from './load-page.ts';
import { OpenPages } from './open-pages.ts';
import { StudioGuard } from './studio-guard.ts';
import { loadStudioKey } from './studio-key.ts';

export const HOST = '127.0.0.1';
/** Of those that need no rights. */
const MIN_PORT = 1024;
const MAX_PORT = 65_535;
/** A picture that is being drawn ends within it. */
const CLOSE_MS = 1_000;

export interface PageServer {
  readonly port: number;
  /** With the token: whoever opens it can use the studio. */
  readonly url: string;
  /** The same, but it works once. Each time another one. */
  readonly urlToOpen: string;
  /** Resolves when its pages have been closed for a while, and it is not busy. */
  readonly closed: Promise<void>;
  /** Answers nobody any more. The studio itself stays open. */
  close(): Promise<void>;
}

export interface PageServerOptions {
  readonly memory: Pick<StudioMemory, 'keyFile' | 'get' | 'set' | 'saved'>;
  /** 0: that of the server before, else a free one. */
  readonly port: number;
  readonly folder: PageFolder;
  /** True while something goes on that is not to end with the last page. */
  readonly isBusy: () => boolean;
  readonly createApp: (parts: GuardedAppOptions) => Hono<StudioEnv>;
  readonly onFault: (error: unknown) => void;
  /** Called when the server answers nobody any more. */
  readonly onClosed?: () => Promise<void>;
}

/** @throws {@link ListingVideoError} `cannot_listen`. */
export async function startPageServer(options: PageServerOptions): Promise<PageServer> {
  const { memory, port, folder, isBusy, createApp, onFault } = options;
  let listening = port;
  const guard = new StudioGuard(() => listening, await loadStudioKey(memory.keyFile, onFault));
  const page = await loadPage(folder);
  const pages = new OpenPages(isBusy);
  const server = createHttpServer({
    listener: toRequestListener(
      createApp({ guard, page, pages, onFault }),
      () => false,
      createTrustedProxies([]),
      ({ fault }) => fault && onFault(fault),
    ),
    isUpload: ({ url }) => /^\/api\/(?:files|imports)\b/.test(url ?? ''),
  });
  // At the port of the server before, its pages find this one.
  const before = Number(memory.get('port') ?? 0);
  const isAgain = port === 0 && Number.isInteger(before) && before >= MIN_PORT && before <= MAX_PORT;
  const again = isAgain ? await server.listen(before, HOST).catch(() => null) : null;
  ({ port: listening } = again ?? (await server.listen(port, HOST)));
  if (before !== listening && !isAgain) memory.set('port', listening);
  const address = `http://${HOST}:${listening}/`;
  return {
    port: listening,
    url: `${address}?token=${guard.token}`,
    get urlToOpen() {
      pages.expect();
      return `${address}?token=${guard.issueTicket()}`;
    },
    closed: pages.closed,
    async close() {
      pages.stop();
      server.beginDrain();
      await server.close(CLOSE_MS);
      await memory.saved();
      await options.onClosed?.();
    },
  };
}
