/**
 * The rows of deliveries, as servers send them. The job of a delivery says who sends it; the claim in its row, which each
 * dispatch replaces, keeps the late result of a server that was taken for dead out.
 *
 * A claim waits for the disk, and with it the lock of its job. A result does not: after a crash of the database a message
 * can come a second time, with the same id, as after a crash of the server that sent it.
 */
import { randomUUID } from 'node:crypto';
import type { TaskRecord } from '../../task.ts';
import { changedDelivery, withoutTask } from '../../webhooks/delivery-change.ts';
import type { ClaimedDelivery } from '../../webhooks/delivery-claims.ts';
import { deliveryId } from '../../webhooks/delivery-id.ts';
import type { DeliveryRecords } from '../../webhooks/dispatched-deliveries.ts';
import { type Delivery, KEEP_ENDED_MS, MAX_ENDED, type Webhook } from '../../webhooks/webhook.ts';
import type { StoredSecret } from '../../webhooks/webhook-rules.ts';
import type { Database } from '../database.ts';
import { QUICK_COMMIT, type Sql, sql } from '../sql.ts';
import { moveToFailing } from './delivery-jobs.ts';

/** Rows that are removed by one statement, so that it is short. */
const REMOVED_AT_ONCE = 5_000;

interface FoundDelivery extends Omit<Webhook, 'id' | 'organizationId'> {
  readonly delivery: Delivery;
  readonly task: TaskRecord;
  readonly secrets: readonly StoredSecret[];
  readonly isFailing: boolean;
}

export function postgresDeliveryRecords(database: Database): DeliveryRecords {
  /** Removes the deliveries whose ids `found` selects, in short steps. Another server can do the same at this moment. */
  const removeAll = async (found: Sql): Promise<void> => {
    for (;;) {
      const removed = await database.query(
        sql`delete from listing_video.webhook_deliveries where id in (${found} limit ${REMOVED_AT_ONCE}) returning id`,
      );
      if (removed.length < REMOVED_AT_ONCE) return;
    }
  };
  return {
    async claim({ id, attempt, isAmongFailing }) {
      const claim = randomUUID();
      const [row] = await database.query<FoundDelivery>(
        sql`update listing_video.webhook_deliveries d set claim = ${claim} from listing_video.webhooks w
         where d.id = ${id} and d.state = 'waiting' and w.id = d.webhook_id and w.deleted_at is null
         returning d.delivery, d.task, w.is_failing, w.url, w.events, w.disabled_at, w.secrets, w.created_at`.prepared(
          'claim_delivery',
        ),
      );
      if (row === undefined) return null;
      const { delivery, task, secrets, isFailing, ...found } = row;
      if (isFailing && !isAmongFailing) {
        await moveToFailing(database, id, attempt - 1);
        return null;
      }
      const { webhookId, organizationId } = delivery;
      const webhook = { id: webhookId, organizationId, ...found };
      return { delivery: { ...delivery, task }, webhook, claim, secrets };
    },
    async finish({ delivery, webhook, claim }: ClaimedDelivery, change) {
      const next = withoutTask(changedDelivery(delivery, change));
      const isFailing = next.state !== 'succeeded';
      await database.query(
        sql`with quick as (${QUICK_COMMIT}), done as (
           update listing_video.webhook_deliveries
           set state = ${next.state}, delivery = ${next}, claim = null
           from quick where id = ${delivery.id} and claim = ${claim}
         )
         update listing_video.webhooks set is_failing = ${isFailing} where id = ${webhook.id} and is_failing <> ${isFailing}`.prepared(
          'finish_delivery',
        ),
      );
    },
    async upkeep() {
      await removeAll(sql`select d.id from listing_video.webhook_deliveries d
        join listing_video.webhooks w on w.id = d.webhook_id where w.deleted_at is not null`);
      // No transaction that saw the webhook before its end takes that long.
      await database.query(`delete from listing_video.webhooks where deleted_at < now() - interval '1 hour'`);
      await removeAll(
        sql`select id from listing_video.webhook_deliveries
         where state <> 'waiting' and id < ${deliveryId(Date.now() - KEEP_ENDED_MS, '')}`,
      );
      await removeAll(
        sql`select id from (
           select id, row_number() over (partition by webhook_id, state order by id desc) as place
           from listing_video.webhook_deliveries where state <> 'waiting'
         ) ended where place > ${MAX_ENDED}`,
      );
    },
  };
}
