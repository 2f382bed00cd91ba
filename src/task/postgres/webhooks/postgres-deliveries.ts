/** Deliveries in a database. They are stored in the transaction that ends their task. */
import { type AccountDeps, stamp } from '../../accounts/account-deps.ts';
import type { TaskRecord } from '../../task.ts';
import { isTerminal } from '../../task-transition.ts';
import { endDelivery, endEvent, repeatedDelivery, withoutTask } from '../../webhooks/delivery-change.ts';
import { deliveryId, deliveryNotFound, isDeliveryId, randomTail } from '../../webhooks/delivery-id.ts';
import type { LostEvents } from '../../webhooks/lost-events.ts';
import { type Delivery, type FullDelivery, MAX_WAITING } from '../../webhooks/webhook.ts';
import type { DeliveryPage, DeliveryQuery } from '../../webhooks/webhook-store.ts';
import type { Queries } from '../database.ts';
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

/** One page, newest first. */
export async function listDeliveries(
  queries: Queries,
  { webhookId, state, startingAfter, limit }: DeliveryQuery,
): Promise<DeliveryPage> {
  const conditions = [sql`w.deleted_at is null`];
  if (webhookId !== undefined) conditions.push(sql`d.webhook_id = ${webhookId}`);
  if (state !== undefined) conditions.push(sql`d.state = ${state}`);
  if (startingAfter !== undefined) conditions.push(sql`d.id < ${startingAfter}`);
  const rows = await queries.query<{ delivery: Delivery }>(
    sql`select d.delivery from listing_video.webhook_deliveries d
     join listing_video.webhooks w on w.id = d.webhook_id
     where ${all(conditions)} order by d.id desc limit ${limit + 1}`,
  );
  const data = rows.slice(0, limit).map(({ delivery }) => delivery);
  return { data, hasMore: rows.length > limit, warnings: [] };
}

/** @throws `delivery_not_found`. */
export async function findDelivery(queries: Queries, id: string): Promise<FullDelivery> {
  const [row] = isDeliveryId(id)
    ? await queries.query<{ delivery: Delivery; task: TaskRecord }>(
        sql`select delivery, task from listing_video.webhook_deliveries where id = ${id}`,
      )
    : [];
  if (row === undefined) throw deliveryNotFound(id);
  return { ...row.delivery, task: row.task };
}

/** Stores a new delivery of the same message, which is due at once. */
export async function repeatDelivery(
  queries: Queries,
  delivery: FullDelivery,
  clock: AccountDeps['clock'],
): Promise<Delivery> {
  const at = stamp(clock);
  const next = repeatedDelivery(delivery, deliveryId(Date.parse(at), randomTail()), at);
  await insertDeliveries(queries, [next], null);
  return withoutTask(next);
}

/** Number of all deliveries that wait. */
export async function countWaiting(queries: Queries): Promise<number> {
  const [row] = await queries.query<{ count: number }>(
    `select count(*) as count from listing_video.webhook_deliveries where state = 'waiting'`,
  );
  return row?.count ?? 0;
}
