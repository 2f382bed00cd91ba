/**
 * Reservations in the ledger: one entry for each task and retry, made and ended in the transactions of the task. The
 * organization's row is locked last and for a moment, because all tasks of an organization need it.
 */
import { insufficientBalance } from '../../accounts/account-rules.ts';
import type { ReservationKey } from '../../accounts/account-store.ts';
import type { Queries } from '../database.ts';
import { sql } from '../sql.ts';

/**
 * Reserves credits. Does nothing if the organization is unmetered.
 *
 * @throws {@link ListingVideoError} `insufficient_balance`. Then the transaction must be rolled back.
 */
export async function reserveCredits(
  tx: Queries,
  { organizationId: id, taskId, retries }: ReservationKey,
  credits: number,
  at: string,
): Promise<void> {
  const entries = await tx.query(
    sql`insert into listing_video.ledger_entries (organization_id, kind, credits, task_id, retries, state, created_at)
     select id, 'task', ${-credits}::bigint, ${taskId}, ${retries}::integer, 'reserved', ${at}::timestamptz
     from listing_video.organizations where id = ${id} and is_metered
     on conflict (task_id, organization_id, retries) where kind = 'task' do nothing
     returning id`,
  );
  if (entries.length === 0) return;
  const paid = await tx.query(
    sql`update listing_video.organizations set balance = balance - ${credits}
     where id = ${id} and balance >= ${credits} returning id`,
  );
  if (paid.length > 0) return;
  const [row] = await tx.query<{ balance: number }>(
    sql`select balance from listing_video.organizations where id = ${id}`,
  );
  throw insufficientBalance(row?.balance ?? 0, credits);
}

/** Ends the reservation of an ended task, if it has one. Credits that are not spent go back to the organization. */
export async function settleCredits(
  tx: Queries,
  { organizationId, taskId, retries }: ReservationKey,
  end: 'spent' | 'refunded',
  at: string,
): Promise<void> {
  await tx.query(
    sql`with ended as (
       update listing_video.ledger_entries set state = ${end}, ended_at = ${at}
       where organization_id = ${organizationId} and task_id = ${taskId} and retries = ${retries} and state = 'reserved'
       returning credits
     )
     update listing_video.organizations set balance = balance - credits from ended
     where id = ${organizationId} and ${end === 'refunded'}::boolean and credits <> 0`,
  );
}
