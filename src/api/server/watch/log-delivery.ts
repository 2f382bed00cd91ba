/** Counts and logs each attempt to deliver an event to a webhook. Its URL can have a secret, so it is not logged. */
import type { FullDelivery } from '../../../task/webhooks/webhook.ts';
import type { ServerDeps } from '../server-deps.ts';

/** Call it after each attempt, and with each delivery that failed without one. */
export function logDelivery(
  { logger, metrics }: Pick<ServerDeps, 'logger' | 'metrics'>,
  delivery: FullDelivery,
): void {
  metrics.observeDelivery(delivery);
  const { id, webhookId, organizationId, taskId, event, state, attempts, lastAttempt, problem } = delivery;
  const facts = {
    delivery: id,
    webhook: webhookId,
    organization: organizationId,
    task: taskId,
    event,
    attempts,
    ...(lastAttempt === null ? {} : { status: lastAttempt.status, duration_ms: lastAttempt.durationMs }),
    ...(lastAttempt?.error ? { failure: lastAttempt.error } : {}),
    ...(problem === null ? {} : { failure: problem }),
  };
  if (state === 'succeeded') logger.info(facts, 'webhook delivered');
  else if (state === 'failed') logger.warn(facts, 'webhook not delivered: given up');
  else logger.warn({ ...facts, next_attempt_at: delivery.nextAttemptAt }, 'webhook not delivered yet');
}
