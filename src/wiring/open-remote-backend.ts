/** The backend that lets a server work: tasks through its API, results in the folders of this machine. */

import { createRemoteEngine } from '../api/client/remote-engine.ts';
import { ListingVideoError } from '../platform/errors.ts';
import type { ClientDeps } from '../platform/network/transport.ts';
import type { Settings } from '../platform/settings/setting-table.ts';
import type { TaskLogger } from '../task/engine/task-handler.ts';
import type { Backend } from './backend.ts';
import { proxiesOfUser } from './choose-proxies.ts';
import { generatorName, openRenderDeps, templateTools } from './open-render-deps.ts';

export interface RemoteBackendOptions {
  readonly logger: TaskLogger;
  readonly signal?: AbortSignal;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly network?: ClientDeps;
}

/** @param server - As in the settings. The first call of a method sends the first request. */
export function openRemoteBackend(
  server: string,
  settings: Settings,
  { logger, signal, env, network }: RemoteBackendOptions,
): Backend {
  if (settings.key !== undefined && isReadable(server)) {
    logger.warn(`${server} does not use https: others on the network can read the API key`);
  }
  const proxies = proxiesOfUser(settings, env);
  const engine = createRemoteEngine({
    server,
    signal,
    key: settings.key,
    proxies,
    generator: generatorName(),
    warn: (message) => logger.warn(message),
    ...(network === undefined ? {} : { network }),
  });
  const refuse = async (): Promise<never> => {
    throw new ListingVideoError('usage', 'the API of a server does not offer this');
  };
  return {
    server: { url: server, organization: () => engine.organization(), takesFiles: () => engine.takesFiles() },
    engine: { ...engine, retry: refuse },
    store: { prune: refuse },
    tasksAtOnce: settings.concurrency,
    templateIds: async () => null,
    accounts: refuse,
    webhooks: refuse,
    // Only the server can say more of a listing than its rules.
    check: async () => ({ violations: [], warnings: [] }),
    describe: refuse,
    ...templateTools(() => openRenderDeps(settings, { proxies })),
    close: () => engine.close(),
  };
}

function isReadable(server: string): boolean {
  const { protocol, hostname } = new URL(server);
  return protocol === 'http:' && !/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
