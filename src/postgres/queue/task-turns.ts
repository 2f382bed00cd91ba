/** The turns of organizations over all machines: when a task of each was claimed last. The search for waiting tasks reads them. */
import type { Queries } from '../../task/postgres/database.ts';
import type { OnTaskChange } from '../../task/postgres/tasks/task-change.ts';

/** For `onChange` of a task store. */
export const taskTurns: OnTaskChange = async ({ before, after }, transaction) => {
  const { organizationId, origin } = after;
  if (origin !== 'api' || organizationId === null || after.state !== 'RUNNING') return;
  if (before?.state === 'RUNNING') return;
  await noteTurn(transaction, organizationId);
};

/** Notes that a task of the organization, or a batch of one, was claimed. */
export async function noteTurn(transaction: Queries, organizationId: string): Promise<void> {
  await transaction.query(
    `insert into listing_video.organization_turns (organization_id, turn) values ($1, nextval('listing_video.turns'))
     on conflict (organization_id) do update set turn = excluded.turn`,
    [organizationId],
  );
}
