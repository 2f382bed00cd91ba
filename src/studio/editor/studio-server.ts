/** Serves the page of one listing. */
import { loadPage } from '../server/load-page.ts';
import { OpenPages } from '../server/open-pages.ts';
import { type PageServer, startPageServer } from '../server/page-server.ts';
import type { Studio } from './studio.ts';
import { createStudioApp } from './studio-app.ts';

export interface StudioServer extends PageServer {
  /** Resolves when its pages have been closed for a while, everything is saved and nothing is rendered. */
  readonly closed: Promise<void>;
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
  const page = await loadPage('studio/page');
  const pages = new OpenPages(() => studio.isBusy);
  const server = await startPageServer({
    memory: studio.memory,
    port,
    createApp: (guard) => createStudioApp({ studio, guard, page, pages, onFault }),
    onFault,
  });
  return {
    port: server.port,
    url: server.url,
    get urlToOpen() {
      pages.expect();
      return server.urlToOpen;
    },
    closed: pages.closed,
    close() {
      pages.stop();
      return server.close();
    },
  };
}
