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
import { all, raw, sql } from '../sql.ts';
import type { OnTaskChange } from '../tasks/task-change.ts';
import { addDeliveryJobs } from './delivery-jobs.ts';
import { insertDelivery } from './insert-delivery.ts';
import { DELIVERY_COLUMNS, type DeliveryRow, toDelivery, toFullDelivery } from './webhook-row.ts';

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
  const added = await queries.query<DeliveryRow>(
    // The id is that of deliveries in files: the time, and a hash of webhook, task and retries.
    sql`insert into listing_video.webhook_deliveries as d
       (id, message_id, webhook_id, organization_id, task_id, event, state, created_at, attempts, next_attempt_at, problem,
        task, due_at)
     select 'dlv_' || ${hexTime(Date.parse(updatedAt))}
         || left(encode(sha256(convert_to(w.id || ' ' || ${id}::text || ' ' || ${retries}::text, 'UTF8')), 'hex'), 12),
       ${messageIdOf(task)}, w.id, w.organization_id, ${id}, ${event}, case when is_full then 'failed' else 'waiting' end,
       ${updatedAt}, 0, case when is_full then null else ${updatedAt}::timestamptz end,
       case when is_full then ${TOO_MANY_WAITING} end, ${JSON.stringify(task)}, clock_timestamp()
     from listing_video.webhooks w cross join lateral (
       select count(*) >= ${MAX_WAITING} as is_full from (
         select 1 from listing_video.webhook_deliveries where webhook_id = w.id and state = 'waiting' limit ${MAX_WAITING}
       ) waiting
     ) room
     where w.organization_id = ${organizationId} and w.deleted_at is null and w.disabled_at is null
       and ${event} = any(w.events)
     on conflict (id) do nothing returning ${raw(DELIVERY_COLUMNS)}`,
  );
  await addDeliveryJobs(
    queries,
    added.map(({ id }) => id),
    null,
  );
  for (const row of added) if (row.state === 'failed') lost.addGivenUp(toFullDelivery({ ...row, task }));
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
  const rows = await queries.query<DeliveryRow>(
    sql`select ${raw(DELIVERY_COLUMNS)} from listing_video.webhook_deliveries d
     join listing_video.webhooks w on w.id = d.webhook_id
     where ${all(conditions)} order by d.id desc limit ${limit + 1}`,
  );
  return { data: rows.slice(0, limit).map(toDelivery), hasMore: rows.length > limit, warnings: [] };
}

/** @throws `delivery_not_found`. */
export async function findDelivery(queries: Queries, id: string): Promise<FullDelivery> {
  const [row] = isDeliveryId(id)
    ? await queries.query<DeliveryRow & { readonly task: TaskRecord }>(
        sql`select ${raw(DELIVERY_COLUMNS)}, d.task from listing_video.webhook_deliveries d where d.id = ${id}`,
      )
    : [];
  if (row === undefined) throw deliveryNotFound(id);
  return toFullDelivery(row);
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
