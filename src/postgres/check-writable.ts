/** Whether a database can be written now, for `/readyz`. */
import type { Database } from './database.ts';

/** Probes of load balancers often wait 5 s or less, and a lost connection answers only after `open-database.ts` gives it up. */
const PATIENCE_MS = 2_000;

/**
 * False for a database that is away, a standby, set to read-only, or silent for `patienceMs`.
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
  const answer = database
    .query<{ canWrite: boolean }>(`select current_setting('transaction_read_only') = 'off' as "canWrite"`)
    .then(
      ([row]) => row?.canWrite === true,
      () => false,
    );
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
