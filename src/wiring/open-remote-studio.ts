/** The studio whose work a server does: tasks through its API, results in the folders of this machine. */
import type { Studio } from '../cli/studio.ts';
import { ListingVideoError } from '../errors.ts';
import { createRemoteEngine } from '../remote/remote-engine.ts';
import type { RemoteSeams } from '../remote/remote-seams.ts';
import type { Settings } from '../settings/setting-table.ts';
import type { TaskLogger } from '../task/task-handler.ts';
import { generatorName, openWorkshop } from './open-workshop.ts';

export interface RemoteStudioOptions {
  readonly logger: TaskLogger;
  readonly signal?: AbortSignal;
  readonly seams?: RemoteSeams;
}

/** @param server - As in the settings. Nothing is sent before something is asked. */
export function openRemoteStudio(
  server: string,
  settings: Settings,
  { logger, signal, seams }: RemoteStudioOptions,
): Studio {
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
      const { previewTemplate } = await import('../video/preview-template.ts');
      return previewTemplate(order, openWorkshop(settings), options);
    },
    lint: async (order, options) => {
      const { lintTemplate } = await import('../video/lint-template.ts');
      return lintTemplate(order, openWorkshop(settings), options);
    },
    close: () => engine.close(),
  };
}

function isReadable(server: string): boolean {
  const { protocol, hostname } = new URL(server);
  return protocol === 'http:' && !/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
