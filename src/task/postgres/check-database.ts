/** Whether this program could work with a database (`doctor`), and can write now (`/readyz`). Changes nothing. */
import { ListingVideoError } from '../../platform/errors.ts';
import type { Database } from './database.ts';
import { requireQueue, requireSchema, SCHEMA_VERSION } from './migrate-database.ts';
import { QUEUE_SCHEMA } from './queue/jobs.ts';
import { sql } from './sql.ts';

/** `server_version_num` of PostgreSQL 14. */
const MIN_SERVER = 140_000;

/** A network adds less. Receivers of webhooks refuse messages whose time is wrong by five minutes. */
const MAX_CLOCK_DIFFERENCE_MS = 60_000;

/** Each needs a right, and none finds a row. A standby refuses them, too. */
const WRITES = [
  'insert into listing_video.tasks select * from listing_video.tasks where false',
  'update listing_video.tasks set state = state where false',
  'delete from listing_video.tasks where false',
];

/**
 * @returns Where it is and what it is, without user and password.
 * @throws {@link ListingVideoError} `database_unavailable`, also without the right to write; `database_version` if
 * the server or the tables are too old or the tables too new; `unavailable` if the clock of this machine is wrong.
 */
export async function checkDatabase(database: Database, nowMs: () => number = Date.now): Promise<string> {
  const [server] = await database.query<{ version: string; number: number; timeMs: number }>(
    `select split_part(current_setting('server_version'), ' ', 1) as version,
       current_setting('server_version_num')::int as number,
       (extract(epoch from clock_timestamp()) * 1000)::float8 as "timeMs"`,
  );
  const aheadMs = nowMs() - (server?.timeMs ?? 0);
  const { version = '', number = 0 } = server ?? {};
  if (number < MIN_SERVER) {
    throw new ListingVideoError(
      'database_version',
      `the database ${database.place} is PostgreSQL ${version}, but must be 14 or newer`,
      { hint: 'update PostgreSQL', context: { database: database.place, found: version, needed: 14 } },
    );
  }
  await requireSchema(database);
  await requireQueue(database);
  for (const statement of WRITES) await database.query(statement);
  if (Math.abs(aheadMs) > MAX_CLOCK_DIFFERENCE_MS) {
    const difference = `${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
    throw new ListingVideoError(
      'unavailable',
      `the clock of this machine is ${difference} that of the database ${database.place}`,
      {
        hint: 'set the clocks of all machines, for example with systemd-timesyncd: receivers refuse webhooks with a wrong time',
      },
    );
  }
  return `${database.place}: PostgreSQL ${version}, schema version ${SCHEMA_VERSION}, writable`;
}

/** Probes of load balancers often wait 5 s or less; a lost connection answers only once it is given up. */
const PATIENCE_MS = 2_000;

/** Without rights on one of these a server accepts nothing, or a worker finds nothing to do. */
const TABLES = ['listing_video.tasks', 'listing_video.worker_pools', `${QUEUE_SCHEMA}._private_jobs`];

const CAN_WRITE = sql`current_setting('transaction_read_only') = 'off' and not exists (
  select from unnest(${TABLES}::text[]) as name cross join unnest(array['insert', 'update', 'delete']) as needed
  where not has_table_privilege(to_regclass(name), needed))`;

/**
 * False for a database that is away, a standby, set to read-only, without the right to write, or silent for
 * `patienceMs`.
 *
 * @param patienceMs - For tests.
 */
export async function checkWritable(
  database: Pick<Database, 'query'>,
  patienceMs: number = PATIENCE_MS,
): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, patienceMs, false);
  });
  const answer = database.query<{ canWrite: boolean }>(sql`select ${CAN_WRITE} as "canWrite"`).then(
    ([row]) => row?.canWrite === true,
    () => false,
  );
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
