/** What becomes of a delivery: at the end of its task, after an attempt, and when it is repeated. Pure, except for the id of a repeated one. */
import type { TaskRecord } from '../task.ts';
import { deliveryId, endTail, messageIdOf, randomTail } from './delivery-id.ts';
import {
  type Delivery,
  type FullDelivery,
  TOO_MANY_WAITING,
  type Webhook,
  type WebhookEvent,
} from './webhook.ts';
import type { DeliveryChange } from './webhook-store.ts';

/** The delivery of an end. @param isFull - Too many deliveries of this webhook wait: it has failed. */
export function endDelivery(
  { id: webhookId, organizationId }: Pick<Webhook, 'id' | 'organizationId'>,
  task: TaskRecord,
  isFull: boolean,
): FullDelivery {
  return {
    id: deliveryId(Date.parse(task.updatedAt), endTail(webhookId, task.id, task.retries)),
    messageId: messageIdOf(task),
    webhookId,
    organizationId,
    taskId: task.id,
    event: endEvent(task),
    state: isFull ? 'failed' : 'waiting',
    createdAt: task.updatedAt,
    attempts: 0,
    firstAttemptAt: null,
    nextAttemptAt: isFull ? null : task.updatedAt,
    lastAttempt: null,
    problem: isFull ? TOO_MANY_WAITING : null,
    redeliveryOf: null,
    task,
  };
}

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
export function repeatedDelivery(delivery: FullDelivery, nowMs: number): FullDelivery {
  const at = new Date(nowMs).toISOString();
  return {
    ...delivery,
    id: deliveryId(nowMs, randomTail()),
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
