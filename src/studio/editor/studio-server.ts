/** The sockets of the studio: loopback only, and closed in order. */
import { createTrustedProxies } from '../../api/server/sockets/client-address.ts';
import { createHttpServer } from '../../api/server/sockets/http-server.ts';
import { toRequestListener } from '../../api/server/sockets/request-listener.ts';
import type { Studio } from './studio.ts';
import { createStudioApp } from './studio-app.ts';
import { StudioGuard } from './studio-guard.ts';
import { loadStudioPage } from './studio-page.ts';

const HOST = '127.0.0.1';
/** A picture that is being drawn ends within it. */
const CLOSE_MS = 1_000;

export interface StudioServer {
  /** With the token: whoever opens it can use the studio. */
  readonly url: string;
  /** The same, but it works once. */
  readonly urlToOpen: string;
  /** Answers nobody any more. The studio itself stays open. */
  close(): Promise<void>;
}

export interface StudioServerOptions {
  readonly studio: Studio;
  /** 0: a free one. */
  readonly port: number;
  readonly onFault: (error: unknown) => void;
}

/** @throws {@link ListingVideoError} `cannot_listen`. */
export async function startStudioServer({
  studio,
  port,
  onFault,
}: StudioServerOptions): Promise<StudioServer> {
  let listening = port;
  const guard = new StudioGuard(() => listening);
  const app = createStudioApp({ studio, guard, page: await loadStudioPage(), onFault });
  const server = createHttpServer({
    listener: toRequestListener(
      app,
      () => false,
      createTrustedProxies([]),
      ({ fault }) => fault && onFault(fault),
    ),
    isUpload: ({ url }) => url?.startsWith('/api/files') === true,
  });
  ({ port: listening } = await server.listen(port, HOST));
  return {
    url: `http://${HOST}:${listening}/?token=${guard.token}`,
    urlToOpen: `http://${HOST}:${listening}/?token=${guard.ticket}`,
    async close() {
      server.beginDrain();
      await server.close(CLOSE_MS);
    },
  };
}
