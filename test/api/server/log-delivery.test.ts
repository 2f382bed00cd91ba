/** What operators see of deliveries: a line and a count for each attempt, without secrets. */
import { expect, it } from 'vitest';
import { logDelivery } from '../../../src/api/server/watch/log-delivery.ts';
import { createMetrics } from '../../../src/api/server/watch/metrics.ts';
import type { FullDelivery } from '../../../src/task/webhooks/webhook.ts';
import { type AnyJson, logInto } from './harness.ts';

const DELIVERY: FullDelivery = {
  id: 'dlv_01934a5e7c3b0c1d2e3f4051',
  messageId: 'msg_1',
  webhookId: 'wh_0c1d2e3f40516273',
  organizationId: 'org_default',
  taskId: '01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00',
  event: 'task.failed',
  state: 'waiting',
  createdAt: '2026-11-20T14:03:07.123Z',
  attempts: 2,
  firstAttemptAt: '2026-11-20T14:03:07.200Z',
  nextAttemptAt: '2026-11-20T14:03:27.200Z',
  lastAttempt: {
    ...{ at: '2026-11-20T14:03:12.200Z', durationMs: 40, status: null },
    ...{ error: 'unreachable: connection refused', response: 's3cret' },
  },
  problem: null,
  redeliveryOf: null,
  task: {} as FullDelivery['task'],
};

it('each attempt is a line and a count', async () => {
  const log: AnyJson[] = [];
  const metrics = createMetrics({
    ...{ countTasks: async () => 0, runningHere: () => 0, hasProcessMetrics: false },
    countDeliveries: async () => 7,
  });
  const deps = { logger: logInto(log), metrics };
  logDelivery(deps, DELIVERY);
  const answered = { ...DELIVERY.lastAttempt!, status: 200, error: null };
  logDelivery(deps, { ...DELIVERY, state: 'succeeded', nextAttemptAt: null, lastAttempt: answered });
  logDelivery(deps, { ...DELIVERY, state: 'failed', lastAttempt: null, problem: 'the webhook is disabled' });
  const ids = {
    delivery: DELIVERY.id,
    webhook: DELIVERY.webhookId,
    organization: 'org_default',
    task: DELIVERY.taskId,
    event: 'task.failed',
    attempts: 2,
  };
  expect(log).toMatchObject([
    {
      ...{ ...ids, level: 'warn', msg: 'webhook not delivered yet', status: null, duration_ms: 40 },
      ...{ failure: 'unreachable: connection refused', next_attempt_at: DELIVERY.nextAttemptAt },
    },
    { ...ids, level: 'info', msg: 'webhook delivered', status: 200, duration_ms: 40 },
    { ...ids, level: 'warn', msg: 'webhook not delivered: given up', failure: 'the webhook is disabled' },
  ]);
  // A receiver can repeat anything in its answer.
  expect(JSON.stringify(log)).not.toContain('s3cret');
  const text = await metrics.render();
  expect(text).toMatch(/^listing_video_webhook_deliveries_waiting 7$/m);
  for (const result of ['succeeded', 'failed', 'given_up'])
    expect(text).toMatch(new RegExp(`^listing_video_webhook_attempts_total\\{result="${result}"\\} 1$`, 'm'));
});
