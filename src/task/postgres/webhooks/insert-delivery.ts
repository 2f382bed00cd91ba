/** Adds the row of a delivery. */
import type { FullDelivery } from '../../webhooks/webhook.ts';
import type { Queries } from '../database.ts';
import { toJsonText } from '../tasks/task-row.ts';

/**
 * @param dueAt - When a server can take it first; null for at once.
 * @returns False if there is a delivery with this id, which stays as it is, or if the webhook is deleted.
 */
export async function insertDelivery(
  queries: Queries,
  delivery: FullDelivery,
  dueAt: string | null,
): Promise<boolean> {
  const rows = await queries.query(
    `insert into listing_video.webhook_deliveries
       (id, message_id, webhook_id, organization_id, task_id, event, state, created_at, attempts, first_attempt_at,
        next_attempt_at, last_attempt, problem, redelivery_of, task, due_at)
     select $1, $2, w.id, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, coalesce($16, clock_timestamp())
     from listing_video.webhooks w where w.id = $3 and w.deleted_at is null
     on conflict (id) do nothing returning id`,
    [
      delivery.id,
      delivery.messageId,
      delivery.webhookId,
      delivery.organizationId,
      delivery.taskId,
      delivery.event,
      delivery.state,
      delivery.createdAt,
      delivery.attempts,
      delivery.firstAttemptAt,
      delivery.nextAttemptAt,
      toJsonText(delivery.lastAttempt),
      delivery.problem,
      delivery.redeliveryOf,
      JSON.stringify(delivery.task),
      dueAt,
    ],
  );
  return rows.length > 0;
}
