/** The start page of the studio on this machine, and the studios of the listings that are opened from it. */
import path from 'node:path';
import type { Settings } from '../platform/settings/setting-table.ts';
import { findListingsRoot } from '../studio/start/new-folder.ts';
import { Start, type StartOptions } from '../studio/start/start.ts';
import { startOnce } from '../studio/start/start-server.ts';
import type { Backend } from './backend.ts';
import { proxiesOfUser } from './choose-proxies.ts';
import { openRenderDeps } from './open-render-deps.ts';
import { openStudio, type StudioRequest } from './open-studio.ts';

export interface StartRequest
  extends Omit<StudioRequest, 'place' | 'startUrl'>,
    Pick<StartOptions, 'importFile' | 'copySample' | 'out'> {
  /** Of the user. */
  readonly homeDir: string;
}

export interface OpenedStart {
  readonly url: string;
  /** As for a studio: it works once. */
  readonly urlToOpen: string;
  /** Resolves when the last page has been closed for a while, and nothing is being done. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** Opens the real or a fake start page. `other`: it runs already; an address of it, which works once. */
export type OpenStart = (
  settings: Settings,
  request: StartRequest,
) => Promise<OpenedStart | { readonly other: string }>;

/** @throws {@link ListingVideoError} `cannot_listen`, `store_corrupt`; an error of the file system. */
export const openStart: OpenStart = async (settings, request) => {
  const { home } = settings;
  const { homeDir, env, logger, nowMs, signal, out, port, importFile, copySample } = request;
  const onFault = (error: unknown): void => logger.warn('a request of the page failed', { error });
  let backend: Promise<Backend> | undefined;
  // All listings share one.
  const openBackend: StudioRequest['openBackend'] = async (given, options) => {
    backend ??= request.openBackend(given, options);
    return { ...(await backend), close: async () => {} };
  };
  let deps: ReturnType<typeof openRenderDeps> | undefined;
  let startUrl = '';
  const start = new Start({
    ...{ home, homeDir, out, importFile, copySample, nowMs },
    root: await findListingsRoot(homeDir, env.XDG_CONFIG_HOME || path.join(homeDir, '.config')),
    openListing: (place, folder) =>
      openStudio({ ...settings, out: folder }, { ...request, place, port: 0, startUrl, openBackend }),
    checkPhoto: async (bytes) => {
      const { findNewFileProblem } = await import('../video/photos/check-new-file.ts');
      deps ??= openRenderDeps(settings, { proxies: proxiesOfUser(settings, env) });
      return findNewFileProblem(bytes, 'photo', deps, signal);
    },
  });
  const started = await startOnce({ start, home, homeDir, port, onFault });
  if ('other' in started) return started;
  const { own } = started;
  startUrl = new URL('/', own.url).href;
  return {
    url: own.url,
    get urlToOpen() {
      return own.urlToOpen;
    },
    closed: own.closed,
    async close() {
      await Promise.all([own.close(), start.close()]);
      await (await backend?.catch(() => undefined))?.close();
    },
  };
};
