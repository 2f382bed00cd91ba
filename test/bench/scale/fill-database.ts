/** Fills a database with tasks as a service has them after some weeks. */
import type { Database } from '../../../src/task/postgres/database.ts';

/** Organizations, of which the first has 40 % of all tasks. */
export const ORGANIZATIONS = 200;

/** The id of an organization of {@link fillDatabase}. */
export function organizationId(number: number): string {
  return `org_${number.toString(16).padStart(16, '0')}`;
}

/**
 * Adds organizations with a large balance, and `tasks` tasks: of 1,000 tasks 20 FAILED, 10 wait, 1 runs, the others
 * SUCCEEDED.
 */
export async function fillDatabase(database: Database, tasks: number): Promise<void> {
  await database.query(
    `insert into listing_video.organizations (id, name, balance, is_metered, created_at)
     select 'org_' || lpad(to_hex(n), 16, '0'), 'Organization ' || n, 1000000000, true, now()
     from generate_series(0, $1 - 1) n`,
    [ORGANIZATIONS],
  );
  await database.query(
    `insert into listing_video.tasks (id, origin, organization_id, state, created_at, updated_at, started_at, queued_at,
       is_put_back, attempts, max_attempts, retries, cancel_requested, fence, heartbeat_at, summary, progress, failure,
       outcome, worker, submitter, result_bytes)
     select
       (lpad(to_hex(ms), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0') || '8'
         || substr(md5(n::text), 1, 15))::uuid,
       'api', 'org_' || lpad(to_hex(organization), 16, '0'), state, at, at, at, at, false, 1, 3, 0, false, 2, at,
       json_build_object('label', 'listing-' || n, 'resultCount', 1), null,
       case when state = 'FAILED' then '{"code":"no_usable_assets","message":"no usable assets","context":{}}'::json end,
       case when state = 'SUCCEEDED' then json_build_object('results', json_build_array(json_build_object(
         'agentId', 'agent-' || n, 'file', repeat(md5(n::text), 6), 'createdAt', at, 'metadata', '{}'::json)),
         'droppedAssets', '[]'::json, 'warnings', '[]'::json) end,
       process, process, 400
     from (
       select n, (extract(epoch from now()) * 1000)::bigint - ($1 - n) * 1000 as ms,
         now() - ($1 - n) * interval '1 s' as at,
         -- The odd factors mix states and organizations.
         case when n * 7919 % 10 < 4 then 0 else 1 + n * 104729 % ($2 - 1) end as organization,
         case when n * 15485863 % 1000 < 20 then 'FAILED' when n * 15485863 % 1000 < 30 then 'PENDING'
           when n * 15485863 % 1000 < 31 then 'RUNNING' else 'SUCCEEDED' end as state,
         '{"pid":1,"host":"h","boot":"another","space":"s","started":"1"}'::json as process
       from generate_series(1::bigint, $1::bigint) n
     ) made`,
    [tasks, ORGANIZATIONS],
  );
  await database.query('vacuum analyze listing_video.tasks');
}
