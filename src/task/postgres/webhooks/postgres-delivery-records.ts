/**
 * The rows of deliveries, as servers send them. The job of a delivery says who sends it; the claim in its row, which each
 * dispatch replaces, keeps the late result of a server that was taken for dead out.
 */
import { randomUUID } from 'node:crypto';
import type { TaskRecord } from '../../task.ts';
import { changedDelivery } from '../../webhooks/delivery-change.ts';
import { CLAIM_MS, type ClaimedDelivery } from '../../webhooks/delivery-claims.ts';
import type { DeliveryRecords } from '../../webhooks/dispatched-deliveries.ts';
import { KEEP_ENDED_MS, MAX_ENDED } from '../../webhooks/webhook.ts';
import type { DeliveryChange } from '../../webhooks/webhook-store.ts';
import type { Database } from '../database.ts';
import { raw, type Sql, sql } from '../sql.ts';
import { toJsonText } from '../tasks/task-row.ts';
import { isInFailingQueue, moveToFailing } from './delivery-jobs.ts';
import {
  DELIVERY_COLUMNS,
  type DeliveryRow,
  toFullDelivery,
  toWebhook,
  type WebhookRow,
} from './webhook-row.ts';

/** Rows that are removed by one statement, so that it is short. */
const REMOVED_AT_ONCE = 5_000;

/** A delivery with its webhook, whose columns begin with `w_`. */
type ClaimedRow = DeliveryRow & {
  readonly task: TaskRecord;
  readonly isMisplaced: boolean;
  readonly w_url: string;
  readonly w_events: WebhookRow['events'];
  readonly w_created_at: Date;
  readonly w_disabled_at: Date | null;
};

export class PostgresDeliveryRecords implements DeliveryRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async claim(id: string, attempt: number): Promise<ClaimedDelivery | null> {
    const claim = randomUUID();
    // `due_at` is for servers of earlier versions, which look for deliveries that are due.
    const [row] = await this.#database.query<ClaimedRow>(
      sql`update listing_video.webhook_deliveries d
       set claim = ${claim}, due_at = clock_timestamp() + ${CLAIM_MS} * interval '1 ms'
       from listing_video.webhooks w
       where d.id = ${id} and d.state = 'waiting' and w.id = d.webhook_id and w.deleted_at is null
       returning ${raw(DELIVERY_COLUMNS)}, d.task, w.is_failing and not ${isInFailingQueue} as "isMisplaced", w.url as w_url,
         w.events as w_events, w.created_at as w_created_at, w.disabled_at as w_disabled_at`,
    );
    if (row === undefined) return null;
    if (!row.isMisplaced) return toClaimed(row, claim);
    await moveToFailing(this.#database, id, attempt - 1);
    return null;
  }

  async finish({ delivery, webhook, claim }: ClaimedDelivery, change: DeliveryChange): Promise<void> {
    const next = changedDelivery(delivery, change);
    const isFailing = next.state !== 'succeeded';
    await this.#database.query(
      sql`with done as (
         update listing_video.webhook_deliveries
         set state = ${next.state}, attempts = ${next.attempts}, first_attempt_at = ${next.firstAttemptAt},
           last_attempt = ${toJsonText(next.lastAttempt)}, problem = ${next.problem}, claim = null,
           next_attempt_at = ${next.nextAttemptAt}, due_at = coalesce(${next.nextAttemptAt}, clock_timestamp())
         where id = ${delivery.id} and claim = ${claim}
       )
       update listing_video.webhooks set is_failing = ${isFailing} where id = ${webhook.id} and is_failing <> ${isFailing}`,
    );
  }

  async upkeep(): Promise<void> {
    await this.#remove(sql`select d.id from listing_video.webhook_deliveries d
      join listing_video.webhooks w on w.id = d.webhook_id where w.deleted_at is not null`);
    // No transaction that saw the webhook before its end takes that long.
    await this.#database.query(
      `delete from listing_video.webhooks where deleted_at < now() - interval '1 hour'`,
    );
    await this.#remove(
      sql`select id from listing_video.webhook_deliveries
       where state <> 'waiting' and created_at < now() - ${KEEP_ENDED_MS} * interval '1 ms'`,
    );
    await this.#remove(
      sql`select id from (
         select id, row_number() over (partition by webhook_id, state order by id desc) as place
         from listing_video.webhook_deliveries where state <> 'waiting'
       ) ended where place > ${MAX_ENDED}`,
    );
  }

  /**
   * Removes the deliveries whose ids `found` selects, in short steps. Another server can do the same at this moment.
   */
  async #remove(found: Sql): Promise<void> {
    for (;;) {
      const removed = await this.#database.query(
        sql`delete from listing_video.webhook_deliveries where id in (${found} limit ${REMOVED_AT_ONCE}) returning id`,
      );
      if (removed.length < REMOVED_AT_ONCE) return;
    }
  }
}

function toClaimed(row: ClaimedRow, claim: string): ClaimedDelivery {
  const webhook = toWebhook({
    id: row.webhook_id,
    organization_id: row.organization_id,
    url: row.w_url,
    events: row.w_events,
    created_at: row.w_created_at,
    disabled_at: row.w_disabled_at,
    secrets: [],
  });
  return { delivery: toFullDelivery(row), webhook, claim };
}
