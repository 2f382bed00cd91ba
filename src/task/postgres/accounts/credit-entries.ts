/**
 * Reservations in the ledger: one entry for each task and retry. Each function is part of a transaction, that of a task's
 * change or one of its own. The organization's row is locked last and for a moment, because all tasks of an organization
 * need it.
 */
import { insufficientBalance } from '../../accounts/account-rules.ts';
import type { ReservationKey } from '../../accounts/account-store.ts';
import type { ProcessIdentity } from '../../../platform/disk/process-identity.ts';
import { isTaskId } from '../../task-id.ts';
import type { Queries } from '../database.ts';

/** Who reserves, and when. */
export interface Reserving {
  readonly by: ProcessIdentity;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** The reservation is part of the transaction that accepts its task, so the task itself is no sign of an earlier one. */
  readonly isAccepting?: true;
}

/**
 * Reserves credits. Does nothing if the organization is unmetered, or the task was accepted or reserved before.
 *
 * @throws {@link ListingVideoError} `insufficient_balance`. Then the transaction must be rolled back.
 */
export async function reserveCredits(
  queries: Queries,
  { organizationId, taskId, retries }: ReservationKey,
  credits: number,
  { by, at, isAccepting }: Reserving,
): Promise<void> {
  const entries = await queries.query(
    `insert into listing_video.ledger_entries
       (organization_id, kind, credits, task_id, retries, state, reserved_by, created_at)
     select id, 'task', -$2::bigint, $3, $4::integer, 'reserved', $5, $6 from listing_video.organizations
     where id = $1 and is_metered and not ${isAccepted('$7', '$4')}
     on conflict (task_id, organization_id, retries) where kind = 'task' do nothing
     returning id`,
    [organizationId, credits, taskId, retries, JSON.stringify(by), at, isAccepting ? null : uuidOf(taskId)],
  );
  if (entries.length === 0) return;
  const paid = await queries.query(
    `update listing_video.organizations set balance = balance - $2 where id = $1 and balance >= $2 returning id`,
    [organizationId, credits],
  );
  if (paid.length > 0) return;
  const [row] = await queries.query<{ balance: number }>(
    'select balance from listing_video.organizations where id = $1',
    [organizationId],
  );
  throw insufficientBalance(row?.balance ?? 0, credits);
}

/** Ends a reservation. @returns False if there is none, or it has ended. */
export function settleCredits(
  queries: Queries,
  { organizationId, taskId, retries }: ReservationKey,
  end: 'spend' | 'refund',
  at: string,
): Promise<boolean> {
  return endReservation(
    queries,
    `update listing_video.ledger_entries set state = $4, ended_at = $5, reserved_by = null
     where organization_id = $1 and task_id = $2 and retries = $3 and state = 'reserved'
     returning organization_id, case when $4 = 'refunded' then credits else 0 end as credits`,
    [organizationId, taskId, retries, end === 'spend' ? 'spent' : 'refunded', at],
  );
}

/** Removes a reservation whose task does not exist. @returns False if there is none, or its task exists. */
export function releaseCredits(
  queries: Queries,
  { organizationId, taskId, retries }: ReservationKey,
): Promise<boolean> {
  return endReservation(
    queries,
    `delete from listing_video.ledger_entries
     where organization_id = $1 and task_id = $2 and retries = $3 and state = 'reserved'
       and not ${isAccepted('$4', '$3')}
     returning organization_id, credits`,
    [organizationId, taskId, retries, uuidOf(taskId)],
  );
}

/** Runs `change`, and gives the credits that it returns, which are negative, back to the organization. */
async function endReservation(queries: Queries, change: string, values: unknown[]): Promise<boolean> {
  const ended = await queries.query(
    `with ended as (${change}),
     repaid as (
       update listing_video.organizations set balance = balance - ended.credits from ended
       where id = ended.organization_id and ended.credits <> 0
     )
     select 1 from ended`,
    values,
  );
  return ended.length > 0;
}

/** A condition: the task was accepted for this retry, or for a later one. False for the id null. */
function isAccepted(id: string, retries: string): string {
  return `exists (select from listing_video.tasks where tasks.id = ${id}::uuid and tasks.retries >= ${retries}::integer)`;
}

/** Null for text that is the id of no task. */
function uuidOf(taskId: string): string | null {
  return isTaskId(taskId) ? taskId : null;
}
