/** The backend whose work a server does: tasks through its API, results in the folders of this machine. */

import { ListingVideoError } from '../errors.ts';
import type { RemoteSeams } from '../remote/network-deps.ts';
import { createRemoteEngine } from '../remote/remote-engine.ts';
import type { Settings } from '../settings/setting-table.ts';
import type { TaskLogger } from '../task/engine/task-handler.ts';
import type { Backend } from './backend.ts';
import { generatorName, openRenderDeps } from './open-render-deps.ts';

export interface RemoteBackendOptions {
  readonly logger: TaskLogger;
  readonly signal?: AbortSignal;
  readonly seams?: RemoteSeams;
}

/** @param server - As in the settings. Nothing is sent before something is asked. */
export function openRemoteBackend(
  server: string,
  settings: Settings,
  { logger, signal, seams }: RemoteBackendOptions,
): Backend {
  if (settings.key !== undefined && isReadable(server)) {
    logger.warn(`${server} is not https: whoever is on the way can read the key`);
  }
  const engine = createRemoteEngine({
    ...{ server, signal, key: settings.key },
    generator: generatorName(),
    warn: (message) => logger.warn(message),
    ...(seams === undefined ? {} : { seams }),
  });
  const refuse = async (): Promise<never> => {
    throw new ListingVideoError('usage', 'a server does not offer this through its API');
  };
  return {
    server: { url: server, organization: () => engine.organization() },
    engine: { ...engine, retry: refuse, cancel: refuse },
    store: { prune: refuse },
    tasksAtOnce: settings.concurrency,
    templateIds: async () => null,
    accounts: refuse,
    describe: refuse,
    // Looking at templates is for whoever makes them, on this machine.
    preview: async (order, options) => {
      const { previewTemplate } = await import('../video/templates/preview-template.ts');
      return previewTemplate(order, openRenderDeps(settings), options);
    },
    lint: async (order, options) => {
      const { lintTemplate } = await import('../video/templates/lint-template.ts');
      return lintTemplate(order, openRenderDeps(settings), options);
    },
    close: () => engine.close(),
  };
}

function isReadable(server: string): boolean {
  const { protocol, hostname } = new URL(server);
  return protocol === 'http:' && !/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
