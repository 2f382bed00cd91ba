/** The sockets of the studio: loopback only, and closed in order. */
import { createTrustedProxies } from '../../api/server/sockets/client-address.ts';
import { createHttpServer } from '../../api/server/sockets/http-server.ts';
import { toRequestListener } from '../../api/server/sockets/request-listener.ts';
import type { Studio } from './studio.ts';
import { createStudioApp } from './studio-app.ts';
import { StudioGuard } from './studio-guard.ts';
import { loadStudioKey } from './studio-key.ts';
import { loadStudioPage } from './studio-page.ts';

const HOST = '127.0.0.1';
/** Of those that need no rights. */
const MIN_PORT = 1024;
const MAX_PORT = 65_535;
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
  /** 0: that of the studio before, else a free one. */
  readonly port: number;
  readonly onFault: (error: unknown) => void;
}

/** @throws {@link ListingVideoError} `cannot_listen`. */
export async function startStudioServer({
  studio,
  port,
  onFault,
}: StudioServerOptions): Promise<StudioServer> {
  const { memory } = studio;
  let listening = port;
  const guard = new StudioGuard(() => listening, await loadStudioKey(memory.keyFile, onFault));
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
  // At the port of the studio before, its pages find this one.
  const before = Number(memory.get('port') ?? 0);
  const isAgain = port === 0 && Number.isInteger(before) && before >= MIN_PORT && before <= MAX_PORT;
  const again = isAgain ? await server.listen(before, HOST).catch(() => null) : null;
  ({ port: listening } = again ?? (await server.listen(port, HOST)));
  if (before !== listening && !isAgain) memory.set('port', listening);
  return {
    url: `http://${HOST}:${listening}/?token=${guard.token}`,
    urlToOpen: `http://${HOST}:${listening}/?token=${guard.ticket}`,
    async close() {
      server.beginDrain();
      await server.close(CLOSE_MS);
    },
  };
}
