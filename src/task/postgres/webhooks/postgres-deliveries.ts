/** Deliveries in a database. They are stored in the transaction that ends their task. */
import type { TaskRecord } from '../../task.ts';
import { isTerminal } from '../../task-transition.ts';
import { endDelivery, endEvent } from '../../webhooks/delivery-change.ts';
import { deliveryNotFound, isDeliveryId } from '../../webhooks/delivery-id.ts';
import type { LostEvents } from '../../webhooks/lost-events.ts';
import type { StoredDeliveries } from '../../webhooks/stored-deliveries.ts';
import { type Delivery, type FullDelivery, MAX_WAITING } from '../../webhooks/webhook.ts';
import type { Database, Queries } from '../database.ts';
import { all, insertInto, sql } from '../sql.ts';
import type { OnTaskChange } from '../tasks/task-change.ts';
import { addDeliveryJobs } from './delivery-jobs.ts';

/**
 * For `onChange` of a task store in the same database: an end and its deliveries are stored together or not at all.
 *
 * @param lost - Gets the deliveries that failed at once. That of `openPostgresWebhooks`.
 */
export function taskDeliveries(lost: LostEvents): OnTaskChange {
  return async ({ after }, transaction) => {
    if (isTerminal(after.state)) await addDeliveries(transaction, after, lost);
  };
}

/** Stores a delivery for each webhook of the task's organization that wants its end. */
export async function addDeliveries(queries: Queries, task: TaskRecord, lost: LostEvents): Promise<void> {
  const { organizationId } = task;
  if (organizationId === null) return;
  const wanting = await queries.query<{ id: string; isFull: boolean }>(
    sql`select id, ${MAX_WAITING} <= (
       select count(*) from (
         select from listing_video.webhook_deliveries where webhook_id = webhooks.id and state = 'waiting' limit ${MAX_WAITING}
       ) waiting
     ) as is_full
     from listing_video.webhooks
     where organization_id = ${organizationId} and deleted_at is null and disabled_at is null
       and ${endEvent(task)} = any(events)`,
  );
  const deliveries = wanting.map(({ id, isFull }) => endDelivery({ id, organizationId }, task, isFull));
  const added = await insertDeliveries(queries, deliveries, null);
  for (const each of deliveries)
    if (each.state === 'failed' && added.includes(each.id)) lost.addGivenUp(each);
}

/**
 * Adds deliveries, and jobs for those that wait.
 *
 * @param dueAt - When they are sent; null for at once.
 * @returns The ids of those that were added. One whose id is there stays as it is.
 */
export async function insertDeliveries(
  queries: Queries,
  deliveries: readonly FullDelivery[],
  dueAt: string | null,
): Promise<string[]> {
  if (deliveries.length === 0) return [];
  const rows = deliveries.map(({ task, ...delivery }) => {
    const { id, webhookId, state } = delivery;
    return { id, webhookId, state, delivery, task };
  });
  const added = await queries.query<{ id: string }>(
    sql`${insertInto('webhook_deliveries', ...rows)} on conflict (id) do nothing returning id`,
  );
  const ids = added.map(({ id }) => id);
  await addDeliveryJobs(queries, ids, dueAt);
  return ids;
}

export function postgresDeliveries(database: Database): StoredDeliveries {
  return {
    async listDeliveries({ webhookId, state, startingAfter, limit }) {
      const conditions = [sql`w.deleted_at is null`];
      if (webhookId !== undefined) conditions.push(sql`d.webhook_id = ${webhookId}`);
      if (state !== undefined) conditions.push(sql`d.state = ${state}`);
      if (startingAfter !== undefined) conditions.push(sql`d.id < ${startingAfter}`);
      const rows = await database.query<{ delivery: Delivery }>(
        sql`select d.delivery from listing_video.webhook_deliveries d
         join listing_video.webhooks w on w.id = d.webhook_id
         where ${all(conditions)} order by d.id desc limit ${limit + 1}`,
      );
      const data = rows.slice(0, limit).map(({ delivery }) => delivery);
      return { data, hasMore: rows.length > limit, warnings: [] };
    },
    async get(id) {
      const found = sql`select delivery, task from listing_video.webhook_deliveries where id = ${id}`;
      const [row] = isDeliveryId(id)
        ? await database.query<{ delivery: Delivery; task: TaskRecord }>(found)
        : [];
      if (row === undefined) throw deliveryNotFound(id);
      return { ...row.delivery, task: row.task };
    },
    add: (delivery) => insertDeliveries(database, [delivery], null),
    async countWaiting() {
      const [row] = await database.query<{ count: number }>(
        `select count(*) as count from listing_video.webhook_deliveries where state = 'waiting'`,
      );
      return row?.count ?? 0;
    },
  };
}
