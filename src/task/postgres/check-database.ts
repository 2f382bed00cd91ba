/** Whether this program could work with a database (`doctor`), and can write now (`/readyz`). Changes nothing. */
import { ListingVideoError } from '../../platform/errors.ts';
import { findMissingRights } from './check-rights.ts';
import type { Database } from './database.ts';
import { requireQueue, requireSchema } from './migrate-database.ts';
import { QUEUE_SCHEMA } from './queue/jobs.ts';
import { raw, sql } from './sql.ts';

/** `server_version_num` of PostgreSQL 14. */
const MIN_SERVER = 140_000;

/** A network adds less. Receivers of webhooks refuse messages whose time is wrong by five minutes. */
const MAX_CLOCK_DIFFERENCE_MS = 60_000;

const SCHEMAS = ['listing_video', QUEUE_SCHEMA];

/** Missing rights that a message names. */
const MAX_NAMED = 3;

/**
 * @returns Where it is and what it is, without user and password.
 * @throws {@link ListingVideoError} `database_unavailable`, also without a right that is needed; `database_version` if
 * the server or the tables are too old or the tables too new; `unavailable` if the clock of this machine is wrong.
 */
export async function checkDatabase(database: Database, nowMs: () => number = Date.now): Promise<string> {
  const [server] = await database.query<{ version: string; number: number; timeMs: number }>(
    `select split_part(current_setting('server_version'), ' ', 1) as version,
       current_setting('server_version_num')::int as number,
       (extract(epoch from clock_timestamp()) * 1000)::float8 as time_ms`,
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
  // First, because without them the versions cannot be read.
  await requireRights(database);
  const schema = await requireSchema(database);
  await requireQueue(database);
  await tryToWrite(database);
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
  return `${database.place}: PostgreSQL ${version}, schema version ${schema}, writable`;
}

/** @throws {@link ListingVideoError} `database_unavailable`, with the names of the rights that are missing. */
async function requireRights(database: Pick<Database, 'query' | 'place'>): Promise<void> {
  const missing = await findMissingRights(database, SCHEMAS);
  if (missing.length === 0) return;
  const more = missing.length > MAX_NAMED ? `, and ${missing.length - MAX_NAMED} more` : '';
  const named = `${missing.slice(0, MAX_NAMED).join(', ')}${more}`;
  throw new ListingVideoError(
    'database_unavailable',
    `the user of the database ${database.place} lacks rights: ${named}`,
    {
      hint: 'give the user its rights with roles.sql, as `listing-video help many-machines` shows, or name the owner of the tables',
      context: { database: database.place, missing },
    },
  );
}

/** Accepts a job as the API does, and takes it back: no catalog says what a policy or a trigger refuses. */
async function tryToWrite(database: Pick<Database, 'transaction'>): Promise<void> {
  const queue = raw(QUEUE_SCHEMA);
  await database
    .transaction(async (tx) => {
      await tx.query('insert into listing_video.tasks select * from listing_video.tasks where false');
      await tx.query(sql`select ${queue}.add_job('doctor', job_key => 'doctor')`);
      await tx.query(sql`select ${queue}.remove_job('doctor')`);
      throw TAKEN_BACK;
    })
    .catch((error: unknown) => {
      if (error !== TAKEN_BACK) throw error;
    });
}

const TAKEN_BACK = new Error('the trial is over');

/** Probes of load balancers often wait 5 s or less; a lost connection answers only once it is given up. */
const PATIENCE_MS = 2_000;
/** Rights seldom change, and to look them up takes some milliseconds of the database. */
const RIGHTS_TTL_MS = 15_000;

export interface WritableCheckOptions {
  /** For tests. */
  readonly patienceMs?: number;
  readonly monotonicMs?: () => number;
}

/**
 * A check for `/readyz`, which is called every second. It rejects for a database that is away, a standby, set to
 * read-only, without a right that is needed, too new for this program, or silent for `patienceMs`.
 */
export function createWritableCheck(
  database: Pick<Database, 'query' | 'place'>,
  { patienceMs = PATIENCE_MS, monotonicMs = () => performance.now() }: WritableCheckOptions = {},
): () => Promise<void> {
  let rightsUntilMs = Number.NEGATIVE_INFINITY;
  const check = async (): Promise<void> => {
    const [row] = await database.query<{ isReadOnly: boolean }>(
      `select current_setting('transaction_read_only') = 'on' as is_read_only`,
    );
    if (row?.isReadOnly !== false) throw unavailable(database, 'is a standby or set to read-only');
    await requireSchema(database);
    if (monotonicMs() < rightsUntilMs) return;
    await requireRights(database);
    rightsUntilMs = monotonicMs() + RIGHTS_TTL_MS;
  };
  return async () => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(unavailable(database, 'does not answer')), patienceMs);
    });
    await Promise.race([check(), late]).finally(() => clearTimeout(timer));
  };
}

function unavailable({ place }: Pick<Database, 'place'>, problem: string): ListingVideoError {
  return new ListingVideoError('database_unavailable', `the database ${place} ${problem}`);
}
