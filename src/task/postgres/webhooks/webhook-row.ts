/** Webhooks and deliveries as rows, and the way from row to value. Pure. */

import type { TaskRecord } from '../../task.ts';
import type { Attempt, Delivery, FullDelivery, Webhook } from '../../webhooks/webhook.ts';
import type { StoredSecret } from '../../webhooks/webhook-rules.ts';

/** The columns of a {@link WebhookRow}. */
export const WEBHOOK_COLUMNS = 'id, organization_id, url, events, created_at, disabled_at, secrets';

export interface WebhookRow {
  readonly id: string;
  readonly organization_id: string;
  readonly url: string;
  readonly events: Webhook['events'];
  readonly created_at: Date;
  readonly disabled_at: Date | null;
  readonly secrets: readonly StoredSecret[];
}

/** Without its secrets. */
export function toWebhook(row: WebhookRow): Webhook {
  const { id, organization_id: organizationId, url, events, created_at: createdAt } = row;
  return {
    id,
    organizationId,
    url,
    events,
    createdAt: createdAt.toISOString(),
    disabledAt: toIso(row.disabled_at),
  };
}

/** The columns of a {@link DeliveryRow}. */
export const DELIVERY_COLUMNS = `d.id, d.message_id, d.webhook_id, d.organization_id, d.task_id, d.event, d.state, d.created_at,
  d.attempts, d.first_attempt_at, d.next_attempt_at, d.last_attempt, d.problem, d.redelivery_of`;

export interface DeliveryRow {
  readonly id: string;
  readonly message_id: string;
  readonly webhook_id: string;
  readonly organization_id: string;
  readonly task_id: string;
  readonly event: Delivery['event'];
  readonly state: Delivery['state'];
  readonly created_at: Date;
  readonly attempts: number;
  readonly first_attempt_at: Date | null;
  readonly next_attempt_at: Date | null;
  readonly last_attempt: Attempt | null;
  readonly problem: string | null;
  readonly redelivery_of: string | null;
}

export function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    messageId: row.message_id,
    webhookId: row.webhook_id,
    organizationId: row.organization_id,
    taskId: row.task_id,
    event: row.event,
    state: row.state,
    createdAt: row.created_at.toISOString(),
    attempts: row.attempts,
    firstAttemptAt: toIso(row.first_attempt_at),
    nextAttemptAt: toIso(row.next_attempt_at),
    lastAttempt: row.last_attempt,
    problem: row.problem,
    redeliveryOf: row.redelivery_of,
  };
}

export function toFullDelivery(row: DeliveryRow & { readonly task: TaskRecord }): FullDelivery {
  return { ...toDelivery(row), task: row.task };
}

function toIso(date: Date | null): string | null {
  return date === null ? null : date.toISOString();
}
