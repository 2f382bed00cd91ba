/** Deliveries in a database. They are stored in the transaction that ends their task. */
import { type AccountDeps, stamp } from '../../accounts/account-deps.ts';
import type { TaskRecord } from '../../task.ts';
import { isTerminal } from '../../task-transition.ts';
import { endEvent, repeatedDelivery, withoutTask } from '../../webhooks/delivery-change.ts';
import {
  deliveryId,
  deliveryNotFound,
  hexTime,
  isDeliveryId,
  messageIdOf,
  randomTail,
} from '../../webhooks/delivery-id.ts';
import type { LostEvents } from '../../webhooks/lost-events.ts';
import { type Delivery, type FullDelivery, MAX_WAITING, TOO_MANY_WAITING } from '../../webhooks/webhook.ts';
import type { DeliveryPage, DeliveryQuery } from '../../webhooks/webhook-store.ts';
import type { Queries } from '../database.ts';
import { all, insertInto, raw, sql, toColumn } from '../sql.ts';
import type { OnTaskChange } from '../tasks/task-change.ts';
import { addDeliveryJobs } from './delivery-jobs.ts';

const FIELDS = [
  ...['id', 'messageId', 'webhookId', 'organizationId', 'taskId', 'event', 'state', 'createdAt', 'attempts'],
  ...['firstAttemptAt', 'nextAttemptAt', 'lastAttempt', 'problem', 'redeliveryOf'],
] as (keyof Delivery)[];

/** Of a row `d`, without its task. */
export const DELIVERY_COLUMNS = raw(FIELDS.map((field) => `d.${toColumn(field)}`).join(', '));

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
  const { organizationId, id, retries, updatedAt } = task;
  if (organizationId === null) return;
  const event = endEvent(task);
  const added = await queries.query<Delivery>(
    // The id is that of deliveries in files: the time, and a hash of webhook, task and retries.
    sql`insert into listing_video.webhook_deliveries as d
       (id, message_id, webhook_id, organization_id, task_id, event, state, created_at, attempts, next_attempt_at, problem,
        task)
     select 'dlv_' || ${hexTime(Date.parse(updatedAt))}
         || left(encode(sha256(convert_to(w.id || ' ' || ${id}::text || ' ' || ${retries}::text, 'UTF8')), 'hex'), 12),
       ${messageIdOf(task)}, w.id, w.organization_id, ${id}, ${event}, case when is_full then 'failed' else 'waiting' end,
       ${updatedAt}, 0, case when is_full then null else ${updatedAt}::timestamptz end,
       case when is_full then ${TOO_MANY_WAITING} end, ${task}
     from listing_video.webhooks w cross join lateral (
       select count(*) >= ${MAX_WAITING} as is_full from (
         select 1 from listing_video.webhook_deliveries where webhook_id = w.id and state = 'waiting' limit ${MAX_WAITING}
       ) waiting
     ) room
     where w.organization_id = ${organizationId} and w.deleted_at is null and w.disabled_at is null
       and ${event} = any(w.events)
     on conflict (id) do nothing returning ${DELIVERY_COLUMNS}`,
  );
  await addDeliveryJobs(queries, added, null);
  for (const row of added) if (row.state === 'failed') lost.addGivenUp({ ...row, task });
}

/**
 * Adds the row of a delivery, and its job if it waits.
 *
 * @param dueAt - When it is sent; null for at once.
 * @returns False if there is a delivery with this id, which stays as it is.
 */
export async function insertDelivery(
  queries: Queries,
  delivery: FullDelivery,
  dueAt: string | null,
): Promise<boolean> {
  // One that comes from a file can have further fields.
  const row = Object.fromEntries([...FIELDS, 'task' as const].map((field) => [field, delivery[field]]));
  const added = await queries.query<Delivery>(
    sql`${insertInto('webhook_deliveries', row)} on conflict (id) do nothing returning id`,
  );
  await addDeliveryJobs(queries, added, dueAt);
  return added.length > 0;
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
  const rows = await queries.query<Delivery>(
    sql`select ${DELIVERY_COLUMNS} from listing_video.webhook_deliveries d
     join listing_video.webhooks w on w.id = d.webhook_id
     where ${all(conditions)} order by d.id desc limit ${limit + 1}`,
  );
  return { data: rows.slice(0, limit), hasMore: rows.length > limit, warnings: [] };
}

/** @throws `delivery_not_found`. */
export async function findDelivery(queries: Queries, id: string): Promise<FullDelivery> {
  const [row] = isDeliveryId(id)
    ? await queries.query<FullDelivery>(
        sql`select ${DELIVERY_COLUMNS}, d.task from listing_video.webhook_deliveries d where d.id = ${id}`,
      )
    : [];
  if (row === undefined) throw deliveryNotFound(id);
  return row;
}

/** Stores a new delivery of the same message, which is due at once. */
export async function repeatDelivery(
  queries: Queries,
  delivery: FullDelivery,
  clock: AccountDeps['clock'],
): Promise<Delivery> {
  const at = stamp(clock);
  const next = repeatedDelivery(delivery, deliveryId(Date.parse(at), randomTail()), at);
  await insertDelivery(queries, next, null);
  return withoutTask(next);
}

/** Number of all deliveries that wait. */
export async function countWaiting(queries: Queries): Promise<number> {
  const [row] = await queries.query<{ count: number }>(
    `select count(*) as count from listing_video.webhook_deliveries where state = 'waiting'`,
  );
  return row?.count ?? 0;
}
