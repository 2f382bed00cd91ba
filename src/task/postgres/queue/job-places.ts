/**
 * Turns between organizations, given when a job is added: it is due at a virtual time, a turn after the job before it of
 * its organization. An organization without jobs begins at the time of the job that was dispatched last. So one that
 * adds ten thousand jobs delays the first job of another by those that run.
 *
 * A job that comes again had its turn. It has the priority of graphile-worker's default, which is before that of turns,
 * and a real time.
 */
import type { Queries } from '../database.ts';
import { type Sql, sql } from '../sql.ts';

/** The priority of jobs whose time is a turn. */
export const IN_TURN = 1;

/** Before every real time; each turn takes a millisecond. */
const BEGIN_MS = Date.UTC(2000, 0);

/** Now, in turns: a sequence, which no transaction locks. */
export const HERE = sql`(select last_value from listing_video.turns)`;

/** The arguments of a job for its place in the queue. */
export function atTurn(turn: Sql): Sql {
  return sql`priority => ${IN_TURN}, run_at => to_timestamp((${BEGIN_MS}::float8 + ${turn}) / 1000)`;
}

/** Takes the next turn of an organization, or of those without one: a statement that returns it. */
export function takeTurn(organizationId: string | null): Sql {
  return sql`insert into listing_video.organization_turns as mine (organization_id, turn)
     values (${organizationId ?? ''}, ${HERE})
     on conflict (organization_id) do update set turn = greatest(mine.turn + 1, excluded.turn)
     returning turn`;
}

/** A job is dispatched. */
export async function reachTurn(
  queries: Queries,
  { priority, run_at: runAt }: { readonly priority: number; readonly run_at: Date },
): Promise<void> {
  if (priority !== IN_TURN) return;
  const turn = runAt.getTime() - BEGIN_MS;
  await queries.query(
    sql`select setval('listing_video.turns', ${turn}) from listing_video.turns where last_value < ${turn}`,
  );
}
