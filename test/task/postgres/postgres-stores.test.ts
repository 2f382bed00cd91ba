/** The stores in PostgreSQL: the contracts of every store of tasks, accounts and webhooks. */

import { systemTaskClock } from '../../../src/task/engine/task-clock.ts';
import { createPostgresAccountStore } from '../../../src/task/postgres/accounts/postgres-account-store.ts';
import type { ClaimedKeys } from '../../../src/task/postgres/accounts/postgres-deps.ts';
import { createPostgresTaskStore } from '../../../src/task/postgres/tasks/postgres-task-store.ts';
import { taskCredits } from '../../../src/task/postgres/tasks/task-credits.ts';
import { taskDeliveries } from '../../../src/task/postgres/webhooks/postgres-deliveries.ts';
import { openPostgresWebhooks } from '../../../src/task/postgres/webhooks/postgres-webhook-store.ts';
import { FILE_LEASE } from '../../../src/task/task-store.ts';
import { LostEvents } from '../../../src/task/webhooks/lost-events.ts';
import { summarizePayload } from '../../../src/video/video-task-summary.ts';
import { harness as accountHarness } from '../accounts/account-harness.ts';
import { describeAccountStore } from '../accounts/account-store-contract.ts';
import { harness as webhookHarness } from '../accounts/webhook/webhook-harness.ts';
import { describeWebhookStore } from '../accounts/webhook/webhook-store-contract.ts';
import { harness } from '../store-harness.ts';
import { describeTaskStore } from '../task-store-contract.ts';
import { claimInOrder } from './claim-in-order.ts';
import { describeWithDatabase } from './test-server.ts';

const close = async () => {};

describeWithDatabase('with PostgreSQL', (server) => {
  const { database } = server;
  describeTaskStore('the store in PostgreSQL', async () =>
    harness(
      (options) =>
        claimInOrder(
          createPostgresTaskStore({ ...options, database, summarize: summarizePayload, lease: FILE_LEASE }),
          database,
        ),
      close,
    ),
  );

  describeAccountStore('the account store in PostgreSQL', async () => {
    const claimedKeys: ClaimedKeys = new Map();
    return accountHarness(
      (options) => createPostgresAccountStore({ ...options, database, claimedKeys }),
      ({ nowMs, ...options }) => {
        const clock = { ...systemTaskClock, nowMs };
        const onChange = taskCredits({ priceOf: () => 1, clock, claimedKeys });
        return createPostgresTaskStore({ ...options, nowMs, database, onChange });
      },
      close,
    );
  });

  // Deliveries are part of the transaction of the task.
  describeWebhookStore('the webhook store in PostgreSQL', async () =>
    webhookHarness(
      (options) => {
        const onChange = taskDeliveries(new LostEvents());
        return createPostgresTaskStore({ ...options, database, onChange, beforeEnd: async () => {} });
      },
      (options) => ({
        ...openPostgresWebhooks({ ...options, database, url: server.url }),
        accounts: createPostgresAccountStore({ ...options, database }),
      }),
      close,
    ),
  );
});
