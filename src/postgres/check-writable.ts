/** Whether a database can be written now, for `/readyz`. */
import type { Database } from '../task/postgres/database.ts';
import { QUEUE_SCHEMA } from './queue/queue-schema.ts';

/** Probes of load balancers often wait 5 s or less, and a lost connection answers only after `open-database.ts` gives it up. */
const PATIENCE_MS = 2_000;

/** Without rights on one of these a server accepts nothing, or a worker finds nothing to do. */
const TABLES = ['listing_video.tasks', 'listing_video.worker_pools', `${QUEUE_SCHEMA}._private_jobs`];

const CAN_WRITE = `current_setting('transaction_read_only') = 'off' and not exists (
  select from unnest($1::text[]) as name cross join unnest(array['insert', 'update', 'delete']) as needed
  where not has_table_privilege(to_regclass(name), needed))`;

/**
 * False for a database that is away, a standby, set to read-only, without the right to write, or silent for `patienceMs`.
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
  const answer = database.query<{ canWrite: boolean }>(`select ${CAN_WRITE} as "canWrite"`, [TABLES]).then(
    ([row]) => row?.canWrite === true,
    () => false,
  );
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
