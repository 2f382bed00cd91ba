/** Webhooks: their store in a data folder, what sends their messages, and the worker of a server. */

import { isDevelopment } from '../../api/server/access/development.ts';
import { isLocalServer } from '../../api/server/access/exposure.ts';
import { toWebhookMessage } from '../../api/server/answers/public-task.ts';
import type { ServerDeps } from '../../api/server/server-deps.ts';
import { logDelivery } from '../../api/server/watch/log-delivery.ts';
import type { Proxies } from '../../platform/network/proxies.ts';
import type { Settings } from '../../platform/settings/setting-table.ts';
import type { AccountStore } from '../../task/accounts/account-store.ts';
import { systemTaskClock } from '../../task/engine/task-clock.ts';
import type { TaskLogger } from '../../task/engine/task-handler.ts';
import { decodeTask } from '../../task/task-codec.ts';
import type { TaskStore } from '../../task/task-store.ts';
import type { OpenedWebhooks, Sender } from '../../task/webhooks/opened-webhooks.ts';
import type { SendOptions } from '../../task/webhooks/send-message.ts';
import type { WebhookStore } from '../../task/webhooks/webhook-store.ts';
import { VIDEO_TASK_CODEC } from '../../video/video-task-codec.ts';
import type { WebhookTools } from '../backend.ts';
import { proxiesOfServer } from '../choose-proxies.ts';
import { generatorName } from '../open-render-deps.ts';

/** The store, loaded here because most commands never need it. */
export async function openWebhooks(home: string, tasks: TaskStore): Promise<OpenedWebhooks> {
  const { openFileWebhooks } = await import('../../task/files/webhooks/create-webhook-store.ts');
  return openFileWebhooks({ home, tasks, program: generatorName() });
}

/** What the commands of webhooks need. `test` sends as a server with these settings would. */
export function webhookTools(
  store: WebhookStore,
  settings: Settings,
  accounts: () => Promise<AccountStore>,
): WebhookTools {
  return {
    ...store,
    test: async (id, signal) => {
      const { sendTest } = await import('../../task/webhooks/send-test.ts');
      const config = { isLocal: isLocalServer(settings) };
      const isTrusted = await isDevelopment({ accounts: await accounts(), config });
      return sendTest(store, id, sendOptions(settings, proxiesOfServer(settings), isTrusted), signal);
    },
  };
}

/** The worker of a server. It sends nothing before its start. */
export async function openDeliveryWorker(
  webhooks: OpenedWebhooks,
  settings: Settings,
  deps: Pick<ServerDeps, 'accounts' | 'logger' | 'metrics'> & {
    readonly isLocal: boolean;
    readonly taskLogger: TaskLogger;
  },
): Promise<Sender> {
  const { sendMessage } = await import('../../task/webhooks/send-message.ts');
  const proxies = proxiesOfServer(settings);
  return webhooks.openSender({
    clock: systemTaskClock,
    logger: deps.taskLogger,
    onAttempt: (delivery) => logDelivery(deps, delivery),
    bodyOf: ({ event, task }, publicUrl) =>
      JSON.stringify(toWebhookMessage(event, decodeTask(task, VIDEO_TASK_CODEC.outcome), publicUrl)),
    send: async (message, signal) => {
      // Asked for each message: from the first API key on, private addresses are refused.
      const isTrusted = await isDevelopment({ accounts: deps.accounts, config: { isLocal: deps.isLocal } });
      return sendMessage(message, sendOptions(settings, proxies, isTrusted), signal);
    },
  });
}

/** The rules for photos hold for the receivers of webhooks, too. */
function sendOptions(settings: Settings, proxies: Proxies | null, isTrusted: boolean): SendOptions {
  const { allowAssetsFrom: allowFrom, denyAssetsFrom: denyFrom } = settings;
  return { policy: { allowPrivate: isTrusted, allowFrom, denyFrom }, proxies, nowMs: systemTaskClock.nowMs };
}
