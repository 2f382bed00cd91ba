/** Serves the page of one listing. */
import { type PageServer, type PageServerOptions, startPageServer } from '../server/page-server.ts';
import type { Studio } from './studio.ts';
import { createStudioApp } from './studio-app.ts';

export interface StudioServerOptions extends Pick<PageServerOptions, 'port' | 'onFault'> {
  readonly studio: Studio;
}

/**
 * It is busy while something is not saved or is rendered.
 *
 * @throws {@link ListingVideoError} `cannot_listen`.
 */
export function startStudioServer({ studio, ...options }: StudioServerOptions): Promise<PageServer> {
  return startPageServer({
    ...options,
    memory: studio.memory,
    folder: 'studio/page',
    isBusy: () => studio.isBusy,
    createApp: (parts) => createStudioApp({ ...parts, studio }),
  });
}
