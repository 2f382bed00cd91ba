/** Webhooks: their store in a data folder, what sends their messages, and the worker of a server. */
import type { AccountStore } from '../account/account-store.ts';
import type { OpenedWebhooks } from '../account/webhook/create-webhook-store.ts';
import type { DeliveryWorker, DeliveryWorkerOptions } from '../account/webhook/delivery-worker.ts';
import type { SendOptions } from '../account/webhook/send-message.ts';
import type { WebhookStore } from '../account/webhook/webhook-store.ts';
import type { Proxies } from '../network/proxies.ts';
import { isDevelopment } from '../server/development.ts';
import { isLocalServer } from '../server/exposure.ts';
import { logDelivery } from '../server/log-delivery.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import { toWebhookMessage } from '../server/webhook-message.ts';
import type { Settings } from '../settings/setting-table.ts';
import { systemTaskClock } from '../task/engine/task-clock.ts';
import type { TaskLogger } from '../task/engine/task-handler.ts';
import { decodeTask } from '../task/task-codec.ts';
import type { TaskStore } from '../task/task-store.ts';
import { VIDEO_TASK_CODEC } from '../video/video-task-codec.ts';
import type { WebhookTools } from './backend.ts';
import { proxiesOfServer } from './choose-proxies.ts';
import { generatorName } from './open-render-deps.ts';
import type { SharedWebhooks } from './stores.ts';

/** The store, loaded here because most commands never need it. */
export async function openWebhooks(home: string, tasks: TaskStore): Promise<OpenedWebhooks> {
  const { openFileWebhooks } = await import('../account/webhook/create-webhook-store.ts');
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
      const { sendTest } = await import('../account/webhook/send-test.ts');
      const config = { isLocal: isLocalServer(settings) };
      const isTrusted = await isDevelopment({ accounts: await accounts(), config });
      return sendTest(store, id, sendOptions(settings, proxiesOfServer(settings), isTrusted), signal);
    },
  };
}

/** The worker of a server. It sends nothing before its start. */
export async function openDeliveryWorker(
  webhooks: OpenedWebhooks | SharedWebhooks,
  settings: Settings,
  deps: Pick<ServerDeps, 'accounts' | 'logger' | 'metrics'> & {
    readonly isLocal: boolean;
    readonly taskLogger: TaskLogger;
  },
): Promise<Pick<DeliveryWorker, 'start' | 'nudge' | 'stop'>> {
  const { sendMessage } = await import('../account/webhook/send-message.ts');
  const proxies = proxiesOfServer(settings);
  const options: Omit<DeliveryWorkerOptions, 'queue'> = {
    store: webhooks.store,
    clock: systemTaskClock,
    random: Math.random,
    logger: deps.taskLogger,
    onAttempt: (delivery) => logDelivery(deps, delivery),
    bodyOf: ({ event, task }, publicUrl) =>
      JSON.stringify(toWebhookMessage(event, decodeTask(task, VIDEO_TASK_CODEC.outcome), publicUrl)),
    send: async (message, signal) => {
      // Asked for each message: from the first API key on, private addresses are refused.
      const isTrusted = await isDevelopment({ accounts: deps.accounts, config: { isLocal: deps.isLocal } });
      return sendMessage(message, sendOptions(settings, proxies, isTrusted), signal);
    },
  };
  if ('claims' in webhooks) {
    const { SharedDeliveryWorker } = await import('../account/webhook/shared-delivery-worker.ts');
    return new SharedDeliveryWorker({ ...options, ...webhooks });
  }
  const { DeliveryWorker } = await import('../account/webhook/delivery-worker.ts');
  return new DeliveryWorker({ ...options, queue: webhooks.queue });
}

/** The rules for photos hold for the receivers of webhooks, too. */
function sendOptions(settings: Settings, proxies: Proxies | null, isTrusted: boolean): SendOptions {
  const { allowAssetsFrom: allowFrom, denyAssetsFrom: denyFrom } = settings;
  return { policy: { allowPrivate: isTrusted, allowFrom, denyFrom }, proxies, nowMs: systemTaskClock.nowMs };
}
