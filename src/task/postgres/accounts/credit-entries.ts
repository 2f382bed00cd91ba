/**
 * Reservations in the ledger: one entry for each task and retry. Each function is part of a transaction, that of a
 * task's change or one of its own. The organization's row is locked last and for a moment, because all tasks of an
 * organization need it.
 */
import type { ProcessIdentity } from '../../../platform/disk/process-identity.ts';
import { insufficientBalance } from '../../accounts/account-rules.ts';
import type { ReservationKey } from '../../accounts/account-store.ts';
import { isTaskId } from '../../task-id.ts';
import type { Queries } from '../database.ts';
import { type Sql, sql } from '../sql.ts';

/** Who reserves, and when. */
export interface Reserving {
  readonly by: ProcessIdentity;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** Part of the transaction that accepts the task, so the task itself is no sign of an earlier reservation. */
  readonly isAccepting?: true;
}

/**
 * Reserves credits. Does nothing if the organization is unmetered, or the task was accepted or reserved before.
 *
 * @throws {@link ListingVideoError} `insufficient_balance`. Then the transaction must be rolled back.
 */
export async function reserveCredits(
  queries: Queries,
  key: ReservationKey,
  credits: number,
  { by, at, isAccepting }: Reserving,
): Promise<void> {
  const { organizationId: id, taskId, retries } = key;
  const entries = await queries.query(
    sql`insert into listing_video.ledger_entries
       (organization_id, kind, credits, task_id, retries, state, reserved_by, created_at)
     select id, 'task', ${-credits}::bigint, ${taskId}, ${retries}::integer, 'reserved', ${by}::json, ${at}::timestamptz
     from listing_video.organizations
     where id = ${id} and is_metered ${isAccepting ? sql`` : sql`and not ${isAccepted(key)}`}
     on conflict (task_id, organization_id, retries) where kind = 'task' do nothing
     returning id`,
  );
  if (entries.length === 0) return;
  const paid = await queries.query(
    sql`update listing_video.organizations set balance = balance - ${credits}
     where id = ${id} and balance >= ${credits} returning id`,
  );
  if (paid.length > 0) return;
  const [row] = await queries.query<{ balance: number }>(
    sql`select balance from listing_video.organizations where id = ${id}`,
  );
  throw insufficientBalance(row?.balance ?? 0, credits);
}

/** Ends a reservation. @returns False if there is none, or it has ended. */
export function settleCredits(
  queries: Queries,
  key: ReservationKey,
  end: 'spend' | 'refund',
  at: string,
): Promise<boolean> {
  const [state, repaid] = end === 'spend' ? ['spent', sql`0`] : ['refunded', sql`credits`];
  return endReservation(
    queries,
    sql`update listing_video.ledger_entries set state = ${state}, ended_at = ${at}, reserved_by = null
     where ${isOpen(key)} returning organization_id, ${repaid} as credits`,
  );
}

/** Removes a reservation whose task does not exist. @returns False if there is none, or its task exists. */
export function releaseCredits(queries: Queries, key: ReservationKey): Promise<boolean> {
  return endReservation(
    queries,
    sql`delete from listing_video.ledger_entries where ${isOpen(key)} and not ${isAccepted(key)}
     returning organization_id, credits`,
  );
}

/** Runs `change`, and gives the credits that it returns, which are negative, back to the organization. */
async function endReservation(queries: Queries, change: Sql): Promise<boolean> {
  const ended = await queries.query(
    sql`with ended as (${change}),
     repaid as (
       update listing_video.organizations set balance = balance - ended.credits from ended
       where id = ended.organization_id and ended.credits <> 0
     )
     select 1 from ended`,
  );
  return ended.length > 0;
}

function isOpen({ organizationId, taskId, retries }: ReservationKey): Sql {
  return sql`organization_id = ${organizationId} and task_id = ${taskId} and retries = ${retries} and state = 'reserved'`;
}

/** A condition: the task was accepted for this retry, or for a later one. */
function isAccepted({ taskId, retries }: ReservationKey): Sql {
  // Other text is the id of no task.
  const id = isTaskId(taskId) ? taskId : null;
  return sql`exists (select from listing_video.tasks where tasks.id = ${id}::uuid and tasks.retries >= ${retries}::integer)`;
}
