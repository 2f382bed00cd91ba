/**
 * Which rights the user of a database lacks on the tables of a schema: found in the catalogs, so that a probe writes
 * nothing. graphile-worker turns row-level security on, which refuses every row to users other than the owner unless a
 * policy lets them through.
 */
import type { Queries } from './database.ts';
import { sql } from './sql.ts';

/** Of graphile-worker, for jobs at fixed times, which we have none of. */
const UNUSED = '_private_known_crontabs';

/** Programs that serve and render only read the versions of the tables. */
const READ_ONLY = 'migrations';

/** The commands of a right, as `pg_policy` has them. */
const RIGHTS = sql`(values ('select', 'r'), ('insert', 'a'), ('update', 'w'), ('delete', 'd')) as rights(name, command)`;

/** The turns of organizations are read and set. */
const SEQUENCE_RIGHTS = sql`(values ('usage'), ('select'), ('update')) as rights(name)`;

const IS_LET_THROUGH = sql`exists (
  select from pg_policy where polrelid = needed.oid and polpermissive and polcmd in ('*', command::"char")
    and (0 = any(polroles) or exists (select from unnest(polroles) as role where role <> 0 and pg_has_role(role, 'usage'))))`;

/** @returns Such as `insert on listing_video.tasks`, sorted; empty if nothing is missing. */
export async function findMissingRights(queries: Queries, schemas: readonly string[]): Promise<string[]> {
  const rows = await queries.query<{ missing: string }>(sql`
    with found as (
      select pg_class.oid, relkind, relname, nspname || '.' || relname as place
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where nspname = any(${schemas}::text[]) and relname <> ${UNUSED}
    ), needed as (
      select * from found, ${RIGHTS}
      where relkind in ('r', 'p') and (relname <> ${READ_ONLY} or name = 'select') or relkind = 'v' and name = 'select'
    )
    select 'usage on schema ' || nspname as missing from pg_namespace
      where nspname = any(${schemas}::text[]) and not has_schema_privilege(oid, 'usage')
    union all select name || ' on ' || place from needed where not has_table_privilege(oid, name)
    union all select 'a policy for ' || name || ' on ' || place from needed
      where relkind in ('r', 'p') and row_security_active(oid) and not ${IS_LET_THROUGH}
    union all select name || ' on sequence ' || place from found, ${SEQUENCE_RIGHTS}
      -- The planner can call the function first, which refuses anything that is no sequence.
      where case when relkind = 'S' then not has_sequence_privilege(oid, name) else false end
    union all select 'execute on ' || oid::regprocedure from pg_proc
      where pronamespace in (select oid from pg_namespace where nspname = any(${schemas}::text[]))
        and not has_function_privilege(oid, 'execute')
    order by missing`);
  return rows.map(({ missing }) => missing);
}
