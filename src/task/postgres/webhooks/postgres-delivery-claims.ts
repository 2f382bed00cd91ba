/**
 * The claims of servers that send deliveries. A claim locks the row of its webhook, so that the requests of one webhook
 * are counted over all servers, and is measured with the clock of the database. A server that dies loses its claims
 * when they end.
 */
import { randomUUID } from 'node:crypto';
import type { TaskRecord } from '../../task.ts';
import { changedDelivery } from '../../webhooks/delivery-change.ts';
import {
  CLAIM_MS,
  type ClaimedDelivery,
  type DeliveryClaims,
  MAX_PER_WEBHOOK,
} from '../../webhooks/delivery-claims.ts';
import { KEEP_ENDED_MS, MAX_ENDED } from '../../webhooks/webhook.ts';
import type { DeliveryChange } from '../../webhooks/webhook-store.ts';
import type { Database, Queries } from '../database.ts';
import { raw, type Sql, sql } from '../sql.ts';
import { toJsonText } from '../tasks/task-row.ts';
import {
  DELIVERY_COLUMNS,
  type DeliveryRow,
  toFullDelivery,
  toWebhook,
  type WebhookRow,
} from './webhook-row.ts';

/** Rows that are removed by one statement, so that it is short. */
const REMOVED_AT_ONCE = 5_000;

/** How many requests of the webhook `w` go on. */
const GOING_ON = sql`(select count(*) from listing_video.webhook_deliveries c
  where c.webhook_id = w.id and c.claim is not null and c.due_at > clock_timestamp())`;

/** A delivery with its webhook, whose columns begin with `w_`. */
type ClaimedRow = DeliveryRow & {
  readonly task: TaskRecord;
  readonly w_url: string;
  readonly w_events: WebhookRow['events'];
  readonly w_created_at: Date;
  readonly w_disabled_at: Date | null;
};

export class PostgresDeliveryClaims implements DeliveryClaims {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  claim(room: number, isFailing: boolean): Promise<readonly ClaimedDelivery[]> {
    const perWebhook = isFailing ? 1 : MAX_PER_WEBHOOK;
    return this.#database.transaction(async (tx) => {
      const webhooks = await this.#takeTurns(tx, Math.ceil(room / perWebhook), perWebhook, isFailing);
      if (webhooks.length === 0) return [];
      const claim = randomUUID();
      // A statement of its own, so that it sees what earlier holders of the locks have claimed.
      const rows = await tx.query<ClaimedRow>(
        sql`with turn as (
           update listing_video.webhooks set turn_at = clock_timestamp() where id = any(${webhooks})
         ), taken as (
           select due.id from listing_video.webhooks w cross join lateral (
             select d.id from listing_video.webhook_deliveries d
             where d.webhook_id = w.id and d.state = 'waiting' and d.due_at <= clock_timestamp()
             order by d.due_at, d.id limit greatest(0, ${perWebhook}::bigint - ${GOING_ON})
             for update skip locked
           ) due
           where w.id = any(${webhooks}) limit ${room}
         )
         update listing_video.webhook_deliveries d set claim = ${claim}, due_at = clock_timestamp() + ${CLAIM_MS} * interval '1 ms'
         from taken, listing_video.webhooks w where d.id = taken.id and w.id = d.webhook_id
         returning ${raw(DELIVERY_COLUMNS)}, d.task, w.url as w_url, w.events as w_events, w.created_at as w_created_at,
           w.disabled_at as w_disabled_at`,
      );
      return rows.map((row) => toClaimed(row, claim));
    });
  }

  /** Locks the webhooks whose turn it is. Those that another server is taking from at this moment are left to it. */
  async #takeTurns(tx: Queries, atMost: number, perWebhook: number, isFailing: boolean): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      // Steps from one webhook to the next in the index, instead of reading all waiting deliveries.
      sql`with recursive lanes as (
         (select webhook_id from listing_video.webhook_deliveries where state = 'waiting'
          order by webhook_id limit 1)
         union all
         select next.webhook_id from lanes, lateral (
           select webhook_id from listing_video.webhook_deliveries
           where state = 'waiting' and webhook_id > lanes.webhook_id order by webhook_id limit 1
         ) next
       )
       select w.id from listing_video.webhooks w
       where w.id in (select webhook_id from lanes) and w.deleted_at is null and w.is_failing = ${isFailing}
         and exists (select 1 from listing_video.webhook_deliveries d
                     where d.webhook_id = w.id and d.state = 'waiting' and d.due_at <= clock_timestamp())
         and ${GOING_ON} < ${perWebhook}
       order by w.turn_at nulls first, w.id limit ${atMost} for no key update skip locked`,
    );
    return rows.map(({ id }) => id);
  }

  async finish(
    { delivery, webhook, claim }: ClaimedDelivery,
    change: DeliveryChange,
    delayMs: number,
  ): Promise<void> {
    const next = changedDelivery(delivery, change);
    const isFailing = next.state !== 'succeeded';
    await this.#database.query(
      sql`with done as (
         update listing_video.webhook_deliveries
         set state = ${next.state}, attempts = ${next.attempts}, first_attempt_at = ${next.firstAttemptAt},
           last_attempt = ${toJsonText(next.lastAttempt)}, problem = ${next.problem}, claim = null,
           next_attempt_at = ${next.nextAttemptAt}, due_at = clock_timestamp() + ${delayMs} * interval '1 ms'
         where id = ${delivery.id} and claim = ${claim}
       )
       update listing_video.webhooks set is_failing = ${isFailing} where id = ${webhook.id} and is_failing <> ${isFailing}`,
    );
  }

  async release({ delivery, claim }: ClaimedDelivery, delayMs: number): Promise<void> {
    await this.#database.query(
      sql`update listing_video.webhook_deliveries
       set claim = null, due_at = clock_timestamp() + ${delayMs} * interval '1 ms'
       where id = ${delivery.id} and claim = ${claim}`,
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
