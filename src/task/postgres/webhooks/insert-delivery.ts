/** Adds the row of a delivery, and its job if it waits. */
import type { FullDelivery } from '../../webhooks/webhook.ts';
import type { Queries } from '../database.ts';
import { sql } from '../sql.ts';
import { toJsonText } from '../tasks/task-row.ts';
import { addDeliveryJobs } from './delivery-jobs.ts';

/**
 * @param dueAt - When it is sent; null for at once.
 * @returns False if there is a delivery with this id, which stays as it is, or if the webhook is deleted.
 */
export async function insertDelivery(
  queries: Queries,
  delivery: FullDelivery,
  dueAt: string | null,
): Promise<boolean> {
  const { webhookId, lastAttempt, task, ...columns } = delivery;
  const rows = await queries.query<{ id: string }>(
    sql`insert into listing_video.webhook_deliveries
       (id, message_id, webhook_id, organization_id, task_id, event, state, created_at, attempts, first_attempt_at,
        next_attempt_at, last_attempt, problem, redelivery_of, task, due_at)
     select ${columns.id}, ${columns.messageId}, w.id, ${columns.organizationId}, ${columns.taskId}, ${columns.event},
       ${columns.state}, ${columns.createdAt}, ${columns.attempts}, ${columns.firstAttemptAt}, ${columns.nextAttemptAt},
       ${toJsonText(lastAttempt)}, ${columns.problem}, ${columns.redeliveryOf}, ${JSON.stringify(task)},
       coalesce(${dueAt}, clock_timestamp())
     from listing_video.webhooks w where w.id = ${webhookId} and w.deleted_at is null
     on conflict (id) do nothing returning id`,
  );
  await addDeliveryJobs(
    queries,
    rows.map(({ id }) => id),
    dueAt,
  );
  return rows.length > 0;
}
