/** What becomes of a delivery: after an attempt, and when it is repeated. Pure. */
import type { TaskRecord } from '../task.ts';
import type { Delivery, FullDelivery, WebhookEvent } from './webhook.ts';
import type { DeliveryChange } from './webhook-store.ts';

/** The delivery with what an attempt changed. */
export function changedDelivery(
  delivery: FullDelivery,
  { attempt, problem, state, nextAttemptAt }: DeliveryChange,
): FullDelivery {
  return {
    ...delivery,
    state,
    nextAttemptAt,
    problem: problem ?? null,
    ...(attempt === undefined
      ? {}
      : {
          attempts: delivery.attempts + 1,
          firstAttemptAt: delivery.firstAttemptAt ?? attempt.at,
          lastAttempt: attempt,
        }),
  };
}

/** A new delivery of the same message, which is due at once. */
export function repeatedDelivery(delivery: FullDelivery, id: string, at: string): FullDelivery {
  return {
    ...delivery,
    id,
    state: 'waiting',
    createdAt: at,
    attempts: 0,
    firstAttemptAt: null,
    nextAttemptAt: at,
    lastAttempt: null,
    problem: null,
    redeliveryOf: delivery.id,
  };
}

export function withoutTask({ task: _, ...delivery }: FullDelivery): Delivery {
  return delivery;
}

/** The event of a task that ended. */
export function endEvent({ state }: Pick<TaskRecord, 'state'>): WebhookEvent {
  return state === 'SUCCEEDED' ? 'task.succeeded' : 'task.failed';
}
